import type { Assortment, CatalogOffer } from '../../catalog/catalog/index.ts'
import { toDay } from '../../platform/calendar.ts'
import { formatDecimal, toMinor } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getCurrencies, type Publisher } from '../../tenants/publishers/index.ts'
import type { GiftCardRefusal } from './errors.ts'

type WantedCard = { readonly denomination: number; readonly quantity: number }

export type OrderRequest = {
  readonly publisherUserId: string
  readonly offerUid: string
  readonly items: readonly WantedCard[]
  readonly externalRef: string
}

/**
 * Returns an offer whose cards can be ordered now, and the denomination of each requested card in minor units.
 * @param currency the required currency of the cards; if omitted, any of the publisher's currencies
 * @throws Refusal offer_unknown, offer_not_available, denomination_invalid, gift_card_supplier_missing
 */
export function findOrderableCards(
  { catalog, carries }: Assortment,
  publisher: Publisher,
  {
    offerUid,
    items,
    currency,
  }: { readonly offerUid: string; readonly items: readonly WantedCard[]; readonly currency?: string },
  now: Date,
): { readonly offer: CatalogOffer; readonly denominations: readonly bigint[] } {
  const offer = catalog.offers.get(offerUid)
  if (offer === undefined || !carries(offer))
    throw new Refusal<GiftCardRefusal>('offer_unknown', 'There is no offer with this offer_uid.', {
      field: 'offer_uid',
    })
  refuseUnorderable(offer, publisher, now)
  const currencies = currency === undefined ? getCurrencies(publisher) : [currency]
  if (!currencies.includes(offer.currency))
    throw notAvailable(`The offer is in ${offer.currency}, not in ${currencies.join(' or ')}.`)
  const denominations = items.flatMap(({ denomination, quantity }) =>
    Array.from({ length: quantity }, () => parseDenomination(offer, denomination)),
  )
  return { offer, denominations }
}

function refuseUnorderable(offer: CatalogOffer, publisher: Publisher, now: Date): void {
  if (publisher.environment !== 'sandbox')
    throw new Refusal<GiftCardRefusal>(
      'gift_card_supplier_missing',
      'Only the simulated supplier is connected, and it delivers only to sandboxes.',
    )
  const today = toDay(now, publisher.timeZone)
  const { startDate, endDate } = offer
  if (offer.offerType !== 'GIFT_CARD' || offer.denominations.length === 0)
    throw notAvailable('The offer has no gift cards that can be ordered.')
  if (offer.retired || (endDate !== null && endDate < today)) throw notAvailable('The offer has ended.')
  if (startDate !== null && startDate > today) throw notAvailable(`The offer starts on ${startDate}.`)
}

function parseDenomination({ denominations, currency }: CatalogOffer, wanted: number): bigint {
  const minor = toMinor(wanted, currency)
  if (minor !== null && denominations.includes(minor)) return minor
  throw new Refusal<GiftCardRefusal>(
    'denomination_invalid',
    `The offer has cards of ${denominations.map((one) => formatDecimal(one, currency)).join(', ')} ${currency}.`,
    { field: 'denomination' },
  )
}

function notAvailable(text: string): Refusal<GiftCardRefusal> {
  return new Refusal<GiftCardRefusal>('offer_not_available', text, { field: 'offer_uid' })
}
