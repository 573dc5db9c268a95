import type { Reader, Tx } from '../../platform/db/database.ts'
import { decodeId, encodeId, type PublisherId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { type CardDetails, openCard } from './details.ts'
import type { GiftCardRefusal } from './errors.ts'
import type { GiftCard, GiftCardId, GiftCardOrderId, OrderWithCards } from './order.ts'
import { findCard, findOrder, listCards, markRevealable, markRevealed } from './queries.ts'
import type { GiftCardSupplier } from './supplier/supplier.ts'

/**
 * Reveals a card's number and code. This works only once, because a second request might come from a stranger. An
 * operator can allow another reveal.
 * @throws Refusal gift_card_not_found, gift_card_status, card_revealed
 */
export async function revealCard(
  tx: Tx,
  vault: Vault,
  publisher: Publisher,
  cardId: GiftCardId,
  now: Date,
): Promise<{ readonly card: GiftCard; readonly details: CardDetails }> {
  const card = await getCard(tx, publisher.id, cardId)
  if (card.status !== 'delivered') throw createStatusRefusal(card)
  if (await markRevealed(tx, card, now)) return { card, details: openCard(vault, card) }
  const { status, revealedAt } = await getCard(tx, publisher.id, cardId)
  if (status !== 'delivered' || revealedAt === null) throw createStatusRefusal({ ...card, status })
  throw new Refusal<GiftCardRefusal>('card_revealed', 'The code of this card has already been shown.', {
    members: { revealed_at: revealedAt.toISOString() },
  })
}

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
  const card = await getCard(tx, null, cardId)
  if (card.status !== 'delivered') throw createStatusRefusal(card)
  await markRevealable(tx, card)
  const subject = encodeId('gcd', cardId)
  await audit(tx, { actor: by, action: 'gift_card.reveal_allowed', subject, after: { reason } }, now)
  return card.revealedAt
}

/**
 * Fetches a card's balance from the supplier. Makes a network call, so it must not run in a transaction.
 * @throws Refusal gift_card_not_found, gift_card_status, gift_card_supplier_unavailable
 */
export async function fetchCardBalance(
  reader: Reader,
  supplier: GiftCardSupplier,
  publisher: Publisher,
  cardId: GiftCardId,
): Promise<{ readonly balance: bigint; readonly currency: string }> {
  const { card, order } = await getOrderOfCard(reader, publisher, cardId)
  if (card.supplierCardId === null) throw createStatusRefusal(card)
  const text = await supplier.fetchBalance(card.supplierCardId).catch(() => null)
  const balance = text === null ? null : toMinor(text, order.currency)
  if (balance === null) throw supplierUnavailable()
  return { balance, currency: order.currency }
}

/** @throws Refusal gift_card_order_not_found, also for another publisher's order */
export async function getOrder(
  reader: Reader,
  publisher: Publisher,
  orderId: GiftCardOrderId,
): Promise<OrderWithCards> {
  const order = await findOrder(reader, publisher.id, orderId)
  if (order === null) throw orderNotFound()
  return { order, cards: await listCards(reader, [order]) }
}

/** @throws Refusal gift_card_not_found, also for another publisher's card */
export async function getOrderOfCard(
  reader: Reader,
  publisher: Publisher,
  cardId: GiftCardId,
): Promise<OrderWithCards & { readonly card: GiftCard }> {
  const { orderId } = await getCard(reader, publisher.id, cardId)
  const { order, cards } = await getOrder(reader, publisher, orderId)
  const card = cards.find((one) => one.cardId === cardId)
  if (card === undefined) throw new Error('an order lacks one of its cards')
  return { order, cards, card }
}

async function getCard(reader: Reader, publisherId: PublisherId | null, cardId: GiftCardId): Promise<GiftCard> {
  const card = await findCard(reader, publisherId, cardId)
  if (card === null) throw giftCardNotFound()
  return card
}

/**
 * Parses an order ID.
 * @throws Refusal gift_card_order_not_found if it is malformed
 */
export function orderIdIn(text: string): GiftCardOrderId {
  const id = decodeId<'gift-card-order'>('gco', text)
  if (id === null) throw orderNotFound()
  return id
}

/**
 * Parses a card ID.
 * @throws Refusal gift_card_not_found if it is malformed
 */
export function parseCardId(text: string): GiftCardId {
  const id = decodeId<'gift-card'>('gcd', text)
  if (id === null) throw giftCardNotFound()
  return id
}

export function giftCardNotFound(): Refusal<GiftCardRefusal> {
  return new Refusal<GiftCardRefusal>('gift_card_not_found', 'There is no such card.', { field: 'card_id' })
}

export function orderNotFound(): Refusal<GiftCardRefusal> {
  return new Refusal<GiftCardRefusal>('gift_card_order_not_found', 'There is no such order.', { field: 'order_id' })
}

export function createStatusRefusal({ status, cardId }: Pick<GiftCard, 'status' | 'cardId'>): Refusal<GiftCardRefusal> {
  return new Refusal<GiftCardRefusal>('gift_card_status', `The card ${encodeId('gcd', cardId)} is ${status}.`, {
    members: { status },
  })
}

export function supplierUnavailable(): Refusal<GiftCardRefusal> {
  return new Refusal<GiftCardRefusal>(
    'gift_card_supplier_unavailable',
    'The gift card supplier is not responding. Try again in a moment.',
    { retryAfterSeconds: 5 },
  )
}
