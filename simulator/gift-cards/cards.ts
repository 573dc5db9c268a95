import { PartnerError } from '../partner-error.ts'
import type { World } from '../world.ts'
import { listOrders } from './orders.ts'
import type { GiftCard, GiftCardOrder } from './state.ts'

export function findCard(
  world: World,
  cardId: string,
): { readonly order: GiftCardOrder; readonly card: GiftCard } | undefined {
  return listOrders(world)
    .flatMap((order) => order.cards.map((card) => ({ order, card })))
    .find(({ card }) => card.cardId === cardId)
}

export function getCard(world: World, cardId: string): { readonly order: GiftCardOrder; readonly card: GiftCard } {
  const found = findCard(world, cardId)
  if (found === undefined) throw new PartnerError(404, 'card_not_found', 'there is no such card')
  return found
}

/** Refunds an unused card. Idempotent. */
export function refundCard(world: World, cardId: string): void {
  const { card } = getCard(world, cardId)
  if (card.isRefunded) return
  if (card.balance !== card.denomination)
    throw new PartnerError(422, 'card_used', 'part of this card has been spent, so it cannot be refunded')
  card.isRefunded = true
  card.balance = 0
  world.changed()
}
