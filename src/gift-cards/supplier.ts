/** Cards that are to be bought: denominations are decimals of major units, such as 25.00. */
type CardRequest = {
  /** The supplier's code of the product; the offer's id. */
  readonly product: string
  readonly currency: string
  readonly lines: readonly { readonly denomination: string; readonly quantity: number }[]
}

export type SupplierOrder = CardRequest & {
  /** Which of the supplier's customers buys. */
  readonly account: string
  /** The supplier delivers once for each reference, however often it is told. */
  readonly reference: string
}

/** The supplier's own code and words for what it does not do. */
export type Refused = { readonly code: string; readonly message: string }

export type DeliveredCard = {
  readonly supplierCardId: string
  readonly denomination: string
  readonly number: string
  readonly code: string
  /** yyyy-MM-dd */
  readonly expiresOn: string | null
}

/** `processing`: ask again later. Once it has ended, nothing changes any more. */
export type DeliveryAnswer =
  | { readonly status: 'refused'; readonly reason: Refused }
  | { readonly status: 'processing'; readonly supplierOrderId: string }
  | { readonly status: 'ended'; readonly supplierOrderId: string; readonly cards: readonly DeliveredCard[] }

/**
 * Whoever sells gift cards to the service. Every call may throw: then nothing is known, and it is repeated later. `at` is
 * the caller's current time, because a sandbox may be ahead of real time.
 */
export type GiftCardSupplier = {
  quote(request: CardRequest, at: Date): Promise<{ readonly validUntil: Date } | { readonly refused: Refused }>
  order(order: SupplierOrder, at: Date): Promise<DeliveryAnswer>
  findOrder(supplierOrderId: string, at: Date): Promise<DeliveryAnswer>
  /** A decimal of major units. */
  balanceOf(supplierCardId: string): Promise<string>
  /** Null: it has taken the card back. */
  refund(supplierCardId: string): Promise<Refused | null>
}
