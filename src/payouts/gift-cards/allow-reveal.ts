import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { allowReveal, giftCardNotFound, orderNotFound } from './cards.ts'
import { endOrder } from './end.ts'
import type { GiftCardId, GiftCardOrderId, OrderWithCards } from './order.ts'
import { findPublisherOfCard, listOrdersById } from './queries.ts'

/**
 * Allows a gift card's code to be revealed once more and records it in the audit log. Returns the time of the first
 * reveal.
 * @throws Refusal gift_card_not_found, gift_card_status
 */
export async function allowRevealAs(
  tx: Tx,
  { cardId, reason, by }: { readonly cardId: GiftCardId; readonly reason: string; readonly by: Actor },
  now: Date,
): Promise<Date | null> {
  const publisherId = await findPublisherOfCard(tx, cardId)
  if (publisherId === null) throw giftCardNotFound()
  const { revealedAt } = await allowReveal(tx, await getPublisher(tx, publisherId), cardId)
  const subject = encodeId('gcd', cardId)
  await audit(tx, { actor: by, action: 'gift_card.reveal_allowed', subject, after: { reason } }, now)
  return revealedAt
}

/**
 * Ends an order left undecided by the supplier and records it in the audit log.
 * @throws Refusal gift_card_order_not_found, gift_card_order_status
 */
export async function endOrderAs(
  tx: Tx,
  deps: Pick<CatalogOperatorDeps, 'catalog' | 'vault' | 'clock'>,
  { orderId, reason, by }: { readonly orderId: GiftCardOrderId; readonly reason: string; readonly by: Actor },
): Promise<OrderWithCards> {
  const [found] = await listOrdersById(tx, [orderId])
  if (found === undefined) throw orderNotFound()
  const publisher = await getPublisher(tx, found.publisherId)
  const ended = await endOrder(tx, deps, publisher, { orderId, reason }, publisherNow(publisher, deps.clock))
  const { status, version } = ended.order
  const entry = { actor: by, action: 'gift_card_order.ended', subject: encodeId('gco', orderId) }
  await audit(tx, { ...entry, after: { status, version, reason } }, deps.clock.now())
  return ended
}
