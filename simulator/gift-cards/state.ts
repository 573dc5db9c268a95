/**
 * The supplier's data, stored as plain data in the simulator's state. External keys are quoted (`toKey`), so that none
 * can be `__proto__` or a number. Money is in cents.
 */
export type GiftCardsState = {
  /** The number of orders recorded across all accounts, which is also the newest order's number. */
  recorded: number
  /** Products changed through the controls. */
  products: Record<string, Product>
  /** Keyed by account and reference, in recording order. */
  orders: Record<string, GiftCardOrder>
  /** The number of calls answered with 503 without recording an order, by account and reference. */
  unrecorded: Record<string, number>
}

export type Product = {
  readonly product: string
  readonly name: string
  readonly currency: string
  /** The available denominations; null for any amount from `smallest` to `largest`. */
  readonly denominations: readonly number[] | null
  readonly smallest: number
  readonly largest: number
  /** The supplier's discount on the face value. */
  readonly discountPercent: number
  readonly inStock: boolean
}

export type OrderLine = { readonly denomination: number; readonly quantity: number }

/** The content of an order request, which a repeat must match. */
export type OrderContent = { readonly product: string; readonly currency: string; readonly lines: readonly OrderLine[] }

export const OUTCOMES = ['delivered', 'partially_delivered', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]
type OrderStatus = 'processing' | Outcome

export type GiftCardOrder = {
  readonly orderId: string
  readonly number: number
  readonly account: string
  readonly reference: string
  readonly content: OrderContent
  /** On the caller's clock. */
  readonly orderedAt: string
  status: OrderStatus
  /**
   * The outcome and the time it takes effect; null once it has. Without a due time, it takes effect on the next call.
   */
  planned: { readonly outcome: Outcome; readonly dueAt: string | null } | null
  cards: GiftCard[]
}

export type GiftCard = {
  readonly cardId: string
  readonly denomination: number
  readonly number: string
  readonly code: string
  /** yyyy-MM-dd */
  readonly expiresOn: string
  balance: number
  isRefunded: boolean
}

export function createEmptyGiftCards(): GiftCardsState {
  return { recorded: 0, products: {}, orders: {}, unrecorded: {} }
}

export function toKey(...texts: readonly string[]): string {
  return JSON.stringify(texts)
}
