import { UserError } from '../errors.ts'
import type { Caller } from './caller.ts'

export const AMOUNT = 84.2

type ListedOffer = {
  readonly offer_uid: string
  readonly offer_type: string
  readonly reward_type: string
  readonly name: string
  readonly customer_offer: number
  readonly refund_period_days: number
  readonly one_time_use: boolean
  readonly new_customer_only: boolean
  readonly min_spend: number | null
  readonly location: string | null
  readonly store_addresses: readonly unknown[] | null
}
type ListedBrand = {
  readonly brand_uid: string
  readonly name: string
  readonly website: string | null
  readonly offers: readonly ListedOffer[]
}
export type ChosenOffer = { readonly brand: ListedBrand; readonly offer: ListedOffer }

/**
 * Chooses a plain card-linked percentage offer with the shortest refund period above zero, so that the story shows
 * every step.
 */
export async function chooseOffer(api: Caller, publisherUserId: string): Promise<ChosenOffer> {
  const path = `/publishers/brands?publisher_user_id=${publisherUserId}&offer_type=CARD_LINKED&size=100&sort=name`
  const { content } = await api.call<{ content: readonly ListedBrand[]; total_elements: number }>('GET', path, {
    details: ({ total_elements }) => ({ brands: total_elements }),
  })
  const [chosen] = content
    .filter((brand) => brand.offers.length === 1)
    .flatMap((brand) => brand.offers.filter(isPlain).map((offer) => ({ brand, offer })))
    .sort(
      (a, b) =>
        a.offer.refund_period_days - b.offer.refund_period_days || b.offer.customer_offer - a.offer.customer_offer,
    )
  if (chosen !== undefined) return chosen
  throw new UserError(
    'The catalog has no simple card-linked offer. Import some with `./laurel catalog import db/sample/catalog.json`.',
  )
}

function isPlain(offer: ListedOffer): boolean {
  const restricted =
    offer.one_time_use || offer.new_customer_only || offer.location || (offer.store_addresses ?? []).length > 0
  return (
    offer.offer_type === 'CARD_LINKED' &&
    offer.reward_type === 'CASHBACK_PERCENTAGE' &&
    offer.refund_period_days > 0 &&
    !restricted &&
    (offer.min_spend ?? 0) <= AMOUNT
  )
}
