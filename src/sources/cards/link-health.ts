import type { Tx } from '../../platform/db/database.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { recordCardEvents } from './card-events.ts'
import { type CardError, findLinkHealth, type LinkHealth, type LinkKey, touchCards, updateLink } from './queries.ts'

/**
 * Tracks the health of a login as its cards show it. Several workers observe a login concurrently and report in any
 * order, so each observation carries a timestamp and never replaces a later one.
 *
 * card.reauthentication_required is recorded at most twice per break: once as a warning that states how long the login
 * will still work, and once when the login stops working. A break lasts until the login works again, so a changed error
 * code does not start a new break. All other changes are announced by card.updated.
 */

/**
 * Sets the error of a login; null clears it. `observedAt` is real time, not the publisher's clock. Returns true if a
 * later observation differs and therefore stays in effect. The caller must hold lockCards.
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
 * Sets the deadline for the user to sign in again and keep the login working; null clears it. A new deadline emits
 * card.reauthentication_required. Moving or clearing a deadline emits only card.updated. The caller must hold
 * lockCards.
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
  /** True if the change requires the user to sign in again. */
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
