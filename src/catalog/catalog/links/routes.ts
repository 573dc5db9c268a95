import type { FastifyReply } from 'fastify'
import { isbot } from 'isbot'
import Type from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type App, createLimit, createNetworkLimit, openConfig } from '../../../platform/http/index.ts'
import {
  findLiveLink,
  recordVisit,
  type TrackingLinks,
  trackingLinkNotFound,
  type Visitor,
} from '../../../sources/affiliate/index.ts'
import { isCarriedIn } from '../assortment/assortment.ts'
import type { CatalogStore } from '../loading/catalog-store.ts'

type Deps = {
  readonly db: Database
  readonly clock: Clock
  readonly links: TrackingLinks
  readonly catalog: CatalogStore
  /** The rate limit on following links from one address. */
  readonly clicksPerSecond?: number
}

const LinkParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

// Homes, offices and mobile networks share addresses, so the limit must allow for many concurrent users.
const CLICKS_PER_SECOND = 20
const CLICKS_AT_ONCE = 20
// Each link belongs to one user and one offer.
const CLICKS_ON_LINK = { perSecond: 1, burst: 30 }
// The HTTP client of Android apps, through which users follow links. isbot mistakes it for a bot.
const APP_CLIENT = /\bokhttp\/\S+/i
// Longer user agents add no information.
const AGENT_LENGTH = 512

/** Registers the public redirect. Anyone with a link may follow it. */
export function trackingLinkRoutes(app: App, deps: Deps): void {
  const schema = {
    operationId: 'followLink',
    summary: "Follow a user's tracking link to the advertiser",
    description:
      "Records the click, then redirects to the offer's URL with an opaque sub-id. Outside a sandbox, a visit by a bot that identifies itself in its User-Agent is counted but not recorded, and is redirected without a sub-id.",
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
    const link = await findLiveLink(deps, token)
    if (!(await isCarriedIn(deps.catalog, link.publisher, link.offerUid))) throw trackingLinkNotFound()
    return reply.redirect(await recordVisit(deps.db, link, visitor), 302)
  }

  // HEAD requests come from link checkers and previews rather than from clicks, so no click is recorded. Registered
  // before GET, so that it replaces the HEAD route that GET would add.
  app.head('/r/:token', { schema: { params: LinkParams, hide: true } as never, onRequest }, (request, reply) =>
    follow(reply, (request.params as { token: string }).token, 'preview'),
  )

  app.get('/r/:token', { schema, config, onRequest }, (request, reply) => {
    const agent = request.headers['user-agent']?.slice(0, AGENT_LENGTH)
    return follow(reply, request.params.token, isbot(agent?.replace(APP_CLIENT, '')) ? 'bot' : 'person')
  })
}
