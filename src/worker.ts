import { setTimeout } from 'node:timers/promises'
import { warnAboutBudgets } from './catalog/allowances/index.ts'
import { learnMerchants } from './catalog/catalog/index.ts'
import { createErasures } from './data/erasure/index.ts'
import {
  createReportWork,
  makeReports,
  orderAllScheduled,
  orderScheduled,
  type ReportWorkDeps,
  removeFiles,
  showReports,
} from './data/reports/index.ts'
import { createEventLoops, type Egress, retainedDeliveries, retainedEvents, sequenceEvents } from './events/index.ts'
import { runNextFact } from './facts.ts'
import { addUpLedger, foldDeltas, showDeltas, showVerification, verifyNext } from './ledger/index.ts'
import { showContradictions } from './payouts/contradictions/index.ts'
import { createGiftCardWork, type GiftCardDeps, showUndecided } from './payouts/gift-cards/index.ts'
import { createPayoutOutcomes, createPayouts, type PayoutDeps, showRedemptions } from './payouts/redemptions/index.ts'
import type { RetentionDays } from './platform/config/config.ts'
import { dropOld, type Retained, showRetention } from './platform/db/retention.ts'
import { workOff } from './platform/queue/leased-work.ts'
import { type Loop, startLoops } from './platform/queue/loops.ts'
import { FactFailure, type FactTurn, showFacts } from './platform/queue/outbox.ts'
import { createPortalMails, retainedLinks } from './portal/index.ts'
import { declineOverdue, listOverduePublishers } from './purchases/claims/index.ts'
import { createLinkerLoops, type LinkerDeps, removeItems, syncPublisher } from './purchases/linker/index.ts'
import {
  expireAuthorizations,
  listLapsedPublishers,
  listRipePublishers,
  matureRewards,
  showMaturing,
} from './purchases/transactions/index.ts'
import { fetchNextReport, retainedClicks } from './sources/affiliate/index.ts'
import { type DueWork, retainedAnswers, retainedOperatorAnswers } from './tenants/access/index.ts'
import { createMails, type Outbox, RETAINED_OF_ACCOUNTS } from './tenants/accounts/index.ts'
import { getPublisher, type Publisher, publisherNow } from './tenants/publishers/index.ts'
import { listRolloutPublishers } from './users/terms/index.ts'
import { requireTerms } from './users/users/index.ts'

type WorkerDeps = DueDeps & {
  readonly outbox: Outbox
  readonly baseUrl: string
  readonly retentionDays: RetentionDays
  readonly egress: Egress
  /** Returns true if this host's clock agrees with the database's. */
  readonly clockAgrees: () => Promise<boolean>
}

/** Starts the service's background work. Several workers can run concurrently and share the work. */
export function startWorker(parts: WorkerDeps): { stop(): Promise<void> } {
  const events = createEventLoops({ ...parts, queues: parts.pools.webhooks })
  const retained = listRetained(parts.retentionDays)
  return startLoops(parts.log, [
    ...events,
    ...domainLoops(parts, retained),
    { name: 'network reports', everyMs: REPORTS_EVERY_MS, pass: () => fetchNextReport(parts) },
    ...createLinkerLoops(parts),
    ...reportLoops(parts),
    ...retentionLoops(parts, retained),
  ])
}

// Network reports are due at most every few minutes.
const REPORTS_EVERY_MS = 10_000

// Schedules are due once a day, and nobody waits for files to be removed.
const SCHEDULES_EVERY_MS = 10_000
const FILES_EVERY_MS = 1_000

function reportLoops(parts: WorkerDeps): Loop[] {
  return [
    createReportWork(parts, null),
    { name: 'report schedules', everyMs: SCHEDULES_EVERY_MS, pass: () => orderAllScheduled(parts) },
    {
      name: 'report files',
      everyMs: FILES_EVERY_MS,
      pass: async () => (await parts.clockAgrees()) && removeFiles(parts, null),
    },
  ]
}

/**
 * Lists everything that is deleted by age. The service's database account is not allowed to delete any other rows by
 * age (privileges.ts).
 */
function listRetained(days: RetentionDays): Retained[] {
  return [
    retainedEvents(days.events),
    retainedDeliveries(days.deliveries),
    retainedClicks(days.clicks),
    retainedAnswers,
    retainedOperatorAnswers,
    ...RETAINED_OF_ACCOUNTS,
    retainedLinks,
  ]
}

