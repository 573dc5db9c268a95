/**
 * The life cycle of a gift card order.
 *
 * By the time of the order, the publisher has charged its user, or a redemption has set the money aside. The order is
 * stored as `ordered` in one transaction. The worker then calls the supplier, always with the same reference, until the
 * supplier answers. The supplier may deliver all, some or none of the cards. The order becomes `delivered`,
 * `partially_delivered` or `failed`, and each card `delivered` or `undelivered`. Whoever took the user's money refunds
 * it for undelivered cards.
 *
 *     order  ordered ──> delivered, partially_delivered ──> refunded
 *                └─────> failed
 *     card   ordered ──> delivered <──> refunding ──> refunded
 *                └─────> undelivered
 *
 * A delivered card can be refunded if nothing has been spent from it, which only the supplier knows. The card is
 * `refunding` until the supplier answers, and `delivered` again if it refuses. Once all delivered cards are refunded,
 * so is the order.
 *
 * Each card that the user paid the publisher for is a separate purchase. It is authorized with the order, cleared on
 * delivery, reversed if undelivered, and refunded with the card. Its reward follows from these events, as for any other
 * purchase. A card bought with cashback is not a purchase and earns nothing.
 */
export const ORDER_STATUSES = ['ordered', 'delivered', 'partially_delivered', 'failed', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]
export const CARD_STATUSES = ['ordered', 'delivered', 'undelivered', 'refunding', 'refunded'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** Derives an order's status from its cards. */
export function deriveOrderStatus(cards: readonly { readonly status: CardStatus }[]): OrderStatus {
  const count = (status: CardStatus): number => cards.filter((card) => card.status === status).length
  if (count('ordered') > 0) return 'ordered'
  if (count('undelivered') === cards.length) return 'failed'
  if (count('undelivered') + count('refunded') === cards.length) return 'refunded'
  return count('undelivered') > 0 ? 'partially_delivered' : 'delivered'
}

type Denominated = { readonly denomination: bigint }

/**
 * Returns the delivered card for each ordered one, matched by denomination and in order; null for each card that was
 * not delivered. Returns null if any delivered card matches no ordered one, because nobody knows what such a card is
 * for.
 */
export function allot<Delivered extends Denominated>(
  ordered: readonly Denominated[],
  delivered: readonly Delivered[],
): readonly (Delivered | null)[] | null {
  const left = [...delivered]
  const allotted = ordered.map(({ denomination }) => {
    const at = left.findIndex((one) => one.denomination === denomination)
    return at === -1 ? null : (left.splice(at, 1)[0] ?? null)
  })
  return left.length === 0 ? allotted : null
}

/** Counts the cards of each denomination, in order of first appearance. */
export function countByDenomination(
  cards: readonly Denominated[],
): { readonly denomination: bigint; readonly quantity: number }[] {
  const quantities = new Map<bigint, number>()
  for (const { denomination } of cards) quantities.set(denomination, (quantities.get(denomination) ?? 0) + 1)
  return [...quantities].map(([denomination, quantity]) => ({ denomination, quantity }))
}

// Showing `SHOWN_DIGITS` of a number shorter than `NUMBER_LENGTH_MIN` would reveal too much.
const SHOWN_DIGITS = 4
const NUMBER_LENGTH_MIN = 8

export function maskNumber(number: string): string {
  return `••••${number.length >= NUMBER_LENGTH_MIN ? number.slice(-SHOWN_DIGITS) : ''}`
}
