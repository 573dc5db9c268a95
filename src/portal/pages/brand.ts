import type { BrandView } from '../../catalog/catalog/index.ts'
import { newUuid } from '../../platform/ids.ts'
import { formatDecimal } from '../../platform/money.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { listLinks } from '../../sources/cards/index.ts'
import type { PageDeps, PortalFields, PortalPage, UserVisit } from '../visit.ts'
import {
  formatCategory,
  formatCount,
  formatDay,
  formatDays,
  formatMinorMoney,
  formatTime,
  formatWeekdays,
} from '../words/formats.ts'
import { renderInitials } from './icons.ts'
import { describeReward, renderActivation } from './offer-view.ts'
import { computeTriedAmount } from './would-earn.ts'

type OfferView = BrandView['offers'][number]

const STORES_SHOWN = 5

/**
 * Renders a brand with its offers and their requirements in plain language.
 * @throws Refusal brand_not_found
 */
export async function renderBrandPage(visit: UserVisit, pages: PageDeps, params: PortalFields): Promise<PortalPage> {
  const { publisher, user, words } = visit
  const { browsing } = pages
  const { brand, category, offers } = await browsing.brand(publisher, user.userId, params['brand_uid'] ?? '')
  const tried = await computeTriedAmount(visit, pages, offers)
  const lacksCard = await lacksCardFor(visit, pages, offers)
  const toLink = (offerUid: string) => browsing.findTrackingLink(user.userId, offerUid)
  const isSaid = offers.some(({ offer }) => offer.termsAndConditions === brand.globalTerms)
  const content = html`<div class="brand">
      ${renderInitials(brand.name, 'art')}
      <div><h1>${brand.name}</h1><p>${formatCategory(category)}</p></div>
    </div>
    ${brand.description !== null && html`<p class="lead">${brand.description}</p>`}
    ${offers.length === 0 && html`<p class="empty">${words.brand.none}</p>`}
    ${offers.length > 0 && amountForm(visit, tried?.isUnreadable === true)}
    ${offers.map((one) => offerSection(visit, brand.name, one, { link: toLink(one.offer.offerUid), earned: tried?.earned.get(one.offer.offerUid) ?? null, lacksCard }))}
    ${brand.globalTerms !== null && !isSaid && smallPrint(words.brand.smallPrintTitle(brand.name), brand.globalTerms)}`
  return { title: brand.name, tab: 'offers', content }
}

/** Renders the calculator form. The page shows the result with each offer. */
function amountForm(visit: UserVisit, isUnreadable: boolean): Html {
  const { words, path, query } = visit
  const described = isUnreadable && html`aria-describedby="amount-fault" aria-invalid="true" autofocus`
  return html`<form class="find" method="get" action="${path}">
    <div class="field">
      <label for="amount">${words.brand.tryAmount}</label>
      <input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="16" value="${query['amount'] ?? ''}" required ${described} />
      ${isUnreadable && html`<span class="error" id="amount-fault">${words.faults['amount_unreadable']}</span>`}
    </div>
    <button class="btn soft">${words.brand.tryIt}</button>
  </form>`
}

type Extras = { readonly link: string | null; readonly earned: Html | null; readonly lacksCard: boolean }

/** Returns true if an offer requires a linked card and the user has none. */
async function lacksCardFor(
  { publisher, user }: UserVisit,
  { db }: PageDeps,
  offers: readonly OfferView[],
): Promise<boolean> {
  const isAsked = offers.some(({ offer }) => offer.offerType === 'CARD_LINKED')
  if (!isAsked || publisher.ownCardFeed || !publisher.linksCards) return false
  return (await listLinks(db.reader, publisher, user.userId)).every(({ cards }) => cards.length === 0)
}

function offerSection(
  visit: UserVisit,
  brandName: string,
  shown: OfferView,
  { link, earned, lacksCard }: Extras,
): Html {
  const { words } = visit
  const { offer } = shown
  return html`<section class="panel">
    <h2>${describeReward(visit, shown)}</h2>
    ${earned !== null && html`<div class="note done earned" role="status"><div>${earned}</div></div>`}
    ${offer.description !== null && html`<p>${offer.description}</p>`}
    <h3>${words.brand.terms}</h3>
    <ul class="rules">${describeRules(visit, shown).map((rule) => html`<li>${rule}</li>`)}</ul>
    ${offer.stores.length > 0 && stores(visit, shown)}
    ${offer.termsAndConditions !== null && smallPrint(words.brand.smallPrint, offer.termsAndConditions)}
    ${offer.conditions.activationRequired && renderActivation(visit, brandName, shown)}
    ${offer.conditions.uniqueCodes && html`<form method="post" action="${visit.base}/offers/${encodeURIComponent(offer.offerUid)}/code"><div class="row"><button class="btn">${words.vouchers.get}</button></div></form>`}
    ${offer.offerType === 'GIFT_CARD' && giftCardForm(visit, shown)}
    ${offer.offerType === 'CARD_LINKED' && lacksCard && html`<a class="btn" href="${visit.base}/cards">${words.cards.add}</a>`}
    ${offer.offerType === 'AFFILIATE' && link !== null && html`<a class="btn" href="${link}" rel="noopener" target="_blank">${words.brand.shop}</a>`}
  </section>`
}

