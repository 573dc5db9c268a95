import { warnOfBudgets } from './allowances/index.ts'
import { learnMerchants } from './catalog/index.ts'
import { eventLoops, sequenceEvents } from './events/index.ts'
import { runNextFact } from './facts.ts'
import { foldDeltas } from './ledger/index.ts'
import { type LinkerDeps, linkerLoops, syncPublisher } from './linker/index.ts'
import { deleteOldOperatorResponses } from './operators/index.ts'
import type { Tx } from './platform/database.ts'
import { type Loop, startLoops } from './platform/loops.ts'
import { type DueWork, deleteOldResponses, getPublisher, type Publisher, publisherNow } from './publishers/index.ts'
import { listRipePublishers, matureRewards } from './rewards/index.ts'
import { expireAuthorizations, listLapsedPublishers } from './transactions/index.ts'

/** The worker's half of the service: what happens by itself. Many workers may run; they share the work out among themselves. */
export function startWorker(parts: LinkerDeps): { stop(): Promise<void> } {
  return startLoops(parts.log, [...eventLoops(parts), ...domainLoops(parts), ...linkerLoops(parts)])
}

function domainLoops(parts: LinkerDeps): Loop[] {
  return [
    { name: 'facts', everyMs: 200, pass: () => runNextFact(parts, null) },
    { name: 'deltas', everyMs: 500, pass: () => foldDeltas(parts.db) },
    { name: 'maturing', everyMs: 1_000, pass: () => roundOfDue(parts) },
    { name: 'budgets', everyMs: WARN_EVERY_MS, pass: () => warn(parts) },
    { name: 'merchants', everyMs: LEARN_EVERY_MS, pass: () => learn(parts) },
    { name: 'kept answers', everyMs: 3_600_000, pass: () => parts.db.transaction(forgetAnswers).then(() => false) },
  ]
}

async function forgetAnswers(tx: Tx): Promise<void> {
  await deleteOldResponses(tx)
  await deleteOldOperatorResponses(tx)
}

// Soon enough for a person, and a look at the budgets of a week is no work.
const WARN_EVERY_MS = 30_000

async function warn(parts: LinkerDeps): Promise<boolean> {
  await warnOfBudgets(parts, parts.clock.now())
  return false
}

// Each time anything was learnt, every process loads the aliases again.
const LEARN_EVERY_MS = 10_000

function learn({ db, clock }: LinkerDeps): Promise<boolean> {
  return db.transaction((tx) => learnMerchants(tx, clock.now()))
}

type Due = { readonly publisher: Publisher; readonly now: Date; readonly isAwaited: boolean }

/** Rewards and authorizations that are due under the publisher's own clock: one batch of each. */
async function fallDue(parts: LinkerDeps, { publisher, now, isAwaited }: Due): Promise<boolean> {
  const { more } = await parts.db.transaction((tx) => matureRewards(tx, publisher, now, { isAwaited }))
  const moreLapsed = await parts.db.transaction((tx) => expireAuthorizations(tx, parts, publisher, now))
  return more || moreLapsed
}

/** One round over the publishers that have something due; others cost nothing. */
async function roundOfDue(parts: LinkerDeps): Promise<boolean> {
  const realNow = parts.clock.now()
  const due = [
    ...(await listRipePublishers(parts.db.reader, realNow)),
    ...(await listLapsedPublishers(parts.db.reader, realNow)),
  ]
  let more = false
  for (const publisherId of new Set(due)) {
    try {
      const publisher = await getPublisher(parts.db.reader, publisherId)
      const now = publisherNow(publisher, parts.clock)
      more = (await fallDue(parts, { publisher, now, isAwaited: false })) || more
    } catch (error) {
      // One publisher's fault must not keep the others' rewards from maturing.
      parts.log.error({ err: error, publisher_id: publisherId }, 'the due work of a publisher failed')
    }
  }
  return more
}

/**
 * All that is due for one publisher at an instant, in the order in which one thing can cause the next: what the cards' feeds
 * bring, what was reported, what lapses and matures, and last the numbering of the events of all that. What a worker has in
 * hands at that moment is waited for: whoever asks is told that it is done.
 */
export function dueWorkOf(parts: LinkerDeps): DueWork {
  return async (publisher, now) => {
    const done = await syncPublisher(parts, publisher)
    await runFacts(parts, publisher)
    while (await fallDue(parts, { publisher, now, isAwaited: true })) {}
    while (await sequenceEvents(parts.db)) {}
    await foldDeltas(parts.db)
    return done
  }
}

/** Work that fails is tried again by itself later; what is due beside it is done now. */
async function runFacts(parts: LinkerDeps, publisher: Publisher): Promise<void> {
  try {
    while (await runNextFact(parts, publisher.id)) {}
  } catch (error) {
    parts.log.error({ err: error, publisher_id: publisher.id }, 'the work of a recorded fact failed')
  }
}
