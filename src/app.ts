import cookie from '@fastify/cookie'
import underPressure from '@fastify/under-pressure'
import { INTRODUCTION } from './api-introduction.ts'
import { operatorRoutes } from './back-office/index.ts'
import { statementRoutes } from './books/statements/index.ts'
import { offerRoutes } from './catalog/allowances/index.ts'
import {
  type CatalogStore,
  catalogPublicRoutes,
  catalogRoutes,
  type OffersOfUser,
  trackingLinkRoutes,
} from './catalog/catalog/index.ts'
import { reviewRoutes } from './catalog/reviews/index.ts'
import { leavingRoutes } from './data/erasure/index.ts'
import { type ReportLinks, type ReportStorage, reportFileRoutes, reportRoutes } from './data/reports/index.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { EVENT_DATA } from './event-data.ts'
import { describeEvents, type Egress, eventRoutes } from './events/index.ts'
import { type GiftCardSupplier, giftCardRoutes } from './payouts/gift-cards/index.ts'
import { type PayoutBank, redemptionRoutes } from './payouts/redemptions/index.ts'
import type { Clock } from './platform/clock.ts'
import type { RetentionDays } from './platform/config/config.ts'
import type { Database } from './platform/db/database.ts'
import type { Pools } from './platform/db/pools.ts'
import { healthRoutes } from './platform/http/health.ts'
import { type App, actAsStranger, createApp, limitStrangers, Problem, STRANGER_LIMITS } from './platform/http/index.ts'
import { measureRequests } from './platform/http/request-metrics.ts'
import { traceRequests } from './platform/http/tracing.ts'
import { referenceRoutes, secureFront, secureResponses } from './platform/openapi/reference.ts'
import type { Log } from './platform/telemetry/log.ts'
import type { Vault } from './platform/vault/index.ts'
import { consoleRoutes } from './platform/web/index.ts'
import { portalPages, portalRoutes } from './portal/index.ts'
import { claimRoutes } from './purchases/claims/index.ts'
import { linkerPublicRoutes, linkerRoutes, type Providers } from './purchases/linker/index.ts'
import { type findTransactionBrand, transactionRoutes } from './purchases/transactions/index.ts'
import { REFUSALS } from './refusals.ts'
import { affiliateRoutes, type TrackingLinks } from './sources/affiliate/index.ts'
import {
  authenticateOperators,
  authenticatePublishers,
  type DueWork,
  ownPublisherRoutes,
  publisherStaffRoutes,
  sandboxRoutes,
} from './tenants/access/index.ts'
import { accountRoutes, mailPages, type Outbox, signInRoutes } from './tenants/accounts/index.ts'
import { termsRoutes } from './users/terms/index.ts'
import { userRoutes } from './users/users/index.ts'

/** The dependencies of the rooms' routes and jobs. Each room uses a subset. */
export type ServiceParts = {
  /** The pool for API calls. Slow work uses separate pools. */
  readonly db: Database
  readonly pools: Pools
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Log
  readonly catalog: CatalogStore
  readonly providers: Providers
  readonly payoutBank: PayoutBank
  readonly giftCardSupplier: GiftCardSupplier
  readonly links: TrackingLinks
  readonly reportStorage: ReportStorage
  readonly outbox: Outbox
  readonly reportLinks: ReportLinks
  readonly egress: Egress
  /** The public address, available once the service is listening. */
  readonly baseUrl: string
  readonly trustedProxies: readonly string[]
  readonly operatorCallsPerSecond: number
  readonly strangerCallsPerSecond: number
  readonly clicksPerSecond: number
  readonly retentionDays: RetentionDays
  readonly doDueWork: DueWork
  readonly isDraining: () => boolean
  /** The parts that startup still has to load or fill: `catalog`, `sandbox`. */
  readonly notReady: ReadonlySet<string>
  /** The folder of the built console, pending while the build runs; null if the console is not served. */
  readonly consoleFolder: Promise<string> | null
  readonly brandOfTransaction: typeof findTransactionBrand
  readonly offersOfUser: OffersOfUser
}

// In the order in which an integrator needs them.
const TAGS = {
  Users: 'Registration, status and stored data of users.',
  Terms: 'The terms and conditions that users accept.',
  Brands: 'Brands, categories and the offers available to a user.',
  'Card linking': 'From a link token to linked cards, through the linking provider.',
  Transactions: 'Purchases, what they earn, and why.',
  Reviews: 'Merchants that are probably a brand, awaiting a human decision.',
  Rewards: 'Reward balances.',
  'Gift cards': 'Gift cards from a supplier: quotes, orders and codes.',
  Claims: 'Rewards that users report as missing, awaiting a human decision.',
  Redemptions: 'Payouts of available cashback, and their destinations.',
  Statements: 'Monthly statements and user statements.',
  Webhooks: 'Endpoints that receive events, and the outcome of each delivery.',
  Events: 'Everything that happens, in order and without gaps.',
  Reports: 'Exports, streamed or as files.',
  Portal: "The users' portal: its appearance, and the links that open it.",
  Publisher: 'The publisher of a key, and its permissions.',
  Sandbox: 'Sandbox only: advance the clock and break logins.',
  Affiliate: 'Tracking links, and reports from affiliate networks.',
  Operators: 'For staff of the operating company.',
  Accounts: 'Sign-in to the console.',
}