// One batch per second leaves room for other work and is fast enough to delete about 400 million rows a day and to
// verify about 7 million journals an hour.
const BATCH_EVERY_MS = 1_000

// The longest that a row may outlive its retention period.
const RETENTION_EVERY_MS = 10_000

/**
 * Runs a separate loop for each table, so an error in one does not stop the others. Checks the clock first, because a
 * host whose clock is a year ahead must not delete a year of data.
 */
function retentionLoops({ db, clock, clockAgrees }: WorkerDeps, all: readonly Retained[]): Loop[] {
  return all.map((retained) => ({
    name: `retention of ${retained.table}`,
    everyMs: RETENTION_EVERY_MS,
    pass: async () => {
      if (!(await clockAgrees()) || (await dropOld(db, retained, clock.now())) === 0) return false
      await setTimeout(BATCH_EVERY_MS)
      return true
    },
  }))
}

function domainLoops(parts: WorkerDeps, retained: readonly Retained[]): Loop[] {
  const turn: FactTurn = { after: null }
  return [
    { name: 'facts', everyMs: 200, pass: () => runFact(parts, turn) },
    { name: 'deltas', everyMs: 500, pass: () => foldDeltas(parts.db) },
    { name: 'daily sums', everyMs: SUMS_EVERY_MS, pass: () => addUpLedger(parts.db) },
    { name: 'maturing', everyMs: 1_000, pass: async () => (await parts.clockAgrees()) && doDueWork(parts) },
    { name: 'gauges', everyMs: SHOWN_EVERY_MS, pass: () => show(parts, retained) },
    { name: 'verification', everyMs: BATCH_EVERY_MS, pass: () => verify(parts) },
    { name: 'terms', everyMs: TERMS_EVERY_MS, pass: () => requireDueTerms(parts) },
    createGiftCardWork(parts, null),
    createErasures(parts, null),
    createPayouts(parts, null),
    createPayoutOutcomes(parts, null),
    createMails(parts),
    createPortalMails(parts),
    { name: 'budgets', everyMs: WARN_EVERY_MS, pass: () => warn(parts) },
    { name: 'merchants', everyMs: LEARN_EVERY_MS, pass: () => learn(parts) },
  ]
}

/**
 * Processes a fact and logs any failure. A failed fact has its own backoff and must not delay other facts, as a failed
 * pass of the loop would.
 */
async function runFact(parts: WorkerDeps, turn: FactTurn): Promise<boolean> {
  try {
    return await runNextFact(parts, turn)
  } catch (error) {
    if (!(error instanceof FactFailure)) throw error
    parts.log.error({ err: error }, 'processing a recorded fact failed')
    return true
  }
}

// The overview is stale by at most this much.
const SUMS_EVERY_MS = 5_000

const SHOWN_EVERY_MS = 15_000

async function show({ db: { reader }, clock }: WorkerDeps, retained: readonly Retained[]): Promise<boolean> {
  const now = clock.now()
  await Promise.all([
    showFacts(reader),
    showDeltas(reader),
    showVerification(reader),
    showMaturing(reader, now),
    showRedemptions(reader, now),
    showUndecided(reader),
    showContradictions(reader),
    showReports(reader, now),
    showRetention(reader, retained, now),
  ])
  return false
}

/** Runs only one step per pass, even if another is due, to leave database capacity for other work. */
async function verify(parts: WorkerDeps): Promise<boolean> {
  await verifyNext(parts)
  return false
}

// Affects only how soon status changes are announced, because statuses themselves are derived from the documents.
const TERMS_EVERY_MS = 5_000

/** Processes one batch for each publisher for which a document has become required. */
async function requireDueTerms({ db, clock }: LinkerDeps): Promise<boolean> {
  const due = await listRolloutPublishers(db.reader, clock.now())
  for (const publisherId of due) {
    const publisher = await getPublisher(db.reader, publisherId)
    await requireTerms(db, publisher, publisherNow(publisher, clock))
  }
  return due.length > 0
}

// Soon enough for the people who are warned, and checking a week's budgets is cheap.
const WARN_EVERY_MS = 30_000

async function warn(parts: LinkerDeps): Promise<boolean> {
  await warnAboutBudgets(parts, parts.clock.now())
  return false
}

// Every process reloads the aliases whenever one is learned, so a shorter interval would be costly.
const LEARN_EVERY_MS = 10_000

function learn({ db, clock }: LinkerDeps): Promise<boolean> {
  return db.transaction((tx) => learnMerchants(tx, clock.now()))
}

