import type { Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { recordCardEvents } from './card-events.ts'
import type { CardError, LinkHealth, LinkKey } from './queries.ts'
import { findLinkHealth, touchCards, updateLink } from './queries.ts'

/**
 * The health of a login, as its cards show it. Several workers observe a login at the same time and report in any
 * order, so each observation carries its instant, and none replaces a later one.
 *
 * card.reauthentication_required is recorded at most twice per break: once as a warning with the deadline until which
 * the login still works, and once when it has stopped working. A break lasts until the login works again, so a changed
 * error code is no new break. card.updated announces all other changes.
 */

/**
 * Sets the error of a login, null for none, as observed at an instant of real time. Returns whether a later observation
 * disagrees, which then counts. The caller holds the lock of lockCards.
 */
export async function setLinkError(
  tx: Tx,
  publisher: Publisher,
  of: LinkKey,
  error: CardError | null,
  now: Date,
  observedAt: Date,
): Promise<boolean> {
  const before = await findLinkHealth(tx, publisher.id, of)
  if (before === null) return false
  if (before.observedAt !== null && before.observedAt > observedAt) return before.error !== error
  const isAnnounced = error === 'NEED_AUTHENTICATION' && before.breakToldAt === null
  const after = {
    error,
    observedAt,
    breakToldAt: error === null ? null : isAnnounced ? now : before.breakToldAt,
    // A broken login has no deadline.
    reauthenticationDeadline: error === null ? before.reauthenticationDeadline : null,
  }
  await storeHealth(tx, publisher, of, { before, after, isBreak: isAnnounced }, now)
  return false
}

/**
 * Sets the deadline by which the user must sign in again to keep the login working, null for none. The user is asked
 * once; a moved or removed deadline is a card.updated. The caller holds the lock of lockCards.
 */
export async function setLinkDeadline(
  tx: Tx,
  publisher: Publisher,
  of: LinkKey,
  deadline: Date | null,
  now: Date,
): Promise<void> {
  const before = await findLinkHealth(tx, publisher.id, of)
  if (before === null || before.error !== null) return
  const isBreak = before.reauthenticationDeadline === null
  const after = { reauthenticationDeadline: deadline }
  await storeHealth(tx, publisher, of, { before, after, isBreak }, now)
}

type HealthChange = {
  readonly before: LinkHealth
  readonly after: Partial<LinkHealth>
  /** Whether the user is asked to sign in again. */
  readonly isBreak: boolean
}

async function storeHealth(
  tx: Tx,
  publisher: Publisher,
  of: LinkKey,
  { before, after, isBreak }: HealthChange,
  now: Date,
): Promise<void> {
  const link = await updateLink(tx, publisher.id, of, after)
  const { error, reauthenticationDeadline } = before
  const isSameDeadline = link.reauthenticationDeadline?.getTime() === reauthenticationDeadline?.getTime()
  if (link.error === error && isSameDeadline) return
  const cards = await touchCards(tx, publisher.id, of)
  const former = { ...link, error, reauthenticationDeadline }
  const changes = cards.map((card) => ({ before: { link: former, card }, link, card }))
  await recordCardEvents(tx, publisher, isBreak ? 'card.reauthentication_required' : 'card.updated', changes, now)
}