/** Builds the HTTP service, with every room's routes registered in order. */
export async function buildApp(parts: ServiceParts): Promise<App> {
  const app = createApp({ ...parts, refusals: REFUSALS, baseUrl: () => parts.baseUrl })
  const checked = {
    ...parts,
    db: parts.pools.checks,
    // A getter, because the address changes once the service listens.
    get baseUrl() {
      return parts.baseUrl
    },
  }
  await app.register(cookie)
  measureRequests(app)
  traceRequests(app)
  closeWhenDraining(app, parts)
  const reference = {
    tags: TAGS,
    introduction: INTRODUCTION,
    descriptions: DESCRIPTIONS,
    ...describeEvents(EVENT_DATA),
  }
  await referenceRoutes(app, reference, () => parts.baseUrl, parts.strangerCallsPerSecond)
  await app.register(async (open: App) => {
    await secureResponses(open)
    healthRoutes(open, { ...parts, db: parts.pools.health })
  })
  await app.register(async (front: App) => {
    await secureFront(front)
    front.addHook('onRequest', limitStrangers(parts.strangerCallsPerSecond, STRANGER_LIMITS.file))
    consoleRoutes(front, parts)
  })
  await app.register(async (open: App) => {
    await secureResponses(open)
    waitForCatalog(open, parts)
    // All of these callers together get one publisher's share of the database, so that the rest remains for callers
    // with a key.
    open.addHook('preValidation', (request, _reply, done) => actAsStranger(request, done))
    trackingLinkRoutes(open, parts)
    affiliateRoutes(open, parts)
    catalogPublicRoutes(open, parts)
    linkerPublicRoutes(open, parts)
    reportFileRoutes(open, parts)
  })
  await app.register(async (people: App) => {
    await secureResponses(people)
    await refuseOverload(people)
    await people.register(async (open: App) => {
      open.addHook('preValidation', (request, _reply, done) => actAsStranger(request, done))
      signInRoutes(open, parts)
    })
    await people.register(async (own: App) => accountRoutes(own, checked))
  })
  await app.register(async (open: App) => mailPages(open, parts))
  await app.register(async (open: App) => registerPortal(open, parts))
  await app.register(async (guarded: App) => ofPublishers(guarded, parts, checked))
  await app.register(async (operated: App) => {
    await secureResponses(operated)
    await refuseOverload(operated)
    waitForCatalog(operated, parts)
    await authenticateOperators(operated, checked)
    operatorRoutes(operated, { ...parts, db: parts.pools.background, exports: parts.pools.reports })
  })
  return app
}

/** Registers the operations available to publishers' keys and to people acting on behalf of publishers. */
async function ofPublishers(guarded: App, parts: ServiceParts, checked: ServiceParts): Promise<void> {
  await secureResponses(guarded)
  await refuseOverload(guarded)
  waitForCatalog(guarded, parts)
  await authenticatePublishers(guarded, checked)
  ownPublisherRoutes(guarded, parts)
  sandboxRoutes(guarded, parts)
  publisherStaffRoutes(guarded, parts)
  eventRoutes(guarded, parts)
  termsRoutes(guarded, parts)
  userRoutes(guarded, parts)
  catalogRoutes(guarded, parts)
  offerRoutes(guarded, parts)
  transactionRoutes(guarded, { ...parts, searches: parts.pools.searches })
  reviewRoutes(guarded, parts)
  linkerRoutes(guarded, parts)
  giftCardRoutes(guarded, parts)
  claimRoutes(guarded, parts)
  redemptionRoutes(guarded, parts)
  statementRoutes(guarded, parts)
  portalRoutes(guarded, parts)
  leavingRoutes(guarded, { ...parts, reports: parts.pools.reports })
  reportRoutes(guarded, { ...parts, reports: parts.pools.reports, checks: parts.pools.checks })
}

/** Once the service is stopping, closes keep-alive connections after their current request. */
function closeWhenDraining(app: App, { isDraining }: ServiceParts): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining()) reply.header('Connection', 'close')
    done()
  })
}

async function registerPortal(open: App, parts: ServiceParts): Promise<void> {
  await secureResponses(open)
  await refuseOverload(open)
  waitForCatalog(open, parts)
  // The parts must not be copied, because the public address is known only once the service listens.
  await portalPages(open, parts)
}

/**
 * During startup, makes requests wait for the catalog before they take a database connection, because loading the
 * catalog needs one.
 */
function waitForCatalog(app: App, { notReady, catalog }: ServiceParts): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    if (notReady.has('catalog')) catalog.current().then(() => done(), done)
    else done()
  })
}

// A full batch blocks the event loop for a few hundred milliseconds. A longer delay means that requests are piling up.
const LOOP_DELAY_MAX_MS = 1_500

/**
 * Sheds load: rejects requests immediately, with Retry-After, rather than answering all of them late. Health checks are
 * exempt.
 */
async function refuseOverload(app: App): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: LOOP_DELAY_MAX_MS,
    pressureHandler: () => {
      throw new Problem('overloaded', 'The processor cannot keep up. Try again in a moment.')
    },
  })
}
