import type { ShownBrand } from '../../catalog/index.ts'
import { type Html, html } from '../../platform/html.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { countOf, dayText, minorMoney } from '../words/formats.ts'
import { initials } from './icons.ts'
import { activation, rewardOf } from './offer-view.ts'

type OfferView = ShownBrand['offers'][number]

const STORES_SHOWN = 5

/** A brand with its offers and what each asks for, in plain words. @throws Refusal brand_not_found */
export async function brandPage(visit: UserVisit, { browsing }: PageDeps, brandUid: string): Promise<PortalPage> {
  const { publisher, user, words } = visit
  const { brand, category, offers } = await browsing.brand(publisher, user.userId, brandUid)
  const linkOf = (offerUid: string) => browsing.trackingLinkOf(user.userId, offerUid)
  const content = html`<div class="brand">
      ${initials(brand.name, 'art')}
      <div><h1>${brand.name}</h1><p>${category}</p></div>
    </div>
    ${brand.description !== null && html`<p class="lead">${brand.description}</p>`}
    ${offers.length === 0 && html`<p class="empty">${words.brand.none}</p>`}
    ${offers.map((one) => offerSection(visit, brand.name, one, linkOf))}
    ${brand.globalTerms !== null && smallPrint(visit, brand.globalTerms)}`
  return { title: brand.name, tab: 'offers', content }
}

function offerSection(
  visit: UserVisit,
  brandName: string,
  shown: OfferView,
  linkOf: (offerUid: string) => string | null,
): Html {
  const { words } = visit
  const { offer } = shown
  const link = offer.offerType === 'AFFILIATE' ? linkOf(offer.offerUid) : null
  return html`<section class="panel">
    <h2>${rewardOf(visit, shown)}</h2>
    ${offer.description !== null && html`<p>${offer.description}</p>`}
    <h3>${words.brand.terms}</h3>
    <ul class="rules">${rulesOf(visit, shown).map((rule) => html`<li>${rule}</li>`)}</ul>
    ${offer.stores.length > 0 && stores(visit, shown)}
    ${offer.termsAndConditions !== null && smallPrint(visit, offer.termsAndConditions)}
    ${offer.conditions.activationRequired && activation(visit, brandName, shown)}
    ${link !== null && html`<a class="btn" href="${link}" rel="noopener" target="_blank">${words.brand.shop}</a>`}
  </section>`
}

/** What the offer asks for, a sentence each, in the order in which a user meets it. */
function rulesOf({ words, today }: UserVisit, { offer }: OfferView): string[] {
  const { brand } = words
  const money = (minor: bigint): string => minorMoney(words, minor, offer.currency)
  const how = { CARD_LINKED: brand.byCard, AFFILIATE: brand.byLink, GIFT_CARD: brand.byGiftCard }
  const rules = [
    offer.conditions.activationRequired && brand.needsActivation,
    offer.offerType === 'VOUCHER_CODE' ? brand.byCode : how[offer.offerType],
    offer.voucherCode !== null && brand.code(offer.voucherCode),
    offer.minSpend !== null && brand.minSpend(money(offer.minSpend)),
    offer.maxSpend !== null && brand.maxSpend(money(offer.maxSpend)),
    offer.oneTimeUse && brand.once,
    offer.newCustomerOnly && brand.newCustomers,
    offer.endDate !== null && brand.until(dayText(words, offer.endDate, today)),
    offer.refundPeriodDays > 0 ? brand.refundDays(countOf(words, offer.refundPeriodDays)) : brand.refundNone,
  ]
  return rules.filter((rule) => rule !== false)
}

function stores({ words }: UserVisit, { offer }: OfferView): Html {
  const shown = offer.stores.slice(0, STORES_SHOWN)
  const others = offer.stores.length - shown.length
  const addressOf = ({ locationName, completeAddress, streetAddress1, city, state }: (typeof shown)[number]): string =>
    completeAddress ?? [locationName, streetAddress1, city, state].filter((part) => part !== null).join(', ')
  return html`<h3>${words.brand.stores}</h3>
    <ul class="rules">
      ${shown.map((store) => html`<li>${addressOf(store)}</li>`)}
      ${others > 0 && html`<li>${words.brand.otherStores(countOf(words, others))}</li>`}
    </ul>`
}

function smallPrint({ words }: UserVisit, text: string): Html {
  return html`<details><summary>${words.brand.smallPrint}</summary><p>${text}</p></details>`
}
