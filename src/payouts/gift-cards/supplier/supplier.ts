/** The cards to buy. Denominations are decimals in major units, such as 25.00. */
type CardRequest = {
  /** The supplier's product code, which is the offer's ID. */
  readonly product: string
  readonly currency: string
  readonly lines: readonly { readonly denomination: string; readonly quantity: number }[]
}

export type SupplierOrder = CardRequest & {
  /** The supplier account that buys the cards. */
  readonly account: string
  /** Idempotency key: the supplier delivers once per reference, however often it is called. */
  readonly reference: string
}

/** The supplier's code and text for a refusal. */
export type Refused = { readonly code: string; readonly message: string }

export type DeliveredCard = {
  readonly supplierCardId: string
  readonly denomination: string
  readonly number: string
  readonly code: string
  /** yyyy-MM-dd */
  readonly expiresOn: string | null
}

/**
 * The supplier's answer. `processing` means that the order must be polled again later. `refused` and `ended` are final.
 */
export type DeliveryAnswer =
  | { readonly status: 'refused'; readonly reason: Refused }
  | { readonly status: 'processing'; readonly supplierOrderId: string }
  | { readonly status: 'ended'; readonly supplierOrderId: string; readonly cards: readonly DeliveredCard[] }

/**
 * A gift card supplier. If a call throws, its outcome is unknown, and the call is retried later. `at` is the caller's
 * current time, because a sandbox can be ahead of real time.
 */
export type GiftCardSupplier = {
  quote(request: CardRequest, at: Date): Promise<{ readonly validUntil: Date } | { readonly refused: Refused }>
  order(order: SupplierOrder, at: Date): Promise<DeliveryAnswer>
  findOrder(supplierOrderId: string, at: Date): Promise<DeliveryAnswer>
  /** Returns the card's balance as a decimal in major units. */
  fetchBalance(supplierCardId: string): Promise<string>
  /** Returns null if the supplier took the card back. */
  refund(supplierCardId: string): Promise<Refused | null>
}
