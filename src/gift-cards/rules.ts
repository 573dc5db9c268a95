/**
 * The life of an order of gift cards.
 *
 * The publisher has charged its user when it orders, or a redemption pays. The order is `ordered` in one commit, and the
 * supplier is told after it, by the worker, again and again under one reference until it has answered. The supplier may
 * deliver all cards, some or none: the order is then `delivered`, `partially_delivered` or `failed`, and each card
 * `delivered` or `undelivered`. Whoever was paid gives the money of undelivered cards back.
 *
 *     order  ordered ──> delivered, partially_delivered ──> refunded
 *                └─────> failed
 *     card   ordered ──> delivered <──> refunding ──> refunded
 *                └─────> undelivered
 *
 * A delivered card can be refunded while nothing was spent of it, which only the supplier knows: the card is `refunding`
 * until it has answered, and `delivered` again if it refuses. Once all delivered cards are refunded, so is the order.
 *
 * Each card is a purchase of its own: authorized with the order, cleared by the delivery, reversed if it is not
 * delivered and refunded with the card. Its reward follows from these events as that of every purchase does.
 */
export const ORDER_STATUSES = ['ordered', 'delivered', 'partially_delivered', 'failed', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]
export const CARD_STATUSES = ['ordered', 'delivered', 'undelivered', 'refunding', 'refunded'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** What an order is by its cards. */
export function orderStatusOf(cards: readonly { readonly status: CardStatus }[]): OrderStatus {
  const count = (status: CardStatus): number => cards.filter((card) => card.status === status).length
  if (count('ordered') > 0) return 'ordered'
  if (count('undelivered') === cards.length) return 'failed'
  if (count('undelivered') + count('refunded') === cards.length) return 'refunded'
  return count('undelivered') > 0 ? 'partially_delivered' : 'delivered'
}

type Denominated = { readonly denomination: bigint }

/**
 * Gives ordered cards what was delivered, by denomination and in order; null for each that was not delivered. Null
 * altogether if more was delivered than was ordered: then nobody knows what the cards are for.
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

/** How many cards of each denomination, in the order in which these first appear. */
export function linesOf(cards: readonly Denominated[]): { readonly denomination: bigint; readonly quantity: number }[] {
  const quantities = new Map<bigint, number>()
  for (const { denomination } of cards) quantities.set(denomination, (quantities.get(denomination) ?? 0) + 1)
  return [...quantities].map(([denomination, quantity]) => ({ denomination, quantity }))
}

// Of a shorter number so many digits would show too much.
const SHOWN_DIGITS = 4
const NUMBER_LENGTH_MIN = 8

export function maskOf(number: string): string {
  return `••••${number.length >= NUMBER_LENGTH_MIN ? number.slice(-SHOWN_DIGITS) : ''}`
}