/** The dependencies of due work. */
type DueDeps = LinkerDeps & PayoutDeps & GiftCardDeps & ReportWorkDeps

type Due = { readonly publisher: Publisher; readonly now: Date; readonly isAwaited: boolean }

/** Processes one batch each of rewards, authorizations and claims that are due by the publisher's own clock. */
async function doDueBatch(parts: LinkerDeps, { publisher, now, isAwaited }: Due): Promise<boolean> {
  const { more } = await parts.db.transaction((tx) => matureRewards(tx, publisher, now, { isAwaited }))
  const moreLapsed = await parts.db.transaction((tx) => expireAuthorizations(tx, parts, publisher, now))
  const moreClaims = await parts.db.transaction((tx) => declineOverdue(tx, publisher, now))
  return more || moreLapsed || moreClaims
}

/** Processes one batch for each publisher with due work. Publishers without due work cost nothing. */
async function doDueWork(parts: LinkerDeps): Promise<boolean> {
  const realNow = parts.clock.now()
  const due = [
    ...(await listRipePublishers(parts.db.reader, realNow)),
    ...(await listLapsedPublishers(parts.db.reader, realNow)),
    ...(await listOverduePublishers(parts.db.reader, realNow)),
  ]
  let more = false
  for (const publisherId of new Set(due)) {
    try {
      const publisher = await getPublisher(parts.db.reader, publisherId)
      const now = publisherNow(publisher, parts.clock)
      more = (await doDueBatch(parts, { publisher, now, isAwaited: false })) || more
    } catch (error) {
      // One publisher's error must not keep other publishers' rewards from maturing.
      parts.log.error({ err: error, publisher_id: publisherId }, "processing a publisher's due work failed")
    }
  }
  return more
}

/**
 * Does all of one publisher's work that is due at an instant, in the order in which one step can trigger the next: card
 * feeds, reported sales, terms, gift cards, maturing, lapsing, claim deadlines, payouts, erasures and reports, and
 * finally the numbering of the resulting events. Waits for work currently leased by a worker, because the response
 * guarantees that everything is done.
 */
export function createDueWork(parts: DueDeps): DueWork {
  return async (publisher, now) => {
    const done = await syncPublisher(parts, publisher)
    await runFacts(parts, publisher)
    while (await requireTerms(parts.db, publisher, now)) {}
    await attempt(parts, publisher, 'gift cards', () => workOff(createGiftCardWork(parts, publisher.id)))
    // Processes the facts that notify redemptions of the gift cards they paid for.
    await runFacts(parts, publisher)
    while (await doDueBatch(parts, { publisher, now, isAwaited: true })) {}
    await attempt(parts, publisher, 'payouts', () => workOff(createPayouts(parts, publisher.id)))
    await attempt(parts, publisher, 'payout outcomes', () => workOff(createPayoutOutcomes(parts, publisher.id)))
    await attempt(parts, publisher, 'erasures', () => eraseUsers(parts, publisher))
    await attempt(parts, publisher, 'reports', () => report(parts, publisher, now))
    while (await sequenceEvents(parts.db)) {}
    await foldDeltas(parts.db)
    return done
  }
}

/**
 * Erases users. Each erasure ends the user's logins, and is completed once the provider has removed them. Until the
 * provider does so, the erasure stays pending.
 */
async function eraseUsers(parts: DueDeps, publisher: Publisher): Promise<void> {
  await workOff(createErasures(parts, publisher.id))
  await removeItems(parts, publisher)
  await workOff(createErasures(parts, publisher.id))
}

/**
 * Generates the reports that are due. Processes facts first, because an erasure may have just expired existing reports.
 */
async function report(parts: DueDeps, publisher: Publisher, now: Date): Promise<void> {
  await runFacts(parts, publisher)
  await parts.db.transaction((tx) => orderScheduled(tx, publisher, now))
  await makeReports(parts, publisher)
  while (await removeFiles(parts, publisher.id)) {}
}

/**
 * Does work that depends on other services. Anything that fails is left for the worker to retry, so that other due work
 * can proceed.
 */
async function attempt(
  { log }: LinkerDeps,
  publisher: Publisher,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ err: error, publisher_id: publisher.id }, `a publisher's ${name} failed`)
  }
}

async function runFacts(parts: LinkerDeps, publisher: Publisher): Promise<void> {
  await attempt(parts, publisher, 'recorded facts', async () => {
    while (await runNextFact(parts, publisher.id)) {}
  })
}
