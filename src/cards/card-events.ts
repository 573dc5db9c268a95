import { formerMembers, recordEvents } from '../events/index.ts'
import type { Tx } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { getKnownUser } from '../users/index.ts'
import type { Card, Link } from './queries.ts'
import { presentCardEvent } from './schema.ts'

/**
 * Each visible change of a card is one event. card.updated is for changes without an event of their own, so a change that
 * card.reauthentication_required announces is not repeated in it.
 */
export type CardOfLink = { readonly link: Link; readonly card: Card }
/** `certain`: whether another user certainly holds the same account, or only may. */
type EventCard = CardOfLink & { readonly certain?: boolean }

export async function recordCardEvents(
  tx: Tx,
  publisher: Publisher,
  type: 'card.linked' | 'card.unlinked' | 'card.reauthentication_required' | 'card.duplicate_detected',
  userId: UserId,
  cards: readonly EventCard[],
  now: Date,
): Promise<void> {
  if (cards.length === 0) return
  const user = await getKnownUser(tx, publisher.id, userId)
  const records = cards.map(({ link, card, ...doubt }) => {
    const data = { ...presentCardEvent(user, link, card), ...doubt }
    return { type, userId, data }
  })
  await recordEvents(tx, publisher, records, now)
}

export type CardChange = { readonly before: CardOfLink; readonly after: CardOfLink }

/** Records changes with the previous values. Changes that are not visible, such as of a persistent id, are left out. */
export async function recordCardUpdates(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  changes: readonly CardChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  const user = await getKnownUser(tx, publisher.id, userId)
  const records = changes.map(({ before, after }) => {
    const data = presentCardEvent(user, after.link, after.card)
    const previous = formerMembers(presentCardEvent(user, before.link, before.card), data)
    return { type: 'card.updated' as const, userId, data, previous }
  })
  const shown = records.filter(({ previous }) => Object.keys(previous).length > 0)
  await recordEvents(tx, publisher, shown, now)
}
