import {
  type Outbox,
  retainedAttempts,
  retainedChallenges,
  retainedSessions,
  retainedSignUps,
  retainedTokens,
  sendMails,
} from './accounts/index.ts'
import { fetchNextReport, retainedClicks } from './affiliate/index.ts'
import { warnOfBudgets } from './allowances/index.ts'
import { learnMerchants } from './catalog/index.ts'
import { declineOverdue, listOverduePublishers } from './claims/index.ts'
import { type Egress, eventLoops, retainedDeliveries, retainedEvents, sequenceEvents } from './events/index.ts'
import { runNextFact } from './facts.ts'
import { type GiftCardDeps, showUndecided, workGiftCards } from './gift-cards/index.ts'
import { eraseNext } from './leaving/index.ts'
import { addUpLedger, foldDeltas, showDeltas, showVerification, verifyNext } from './ledger/index.ts'
import { type LinkerDeps, linkerLoops, removeItems, syncPublisher } from './linker/index.ts'
import { retainedOperatorAnswers } from './operators/index.ts'
import type { RetentionDays } from './platform/config.ts'
import { showContradictions } from './platform/contradictions.ts'
import { FactFailure, type FactTurn, showFacts } from './platform/facts.ts'
import { type Loop, startLoops } from './platform/loops.ts'
import { dropOld, type Retained, showRetention } from './platform/retention.ts'
import { retainedLinks, sendPortalMails } from './portal/index.ts'
import { type DueWork, getPublisher, type Publisher, publisherNow, retainedAnswers } from './publishers/index.ts'
import { followPayouts, type PayoutDeps, sendPayouts, showRedemptions } from './redemptions/index.ts'
import {
  createReportWork,
  makeReports,
  orderAllScheduled,
  orderScheduled,
  type ReportWorkDeps,
  removeFiles,
  showReports,
} from './reports/index.ts'
import { listRipePublishers, matureRewards, showMaturing } from './rewards/index.ts'
import { listRolloutPublishers } from './terms/index.ts'
import { expireAuthorizations, listLapsedPublishers } from './transactions/index.ts'
import { requireTerms } from './users/index.ts'

type WorkerDeps = DueDeps & {
  readonly outbox: Outbox
  readonly baseUrl: string
  readonly retentionDays: RetentionDays
  readonly egress: Egress
  /** Whether this host's clock agrees with the database's. */
  readonly clockAgrees: () => Promise<boolean>
}

/** The worker's half of the service. Several workers may run; they share the work. */
export function startWorker(parts: WorkerDeps): { stop(): Promise<void> } {
  const events = eventLoops({ ...parts, queues: parts.pools.webhooks })
  const retained = retainedOf(parts.retentionDays)
  return startLoops(parts.log, [
    ...events,
    ...domainLoops(parts, retained),
    { name: 'network reports', everyMs: REPORTS_EVERY_MS, pass: () => fetchNextReport(parts) },
    ...linkerLoops(parts),
    ...reportLoops(parts),
    ...retentionLoops(parts, retained),
  ])
}

// Reports of networks are due every few minutes at most.
const REPORTS_EVERY_MS = 10_000

// A schedule is due once a day, and files are removed when nobody waits for it.
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

/** All that is dropped by age; the service may delete nothing else that only age makes superfluous (privileges.ts). */
function retainedOf(days: RetentionDays): Retained[] {
  return [
    retainedEvents(days.events),
    retainedDeliveries(days.deliveries),
    retainedClicks(days.clicks),
    retainedAnswers,
    retainedOperatorAnswers,
    retainedSessions,
    retainedAttempts,
    retainedTokens,
    retainedSignUps,
    retainedLinks,
    retainedChallenges,
  ]
}

// One batch a second leaves the database to other work, and is enough: it drops some 400 million rows a day, and
// verifies some 7 million journals an hour.
const BATCH_EVERY_MS = 1_000

