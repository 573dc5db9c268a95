/**
 * What the supplier of gift cards remembers, as plain data within the simulator's state. Keys from outside are quoted
 * (`keyOf`), so that none is `__proto__` or a number. Money is in cents.
 */
export type GiftCardsState = {
  /** How many orders were recorded; numbers them over all accounts. */
  recorded: number
  /** What the controls have changed about products. */
  products: Record<string, Product>
  /** By account and reference, in the order in which they were recorded. */
  orders: Record<string, GiftCardOrder>
  /** Calls that were answered 503 without being recorded, by account and reference. */
  unrecorded: Record<string, number>
}

export type Product = {
  readonly product: string
  readonly name: string
  readonly currency: string
  /** What is sold; null: anything between the smallest and the largest. */
  readonly denominations: readonly number[] | null
  readonly smallest: number
  readonly largest: number
  /** How much less than the face value the supplier charges. */
  readonly discountPercent: number
  readonly inStock: boolean
}

export type OrderLine = { readonly denomination: number; readonly quantity: number }

/** What the account's holder asked for; the same again is a repeat. */
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
  /** By the caller's clock. */
  readonly orderedAt: string
  status: OrderStatus
  /** What becomes of it, and when; without a due time at the next question. Null: it has become that. */
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

export function emptyGiftCards(): GiftCardsState {
  return { recorded: 0, products: {}, orders: {}, unrecorded: {} }
}

export function keyOf(...texts: readonly string[]): string {
  return JSON.stringify(texts)
}
