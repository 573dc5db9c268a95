import type { Tx } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { type CardChange, recordCardEvents, recordCardUpdates } from './announce.ts'
import * as health from './health-queries.ts'
import { type Card, type CardError, type Link, type LinkId, touchCards } from './queries.ts'

/**
 * How a login is, as it is shown on its cards. Observations are made at the same time by several workers and arrive in
 * any order, so each carries the instant at which it was made, and none overrules a later one.
 *
 * card.reauthentication_required is told at most twice for one break: once as a warning, with the deadline until which
 * the login still works, and once when it does not. A break lasts until the login works again, so a login whose error
 * changes its name meanwhile is not told anew. What else changes on the cards, card.updated tells.
 */
type Judged = 'changed' | 'same' | 'overruled'

/**
 * Says what is wrong with a login, or that nothing is (null), as observed at an instant of real time. The caller holds
 * the user's cards.
 */
export async function judgeLink(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  linkId: LinkId,
  error: CardError | null,
  now: Date,
  observedAt: Date,
): Promise<Judged> {
  const before = await health.findLinkHealth(tx, publisher.id, userId, linkId)
  if (before === null) return 'same'
  const isLate = before.observedAt !== null && before.observedAt > observedAt
  if (isLate) return before.error === error ? 'same' : 'overruled'
  const isTold = error === 'NEED_AUTHENTICATION' && before.breakToldAt === null
  const after = {
    error,
    observedAt,
    breakToldAt: error === null ? null : isTold ? now : before.breakToldAt,
    // A login that is broken has no deadline any more.
    deadline: error === null ? before.deadline : null,
  }
  const link = await health.markLinkHealth(tx, publisher.id, userId, linkId, after)
  if (before.error === error && before.deadline?.getTime() === after.deadline?.getTime()) return 'same'
  const cards = await touchCards(tx, publisher.id, userId, linkId)
  const changes = changesOf(link, cards, before)
  if (isTold) await recordBreak(tx, publisher, userId, changes, now)
  else await recordCardUpdates(tx, publisher, userId, changes, now)
  return 'changed'
}

/**
 * Says until when the user must have signed in again for the login to go on working, or that nothing is known to end
 * (null). Asks the user once; that a deadline moves, or is gone, is told as any change. The caller holds the user's cards.
 */
export async function warnOfLink(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  linkId: LinkId,
  deadline: Date | null,
  now: Date,
): Promise<void> {
  const before = await health.findLinkHealth(tx, publisher.id, userId, linkId)
  if (before === null || before.error !== null || before.deadline?.getTime() === deadline?.getTime()) return
  const link = await health.markLinkHealth(tx, publisher.id, userId, linkId, { ...before, deadline })
  const cards = await touchCards(tx, publisher.id, userId, linkId)
  const changes = changesOf(link, cards, before)
  if (before.deadline === null) await recordBreak(tx, publisher, userId, changes, now)
  else await recordCardUpdates(tx, publisher, userId, changes, now)
}

function changesOf(link: Link, cards: readonly Card[], { error, deadline }: health.LinkHealth): CardChange[] {
  const former = { ...link, error, reauthenticationDeadline: deadline }
  return cards.map((card) => ({ before: { link: former, card }, after: { link, card } }))
}

async function recordBreak(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  changes: readonly CardChange[],
  now: Date,
): Promise<void> {
  const pairs = changes.map(({ after }) => after)
  await recordCardEvents(tx, publisher, 'card.reauthentication_required', userId, pairs, now)
}
