import { type BrandView, displayNumber } from '../../catalog/catalog/index.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Visit } from '../visit.ts'
import { formatDay, formatMoney, formatPercent } from '../words/formats.ts'
import { renderInitials } from './icons.ts'

type OfferView = BrandView['offers'][number]

/** Returns a short description of an offer's reward. */
export function describeReward({ words }: Visit, { offer, net }: OfferView): string {
  const { rewardType, currency } = offer
  const shown = displayNumber(offer, net.maxCustomerOffer)
  const amount = rewardType.endsWith('_PERCENTAGE')
    ? formatPercent(words, shown)
    : formatMoney(words, String(shown), currency)
  const text = rewardType.startsWith('DISCOUNT') ? words.offers.discount(amount) : words.offers.cashback(amount)
  return net.maxCustomerOffer > net.customerOffer ? words.offers.upTo(text) : text
}

/** Renders a tile for each brand with its best offer. */
export function renderOfferTiles(visit: Visit, brands: readonly BrandView[]): Html {
  return html`<ul class="offers">${brands.map((brand) => tile(visit, brand))}</ul>`
}

function tile(visit: Visit, { brand, offers, best }: BrandView): Html | null {
  const shown = best ?? offers[0]
  const full = offers.find(({ offer }) => offer.offerUid === shown?.offer.offerUid) ?? offers[0]
  if (full === undefined) return null
  const { offer } = full
  const { base, words, today } = visit
  const address = `${base}/brands/${encodeURIComponent(brand.brandUid)}`
  const action = offer.conditions.activationRequired
    ? renderActivation(visit, brand.name, full)
    : html`<a class="btn soft small" href="${address}" tabindex="-1" aria-hidden="true">${words.offers.see}</a>`
  return html`<li class="offer">
    ${renderInitials(brand.name, 'art')}
    <div class="body">
      <h3><a href="${address}">${describeReward(visit, full)}</a></h3>
      <p>${brand.name}</p>
      ${offer.endDate !== null && html`<p>${words.offers.until(formatDay(words, offer.endDate, today))}</p>`}
      <div class="act">${action}</div>
    </div>
  </li>`
}

/** Renders the button that activates or deactivates an offer. */
export function renderActivation({ base, words }: Visit, brandName: string, { offer, activated }: OfferView): Html {
  const { activate, activated: isActive } = words.offers
  return html`<form method="post" action="${base}/offers/${encodeURIComponent(offer.offerUid)}/activation" data-toggle>
    <input type="hidden" name="activated" value="${activated ? 'no' : 'yes'}" />
    <button class="btn small" aria-pressed="${String(activated)}" data-on="${isActive}" data-off="${activate}">${activated ? isActive : activate}<span class="sr">: ${brandName}, ${offer.name ?? ''}</span></button>
  </form>`
}