/** Renders the form for buying a gift card with cashback, if that is possible. */
function giftCardForm({ words, base, publisher }: UserVisit, { offer }: OfferView): Html | null {
  const { denominations, offerUid, currency } = offer
  if (!publisher.redemptionMethods.includes('gift_card') || denominations.length === 0) return null
  const id = `denomination-${offerUid}`
  const options = denominations.map(
    (one) => html`<option value="${formatDecimal(one, currency)}">${formatMinorMoney(words, one, currency)}</option>`,
  )
  return html`<form method="post" action="${base}/offers/${encodeURIComponent(offerUid)}/gift-card">
    <input type="hidden" name="ref" value="${newUuid()}" />
    <div class="field"><label for="${id}">${words.giftCards.buy}</label><select id="${id}" name="denomination">${options}</select></div>
    <div class="row"><button class="btn">${words.giftCards.buyNow}</button></div>
  </form>`
}

/** Returns the offer's requirements, one sentence each, in the order in which a user encounters them. */
function describeRules({ words, today, publisher }: UserVisit, { offer }: OfferView): string[] {
  const { brand } = words
  const { conditions, channels } = offer
  const money = (minor: bigint): string => formatMinorMoney(words, minor, offer.currency)
  const byCard = publisher.ownCardFeed ? brand.byAnyCard : brand.byCard
  const how = { CARD_LINKED: byCard, AFFILIATE: brand.byLink, GIFT_CARD: brand.byGiftCard }
  const rules = [
    offer.conditions.activationRequired && brand.needsActivation,
    offer.offerType === 'VOUCHER_CODE' ? brand.byCode : how[offer.offerType],
    offer.voucherCode !== null && brand.code(offer.voucherCode),
    offer.minSpend !== null && brand.minSpend(money(offer.minSpend)),
    offer.maxSpend !== null && brand.maxSpend(money(offer.maxSpend)),
    offer.oneTimeUse && brand.once,
    offer.newCustomerOnly && brand.newCustomers,
    conditions.lapsedCustomerOnly && brand.lapsedCustomers(formatCount(words, conditions.lapsedCustomerDays)),
    conditions.days.length > 0 && words.conditions.days(formatWeekdays(words, conditions.days, 'or')),
    conditions.hours !== null &&
      words.conditions.hours(formatTime(words, conditions.hours.from), formatTime(words, conditions.hours.to)),
    channels?.length === 1 && (channels[0] === 'ONLINE' ? words.figures.onlineOnly : words.figures.inStoreOnly),
    offer.location !== null && offer.stores.length === 0 && words.conditions.place(offer.location),
    ...limitRules(words, offer),
    offer.endDate !== null && brand.until(formatDay(words, offer.endDate, today)),
    offer.refundPeriodDays > 0 ? brand.refundDays(formatDays(words, offer.refundPeriodDays)) : brand.refundNone,
  ]
  return rules.filter((rule) => rule !== false)
}

function limitRules(words: UserVisit['words'], { conditions, currency }: OfferView['offer']): (string | false)[] {
  const { brand, figures } = words
  return conditions.userLimits.flatMap(({ period, uses, reward }) => [
    uses !== null && brand.uses(formatCount(words, uses), figures.periods[period]),
    reward !== null && brand.reward(formatMinorMoney(words, reward, currency), figures.periods[period]),
  ])
}

function stores({ words }: UserVisit, { offer }: OfferView): Html {
  const shown = offer.stores.slice(0, STORES_SHOWN)
  const others = offer.stores.length - shown.length
  const formatAddress = ({
    locationName,
    completeAddress,
    streetAddress1,
    city,
    state,
  }: (typeof shown)[number]): string =>
    completeAddress ?? [locationName, streetAddress1, city, state].filter((part) => part !== null).join(', ')
  return html`<h3>${words.brand.stores}</h3>
    <ul class="rules">
      ${shown.map((store) => html`<li>${formatAddress(store)}</li>`)}
      ${others > 0 && html`<li>${words.brand.otherStores(formatCount(words, others))}</li>`}
    </ul>`
}

function smallPrint(title: string, text: string): Html {
  return html`<details><summary>${title}</summary><p>${text}</p></details>`
}
