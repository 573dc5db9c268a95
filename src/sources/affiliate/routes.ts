import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { type App, createNetworkLimit, invalidInput, operationsOn } from '../../platform/http/index.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Format } from './formats/format.ts'
import { authenticateNetwork, getFormat } from './networks.ts'
import type { Content } from './rules.ts'
import { isNoSale, readSale } from './sales/read-sale.ts'
import { receivePostback } from './sales/receive.ts'
import { NetworkParams, ReceivedSchema, ReportSchema } from './schema.ts'

type Deps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

// Enough for a network whose secret is being rotated, but not for brute-forcing secrets.
const REPORTS_WITHOUT_SECRET = { perSecond: 10, burst: 400 }
// A report has a few short values and is stored in full.
const REPORT_BYTES_MAX = 64 * 1024

/** Registers the public routes. Networks authenticate with their own secret instead of an API key. */
export function affiliateRoutes(app: App, deps: Deps): void {
  // Only this operation accepts forms. Everywhere else, a body is JSON.
  app.register(async (scope) => postbackRoutes(scope.withTypeProvider<TypeBoxTypeProvider>(), deps))
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
    const read = readSale(report, format)
    if ('faults' in read) throw invalidInput(read.faults)
    await deps.db.transaction((tx) => receivePostback(tx, network, read.sale, report, deps.clock.now()))
    return { received: true }
  }

  const operation = operationsOn(app, 'Affiliate', () => ({}))
  operation('GET /postbacks/:network', {
    ...parts,
    id: 'receivePostbackByQuery',
    // Records a sale, which a HEAD request must not do.
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
    // Rejected below, like any other text that is not an object.
  }
  throw invalidInput([{ field: wrapper, code: 'invalid_format', message: 'must be a JSON object' }])
}

type ReportCall = {
  readonly params: { readonly network: string }
  readonly query: object
  readonly body: unknown
  readonly request: FastifyRequest
}
