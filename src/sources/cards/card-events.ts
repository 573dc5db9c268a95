import { diffMembers, recordEvents } from '../../events/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getKnownUser } from '../../users/users/index.ts'
import type { Card, Link } from './queries.ts'
import { presentCardEvent } from './schema.ts'

export type CardOfLink = { readonly link: Link; readonly card: Card }
type EventCard = CardOfLink & {
  /** The card as it was before the change. card.updated includes the previous values. */
  readonly before?: CardOfLink
  /** True if another user certainly holds the same account; false if that is only possible. */
  readonly certain?: boolean
}
type CardEventType =
  | ('card.linked' | 'card.unlinked' | 'card.updated')
  | ('card.reauthentication_required' | 'card.duplicate_detected')

/**
 * Records one event per card of a single user. card.updated covers changes without a specific event type, and is
 * skipped if only something invisible changed, such as a persistent ID.
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
    const previous = diffMembers(presentCardEvent(user, before.link, before.card), data)
    return Object.keys(previous).length === 0 ? [] : [{ type, userId, data, previous }]
  })
  await recordEvents(tx, publisher, records, now)
}
