import { formerMembers, recordEvents } from '../events/index.ts'
import type { Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { getKnownUser } from '../users/index.ts'
import type { Card, Link } from './queries.ts'
import { presentCardEvent } from './schema.ts'

export type CardOfLink = { readonly link: Link; readonly card: Card }
type EventCard = CardOfLink & {
  /** As it was shown before; card.updated names the previous values. */
  readonly before?: CardOfLink
  /** Whether another user certainly holds the same account, or only may. */
  readonly certain?: boolean
}
type CardEventType =
  | ('card.linked' | 'card.unlinked' | 'card.updated')
  | ('card.reauthentication_required' | 'card.duplicate_detected')

/**
 * Records one event for each card of a user. card.updated is for changes without an event of their own, and is left out
 * for a change that is not visible, such as of a persistent id.
 */
export async function recordCardEvents(
  tx: Tx,
  publisher: Publisher,
  type: CardEventType,
  cards: readonly EventCard[],
  now: Date,
): Promise<void> {
  const userId = cards[0]?.link.userId
  if (userId === undefined) return
  const user = await getKnownUser(tx, publisher.id, userId)
  const records = cards.flatMap(({ link, card, before, ...doubt }) => {
    const data = { ...presentCardEvent(user, link, card), ...doubt }
    if (type !== 'card.updated' || before === undefined) return [{ type, userId, data }]
    const previous = formerMembers(presentCardEvent(user, before.link, before.card), data)
    return Object.keys(previous).length === 0 ? [] : [{ type, userId, data, previous }]
  })
  await recordEvents(tx, publisher, records, now)
}
