import type { Tx } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { type CardChange, recordCardEvents, recordCardUpdates } from './card-events.ts'
import type { Card, CardError, Link, LinkHealth, LinkId } from './queries.ts'
import { findLinkHealth, touchCards, updateLink } from './queries.ts'

/**
 * The health of a login, as its cards show it. Several workers observe a login at the same time and report in any order,
 * so each observation carries its instant, and none replaces a later one.
 *
 * card.reauthentication_required is recorded at most twice per break: once as a warning with the deadline until which the
 * login still works, and once when it has stopped working. A break lasts until the login works again, so a changed error
 * code is no new break. card.updated announces all other changes.
 */
type Outcome = 'changed' | 'same' | 'outdated'

/**
 * Sets the error of a login, null for none, as observed at an instant of real time. The caller holds the lock of
 * lockCards.
 */
export async function setLinkError(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  linkId: LinkId,
  error: CardError | null,
  now: Date,
  observedAt: Date,
): Promise<Outcome> {
  const before = await findLinkHealth(tx, publisher.id, userId, linkId)
  if (before === null) return 'same'
  const isLate = before.observedAt !== null && before.observedAt > observedAt
  if (isLate) return before.error === error ? 'same' : 'outdated'
  const isAnnounced = error === 'NEED_AUTHENTICATION' && before.breakToldAt === null
  const after = {
    error,
    observedAt,
    breakToldAt: error === null ? null : isAnnounced ? now : before.breakToldAt,
    // A broken login has no deadline.
    reauthenticationDeadline: error === null ? before.reauthenticationDeadline : null,
  }
  const link = await updateLink(tx, publisher.id, { userId, linkId }, after)
  const isSameDeadline = before.reauthenticationDeadline?.getTime() === after.reauthenticationDeadline?.getTime()
  if (before.error === error && isSameDeadline) return 'same'
  const cards = await touchCards(tx, publisher.id, userId, linkId)
  const changes = changesOf(link, cards, before)
  if (isAnnounced) await recordBreak(tx, publisher, userId, changes, now)
  else await recordCardUpdates(tx, publisher, userId, changes, now)
  return 'changed'
}

/**
 * Sets the deadline by which the user must sign in again to keep the login working, null for none. The user is asked
 * once; a moved or removed deadline is a card.updated. The caller holds the lock of lockCards.
 */
export async function setLinkDeadline(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  linkId: LinkId,
  deadline: Date | null,
  now: Date,
): Promise<void> {
  const before = await findLinkHealth(tx, publisher.id, userId, linkId)
  if (before === null || before.error !== null) return
  if (before.reauthenticationDeadline?.getTime() === deadline?.getTime()) return
  const link = await updateLink(tx, publisher.id, { userId, linkId }, { reauthenticationDeadline: deadline })
  const cards = await touchCards(tx, publisher.id, userId, linkId)
  const changes = changesOf(link, cards, before)
  if (before.reauthenticationDeadline === null) await recordBreak(tx, publisher, userId, changes, now)
  else await recordCardUpdates(tx, publisher, userId, changes, now)
}

function changesOf(link: Link, cards: readonly Card[], { error, reauthenticationDeadline }: LinkHealth): CardChange[] {
  const former = { ...link, error, reauthenticationDeadline }
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