/** A loop for each table: a fault in one does not keep the others. A host that is a year ahead must not drop a year. */
function retentionLoops({ db, clock, clockAgrees }: WorkerDeps, all: readonly Retained[]): Loop[] {
  return all.map((retained) => ({
    name: `retention of ${retained.table}`,
    everyMs: BATCH_EVERY_MS,
    pass: async () => {
      if (await clockAgrees()) await dropOld(db, retained, clock.now())
      return false
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
    { name: 'gift cards', everyMs: PAY_EVERY_MS, pass: () => workGiftCards(parts, null) },
    { name: 'erasures', everyMs: ERASE_EVERY_MS, pass: () => eraseNext(parts, null) },
    { name: 'payouts', everyMs: PAY_EVERY_MS, pass: () => sendPayouts(parts, null) },
    { name: 'payout outcomes', everyMs: PAY_EVERY_MS, pass: () => followPayouts(parts, null) },
    { name: 'mails', everyMs: MAIL_EVERY_MS, pass: () => sendMails(parts) },
    { name: 'mails to users', everyMs: MAIL_EVERY_MS, pass: () => sendPortalMails(parts) },
    { name: 'budgets', everyMs: WARN_EVERY_MS, pass: () => warn(parts) },
    { name: 'merchants', everyMs: LEARN_EVERY_MS, pass: () => learn(parts) },
  ]
}

/** Work that fails backs off by itself, and must not hold up that of others, as a failing pass of the loop would. */
async function runFact(parts: WorkerDeps, turn: FactTurn): Promise<boolean> {
  try {
    return await runNextFact(parts, turn)
  } catch (error) {
    if (!(error instanceof FactFailure)) throw error
    parts.log.error({ err: error }, 'the work of a recorded fact failed')
    return true
  }
}

// Few are due at a time, and looking costs one index.
const PAY_EVERY_MS = 1_000

// Whoever waits for a mail looks at their clock.
const MAIL_EVERY_MS = 500

// A batch each time, unless nothing is left.
const ERASE_EVERY_MS = 1_000

// What the overview shows is at most so old.
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

/** One step each time, even if another is due, so that the database is left to other work. */
async function verify(parts: WorkerDeps): Promise<boolean> {
  await verifyNext(parts)
  return false
}

// Statuses are derived from the documents; this is only about how soon changes are announced.
const TERMS_EVERY_MS = 5_000

/** One batch of each publisher with a document that became required. */
async function requireDueTerms({ db, clock }: LinkerDeps): Promise<boolean> {
  const due = await listRolloutPublishers(db.reader, clock.now())
  for (const publisherId of due) {
    const publisher = await getPublisher(db.reader, publisherId)
    await requireTerms(db, publisher, publisherNow(publisher, clock))
  }
  return due.length > 0
}

// Soon enough for a person; checking the budgets of a week is cheap.
const WARN_EVERY_MS = 30_000

async function warn(parts: LinkerDeps): Promise<boolean> {
  await warnOfBudgets(parts, parts.clock.now())
  return false
}

// Every process reloads the aliases each time something was learnt.
const LEARN_EVERY_MS = 10_000

function learn({ db, clock }: LinkerDeps): Promise<boolean> {
  return db.transaction((tx) => learnMerchants(tx, clock.now()))
}

/** What the work that falls due needs. */
type DueDeps = LinkerDeps & PayoutDeps & GiftCardDeps & ReportWorkDeps

type Due = { readonly publisher: Publisher; readonly now: Date; readonly isAwaited: boolean }

/** Rewards, authorizations and claims that are due under the publisher's own clock: one batch of each. */
async function doDueBatch(parts: LinkerDeps, { publisher, now, isAwaited }: Due): Promise<boolean> {
  const { more } = await parts.db.transaction((tx) => matureRewards(tx, publisher, now, { isAwaited }))
  const moreLapsed = await parts.db.transaction((tx) => expireAuthorizations(tx, parts, publisher, now))
  const moreClaims = await parts.db.transaction((tx) => declineOverdue(tx, publisher, now))
  return more || moreLapsed || moreClaims
}

/** One batch for each publisher that has something due; others cost nothing. */
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
      // One publisher's fault must not keep the others' rewards from maturing.
      parts.log.error({ err: error, publisher_id: publisherId }, 'the due work of a publisher failed')
    }
  }
  return more
}

/**
 * All work of one publisher that is due at an instant, in the order in which one thing can cause the next: feeds of
 * cards, reported sales, terms, gift cards, lapsing, maturing, deadlines of claims, payouts, erasures and reports, and
 * last the numbering of their events. Waits for work that a worker holds at that moment, because the response says that everything
 * is done.
 */
export function dueWorkOf(parts: DueDeps): DueWork {
  return async (publisher, now) => {
    const done = await syncPublisher(parts, publisher)
    await runFacts(parts, publisher)
    while (await requireTerms(parts.db, publisher, now)) {}
    await supplyCards(parts, publisher)
    while (await doDueBatch(parts, { publisher, now, isAwaited: true })) {}
    await payOut(parts, publisher)
    await eraseUsers(parts, publisher)
    await report(parts, publisher, now)
    while (await sequenceEvents(parts.db)) {}
    await foldDeltas(parts.db)
    return done
  }
}

/** The deactivation of a user who leaves has just ended their logins. What the provider does not end waits. */
async function eraseUsers(parts: DueDeps, publisher: Publisher): Promise<void> {
  try {
    while (await eraseNext(parts, publisher.id)) await removeItems(parts, publisher)
  } catch (error) {
    parts.log.error({ err: error, publisher_id: publisher.id }, 'an erasure of a publisher failed')
  }
}

/** What the storage of reports does not take waits; an erasure has just ended reports that were there. */
async function report(parts: DueDeps, publisher: Publisher, now: Date): Promise<void> {
  await runFacts(parts, publisher)
  try {
    await parts.db.transaction((tx) => orderScheduled(tx, publisher, now))
    await makeReports(parts, publisher)
    while (await removeFiles(parts, publisher.id)) {}
  } catch (error) {
    parts.log.error({ err: error, publisher_id: publisher.id }, 'the reports of a publisher failed')
  }
}

/** Payouts that the bank does not answer wait; other due work is done now. */
async function payOut(parts: DueDeps, publisher: Publisher): Promise<void> {
  try {
    while (await sendPayouts(parts, publisher.id)) {}
    await followPayouts(parts, publisher.id)
  } catch (error) {
    parts.log.error({ err: error, publisher_id: publisher.id }, 'the payouts of a publisher failed')
  }
}

/** What the supplier does not answer waits; redemptions then hear of the cards that they pay for. */
async function supplyCards(parts: DueDeps, publisher: Publisher): Promise<void> {
  try {
    while (await workGiftCards(parts, publisher.id)) {}
  } catch (error) {
    parts.log.error({ err: error, publisher_id: publisher.id }, 'the gift cards of a publisher failed')
  }
  await runFacts(parts, publisher)
}

/** Failed work is retried later; other due work is done now. */
async function runFacts(parts: LinkerDeps, publisher: Publisher): Promise<void> {
  try {
    while (await runNextFact(parts, publisher.id)) {}
  } catch (error) {
    parts.log.error({ err: error, publisher_id: publisher.id }, 'the work of a recorded fact failed')
  }
}
