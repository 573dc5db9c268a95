import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../../platform/ids.ts'
import { formatDecimal } from '../../../platform/money.ts'
import type { LeasedWork } from '../../../platform/queue/leased-work.ts'
import { createQueueWork, dequeueCall, type QueuedCall } from '../../../platform/queue/row-queue.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { lockOne } from '../approve.ts'
import { listDestinations } from '../destination-queries.ts'
import { openDetails } from '../destinations.ts'
import { applyOutcomes } from '../outcomes.ts'
import { changeState, recordPaths } from '../record.ts'
import { parseReference, type Redemption, type RedemptionId, toReference } from '../redemption.ts'
import type { PayoutBank, PayoutOrder } from './payout-bank.ts'
import * as queries from './payout-queries.ts'

export type PayoutDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Log
  readonly payoutBank: PayoutBank
}

/** The interval at which payout events are polled. */
const FOLLOW_EVERY_MS = 5_000

/**
 * Creates the background work that submits payouts to the bank. A redemption is marked `sent` in a transaction that
 * commits before the call, so that nobody can cancel a payout that the bank may have received. The call is retried
 * until the bank answers, and the bank pays once per reference.
 */
export function createPayouts(deps: PayoutDeps, publisherId: PublisherId | null): LeasedWork {
  return createQueueWork<QueuedCall>(deps, queries.PAYOUT_CALLS, publisherId, async (queued) => {
    await send(deps, queued)
    return 'done'
  })
}

async function send(deps: PayoutDeps, queued: QueuedCall): Promise<void> {
  const publisher = await getPublisher(deps.db.reader, queued.publisherId)
  const at = publisherNow(publisher, deps.clock)
  const sent = await markSent(deps, publisher, queued, at)
  if (sent === null) return
  const answer = await deps.payoutBank.pay(sent.order, sent.at)
  await deps.db.transaction(async (tx) => {
    await dequeueCall(tx, queries.PAYOUT_CALLS, queued)
    if (answer.isAccepted) return queries.openCursor(tx, publisher.id)
    const { code, message: text } = answer
    const reason = answer.isDestinationWrong ? 'destination_invalid' : 'not_paid'
    const redemptionId = queued.id as RedemptionId
    await applyOutcomes(tx, publisher, [{ redemptionId, outcome: 'failed', reason, code, text }], 'bank', at)
  })
}

/**
 * Marks the redemption as sent, after which it cannot be canceled. Also returns when it was sent, so that a retry pays
 * as of that time even if a sandbox's clock has since advanced. Returns null if the redemption was canceled first.
 */
function markSent(
  { db, vault }: PayoutDeps,
  publisher: Publisher,
  queued: QueuedCall,
  now: Date,
): Promise<{ readonly order: PayoutOrder; readonly at: Date } | null> {
  return db.transaction(async (tx) => {
    const { redemption: before, ...locked } = await lockOne(tx, publisher, queued.id as RedemptionId)
    if (before.status !== 'approved' && before.status !== 'sent') {
      await dequeueCall(tx, queries.PAYOUT_CALLS, queued)
      return null
    }
    const redemption = before.status === 'sent' ? before : changeState(before, { status: 'sent' }, now)
    if (redemption !== before) await recordPaths(tx, locked.book, [{ before, states: [redemption] }], 'laurel', now)
    const { destinationId, userId } = redemption
    const [stored] = destinationId === null ? [] : await listDestinations(tx, publisher.id, [userId], [destinationId])
    if (stored === undefined) throw new Error('a payout has no destination')
    const destination = openDetails(vault, stored)
    if (destination.type === 'email') throw new Error('a bank cannot pay to an email address')
    return { order: toOrder(redemption, destination), at: redemption.updatedAt }
  })
}

function toOrder(redemption: Redemption, destination: PayoutOrder['destination']): PayoutOrder {
  return {
    account: encodeId('pub', redemption.publisherId),
    reference: toReference(redemption.redemptionId),
    amount: formatDecimal(redemption.amount, redemption.currency),
    currency: redemption.currency,
    destination,
  }
}

/**
 * Creates the background work that applies the bank's events about payouts, publisher by publisher and page by page.
 */
export function createPayoutOutcomes(deps: PayoutDeps, publisherId: PublisherId | null): LeasedWork {
  return createQueueWork<queries.PayoutCursor>(deps, queries.PAYOUT_CURSORS, publisherId, async (cursor) =>
    (await followPage(deps, cursor)) ? 0 : FOLLOW_EVERY_MS,
  )
}

/** Applies the next page of events. Returns true if there may be another page. */
async function followPage(deps: PayoutDeps, cursor: queries.PayoutCursor): Promise<boolean> {
  const publisher = await getPublisher(deps.db.reader, cursor.publisherId)
  const now = publisherNow(publisher, deps.clock)
  const name = encodeId('pub', cursor.publisherId)
  const { events, nextAfter } = await deps.payoutBank.listEvents(name, cursor.afterSequence, now)
  if (events.length === 0) return false
  const reported = events.flatMap(({ reference, payoutReference, message: text, ...event }) => {
    const redemptionId = parseReference(reference)
    return redemptionId === null ? [] : [{ ...event, text, redemptionId, reference: payoutReference }]
  })
  return deps.db.transaction(async (tx) => {
    if (!(await queries.moveCursor(tx, cursor, nextAfter))) return false
    const applied = await applyOutcomes(tx, publisher, reported, 'bank', now)
    for (const { redemption, result } of applied)
      if (result === 'contradicted')
        deps.log.error(
          { redemption_id: encodeId('rdm', redemption.redemptionId), status: redemption.status },
          'the payout bank contradicts the recorded state of a redemption',
        )
    return true
  })
}
