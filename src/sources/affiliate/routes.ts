import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import {
  type App,
  createLimit,
  createNetworkLimit,
  invalidInput,
  openConfig,
  operationsOn,
} from '../../platform/http/index.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Format } from './formats/format.ts'
import type { Visitor } from './metrics.ts'
import { authenticateNetwork, getFormat } from './networks.ts'
import type { Content } from './rules.ts'
import { isNoSale, saleOf } from './sales/read-sale.ts'
import { receivePostback } from './sales/receive.ts'
import { LinkParams, NetworkParams, ReceivedSchema, ReportSchema } from './schema.ts'
import { followLink, type LinkDeps } from './service.ts'

type Deps = LinkDeps & {
  readonly vault: Vault
  /** The rate limit on following links from one address. */
  readonly clicksPerSecond?: number
}

// Homes, offices and mobile networks share addresses, so this must suffice for many concurrent users.
const CLICKS_PER_SECOND = 20
const CLICKS_AT_ONCE = 20
// A link is one user's link to one offer.
const CLICKS_ON_LINK = { perSecond: 1, burst: 30 }
// Enough for a network whose secret is being changed, but not for guessing secrets by the thousand.
const REPORTS_WITHOUT_SECRET = { perSecond: 10, burst: 400 }
// The HTTP client of Android apps, whose users follow links with it. isbot mistakes it for a bot.
const APP_CLIENT = /\bokhttp\/\S+/i
// Longer user agents add no information.
const AGENT_LENGTH = 512

// A report has a few short values and is stored whole.
const REPORT_BYTES_MAX = 64 * 1024

/**
 * Registers public routes. Anyone with a link may follow it, and networks authenticate with their own secret instead of
 * an API key.
 */
export function affiliateRoutes(app: App, deps: Deps): void {
  linkRoutes(app, deps)
  // Only this operation accepts forms. Everywhere else, a body is JSON.
  app.register(async (scope) => postbackRoutes(scope.withTypeProvider<TypeBoxTypeProvider>(), deps))
}

function linkRoutes(app: App, deps: Deps): void {
  const schema = {
    operationId: 'followLink',
    summary: "Follow a user's tracking link to the advertiser",
    description:
      "Records the click, then redirects to the offer's URL with an opaque sub-id. Outside a sandbox, a visit by a bot that identifies itself in its User-Agent is only counted and is redirected without a sub-id.",
    tags: ['Affiliate'],
    security: [],
    params: LinkParams,
    response: { 302: { type: 'null', description: "Redirect to the advertiser's URL" } },
  }
  const config = openConfig('GET', ['tracking_link_not_found'])
  const { clicksPerSecond: perSecond = CLICKS_PER_SECOND } = deps
  const clicks = { perSecond, burst: perSecond * CLICKS_AT_ONCE }
  const { onRequest } = createNetworkLimit(clicks, 'Too many clicks from this address.', deps.clock)
  const limitLink = createLimit(CLICKS_ON_LINK, 'This link was followed too often. Try again in a moment.')
  const follow = async (reply: FastifyReply, token: string, visitor: Visitor) => {
    reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
    limitLink(reply, token, deps.clock.now().getTime())
    return reply.redirect(await followLink(deps, token, visitor), 302)
  }

  // Link checkers and previews send HEAD without a click, so none is recorded. Registered before GET, so that it
  // replaces the HEAD route that GET would add.
  app.head('/r/:token', { schema: { params: LinkParams, hide: true } as never, onRequest }, (request, reply) =>
    follow(reply, (request.params as { token: string }).token, 'preview'),
  )

  app.get('/r/:token', { schema, config, onRequest }, (request, reply) => {
    const agent = request.headers['user-agent']?.slice(0, AGENT_LENGTH)
    return follow(reply, request.params.token, isbot(agent?.replace(APP_CLIENT, '')) ? 'bot' : 'person')
  })
}

function postbackRoutes(app: App, deps: Deps): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: REPORT_BYTES_MAX },
    async (_request: FastifyRequest, text: string | Buffer) => Object.fromEntries(new URLSearchParams(text.toString())),
  )
  const parts = {
    summary: 'Report a sale',
    description:
      'For affiliate networks. Send a report as JSON, as a form or in the query; unlisted fields are stored. Networks with a known format use their own field names (docs/affiliate-networks.md). A report states the current state of an item of a sale and replaces all earlier reports of it; a rejected item counts as nothing, whatever its amount. Repeating a report changes nothing.',
    open: true,
    params: NetworkParams,
    query: ReportSchema,
    answer: ReceivedSchema,
    example: { received: true },
  } as const
  const example = { sub_id: '0b1f6c2e8a6d4f0b9a3c5d7e9f1a2b3c', order_id: '1001', amount: 84.5, status: 'approved' }
  const detail = "Too many reports without a network's secret."
  const { onRequest, uncount } = createNetworkLimit(REPORTS_WITHOUT_SECRET, detail, deps.clock)
  app.addHook('onRequest', onRequest)
  const receive = async ({ params, query, body, request }: ReportCall) => {
    const { network } = params
    const { secret, ...content }: Record<string, unknown> = { ...query, ...(body as object | undefined) }
    const header = request.headers['x-postback-secret']
    const given = typeof header === 'string' ? header : typeof secret === 'string' ? secret : null
    await authenticateNetwork(deps.db.reader, deps.vault, network, given)
    uncount(request)
    const format = await getFormat(deps.db.reader, network)
    const report = unwrapped(content, format)
    if (isNoSale(report, format)) return { received: true }
    const read = saleOf(report, format)
    if ('faults' in read) throw invalidInput(read.faults)
    await deps.db.transaction((tx) => receivePostback(tx, network, read.sale, report, deps.clock.now()))
    return { received: true }
  }

  const operation = operationsOn(app, 'Affiliate', () => ({}))
  operation('GET /postbacks/:network', {
    ...parts,
    id: 'receivePostbackByQuery',
    // Records a sale, which a HEAD must not do.
    exposeHeadRoute: false,
    refusals: ['network_invalid', 'postback_invalid', 'postback_unauthorized'],
    handler: receive,
  })
  operation('POST /postbacks/:network', {
    bodyLimit: REPORT_BYTES_MAX,
    ...parts,
    id: 'receivePostback',
    body: ReportSchema,
    bodyExample: example,
    refusals: ['network_invalid', 'postback_invalid', 'postback_unauthorized'],
    handler: receive,
  })
}

/** Extracts the report if the network sends it as JSON inside a form member. */
function unwrapped(content: Content, { wrapper }: Format): Content {
  const { [wrapper ?? '']: text, ...others } = content
  if (wrapper === null || text === undefined) return content
  try {
    const inner: unknown = typeof text === 'string' ? JSON.parse(text) : text
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return { ...others, ...inner }
  } catch {
    // Refused below, like any other text that is not an object.
  }
  throw invalidInput([{ field: wrapper, code: 'invalid_format', message: 'must be a JSON object' }])
}

type ReportCall = {
  readonly params: { readonly network: string }
  readonly query: object
  readonly body: unknown
  readonly request: FastifyRequest
}
