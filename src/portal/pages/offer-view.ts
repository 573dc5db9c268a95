import { type ShownBrand, shownNumber } from '../../catalog/catalog/index.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Visit } from '../visit.ts'
import { dayText, moneyOf, percentOf } from '../words/formats.ts'
import { initials } from './icons.ts'

type OfferView = ShownBrand['offers'][number]

/** Describes an offer's reward in a few words. */
export function rewardOf({ words }: Visit, { offer, net }: OfferView): string {
  const { rewardType, currency } = offer
  const shown = shownNumber(offer, net.maxCustomerOffer)
  const amount = rewardType.endsWith('_PERCENTAGE') ? percentOf(words, shown) : moneyOf(words, String(shown), currency)
  const text = rewardType.startsWith('DISCOUNT') ? words.offers.discount(amount) : words.offers.cashback(amount)
  return net.maxCustomerOffer > net.customerOffer ? words.offers.upTo(text) : text
}

/** Renders a tile for each brand with its best offer. */
export function offerTiles(visit: Visit, brands: readonly ShownBrand[]): Html {
  return html`<ul class="offers">${brands.map((brand) => tile(visit, brand))}</ul>`
}

function tile(visit: Visit, { brand, offers, best }: ShownBrand): Html | null {
  const shown = best ?? offers[0]
  const full = offers.find(({ offer }) => offer.offerUid === shown?.offer.offerUid) ?? offers[0]
  if (full === undefined) return null
  const { offer } = full
  const { base, words, today } = visit
  const address = `${base}/brands/${encodeURIComponent(brand.brandUid)}`
  const action = offer.conditions.activationRequired
    ? activation(visit, brand.name, full)
    : html`<a class="btn soft small" href="${address}" tabindex="-1" aria-hidden="true">${words.offers.see}</a>`
  return html`<li class="offer">
    ${initials(brand.name, 'art')}
    <div class="body">
      <h3><a href="${address}">${rewardOf(visit, full)}</a></h3>
      <p>${brand.name}</p>
      ${offer.endDate !== null && html`<p>${words.offers.until(dayText(words, offer.endDate, today))}</p>`}
      <div class="act">${action}</div>
    </div>
  </li>`
}

/** Renders the button that activates or deactivates an offer. */
export function activation({ base, words }: Visit, brandName: string, { offer, activated }: OfferView): Html {
  const { activate, activated: isActive } = words.offers
  return html`<form method="post" action="${base}/offers/${encodeURIComponent(offer.offerUid)}/activation" data-toggle>
    <input type="hidden" name="activated" value="${activated ? 'no' : 'yes'}" />
    <button class="btn small" aria-pressed="${String(activated)}" data-on="${isActive}" data-off="${activate}">${activated ? isActive : activate}<span class="sr">: ${brandName}, ${offer.name ?? ''}</span></button>
  </form>`
}
