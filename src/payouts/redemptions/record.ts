import { type EventRecord, recordEvents } from '../../events/index.ts'
import {
  type Book,
  type Cause,
  closeBook,
  holdForRedemption,
  openBook,
  payRedemption,
  releaseRedemption,
  returnRedemption,
} from '../../ledger/index.ts'
import { awaitAll, type Tx } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { listSalts } from '../../users/users/index.ts'
import { orderForRedemptions } from '../gift-cards/index.ts'
import { forgetRemoved } from './destination-queries.ts'
import { enqueuePayouts } from './payouts/payout-queries.ts'
import * as queries from './queries.ts'
import { REDEMPTION, type Redemption, type RedemptionId } from './redemption.ts'
import { isOpen, type RedemptionStatus } from './rules.ts'

/** A redemption and the states it passes through in one commit, in order. */
type RedemptionPath = {
  /** Null if the redemption is new. */
  readonly before: Redemption | null
  readonly states: readonly Redemption[]
}
export type Locked = {
  readonly book: Book
  readonly redemptions: readonly Redemption[]
  /** The salts of those locked users who have been erased. */
  readonly salts: ReadonlyMap<UserId, Buffer>
}

/** Locks the users of these redemptions before reading the redemptions, so that nobody else can change them. */
export async function lockRedemptions(
  tx: Tx,
  publisher: Publisher,
  redemptionIds: readonly RedemptionId[],
): Promise<Locked> {
  const found = await queries.listRedemptionsById(tx, publisher.id, redemptionIds)
  // These queries are pipelined. Those after the lock see everything committed before the lock was acquired.
  const userIds = [...new Set(found.map(({ userId }) => userId))]
  const [book, redemptions, salts] = await awaitAll([
    openBook(tx, publisher, userIds),
    queries.listRedemptionsById(tx, publisher.id, redemptionIds),
    listSalts(tx, publisher.id, userIds),
  ])
  return { book, redemptions, salts }
}

/** Returns the next state of a redemption. */
export function changeState(
  redemption: Redemption,
  change: Partial<Redemption> & { readonly status: RedemptionStatus },
  now: Date,
): Redemption {
  return { ...redemption, ...change, version: redemption.version + 1, updatedAt: now }
}

/** The postings for each new status. */
const POST: Readonly<Partial<Record<RedemptionStatus, (book: Book, state: Redemption, now: Date) => void>>> = {
  requested: (book, state, now) => holdForRedemption(book, state.userId, toCause(state, now), state.amount),
  paid: (book, state, now) => payRedemption(book, state.userId, toCause(state, now), state.amount, state.method),
  failed: (book, state, now) => releaseRedemption(book, state.userId, toCause(state, now), state.amount),
  cancelled: (book, state, now) => releaseRedemption(book, state.userId, toCause(state, now), state.amount),
  returned: (book, state, now) => returnRedemption(book, state.userId, toCause(state, now), state.amount, state.method),
}

const EVENT = {
  requested: 'redemption.created',
  approved: 'redemption.approved',
  sent: 'redemption.sent',
  paid: 'redemption.completed',
  failed: 'redemption.failed',
  returned: 'redemption.returned',
  cancelled: 'redemption.cancelled',
} as const satisfies Record<RedemptionStatus, string>

/**
 * Writes everything that these changes entail in one set of statements: rows, steps, postings, events, queued payouts
 * and gift card orders.
 * @param actor who made the change: `publisher`, `laurel`, `bank` or an operator
 */
export async function recordPaths(
  tx: Tx,
  book: Book,
  paths: readonly RedemptionPath[],
  actor: string,
  now: Date,
): Promise<void> {
  const { publisher } = book
  const states = paths.flatMap((path) => path.states)
  if (states.length === 0) return
  for (const state of states) POST[state.status]?.(book, state, now)
  const getLast = ({ states }: RedemptionPath): readonly Redemption[] => states.slice(-1)
  const added = paths.filter(({ before }) => before === null).flatMap(getLast)
  const changed = paths.filter(({ before }) => before !== null).flatMap(getLast)
  const ended = changed
    .filter(({ status, destinationId }) => !isOpen(status) && destinationId !== null)
    .map(({ userId }) => userId)
  const queued = [...added, ...changed].filter(({ method, status }) => method === 'simulated' && status === 'approved')
  const ordering = states.flatMap(({ status, offerUid, ...state }) =>
    status === 'sent' && offerUid !== null ? [{ ...state, offerUid }] : [],
  )
  await awaitAll([
    closeBook(tx, book),
    ...(added.length === 0 ? [] : [queries.insertRedemptions(tx, publisher.id, added)]),
    ...(changed.length === 0 ? [] : [queries.updateRedemptions(tx, publisher.id, changed)]),
    queries.countChanges(
      tx,
      publisher.id,
      paths.flatMap((path) =>
        getLast(path).map(({ status: after }) => ({ before: path.before?.status ?? null, after })),
      ),
    ),
    queries.insertSteps(
      tx,
      publisher.id,
      states.map((state) => ({ ...state, actor, at: now })),
    ),
    ...(queued.length === 0 ? [] : [enqueuePayouts(tx, publisher.id, queued)]),
    ...(ended.length === 0 ? [] : [forgetRemoved(tx, publisher.id, ended)]),
    recordEvents(tx, publisher, buildEvents(paths), now),
  ])
  if (ordering.length > 0) await orderForRedemptions(tx, publisher, ordering, now)
}

function buildEvents(paths: readonly RedemptionPath[]): EventRecord[] {
  return paths.flatMap(({ before, states }) =>
    states.map((state, index) => {
      const former = states[index - 1] ?? before
      return {
        type: EVENT[state.status],
        userId: state.userId,
        data: REDEMPTION.present(state),
        previous: former === null ? null : { status: former.status },
      }
    }),
  )
}

function toCause({ redemptionId, version, currency }: Redemption, now: Date): Cause {
  return { id: redemptionId, version, currency, effectiveAt: now }
}
