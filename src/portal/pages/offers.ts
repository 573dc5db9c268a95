import type { BrandView } from '../../catalog/catalog/index.ts'
import { addDays } from '../../platform/calendar.ts'
import { POSTAL_CODE } from '../../platform/http/index.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatCategory } from '../words/formats.ts'
import { renderOfferTiles } from './offer-view.ts'
import { readPageNumber } from './paging.ts'

const PAGE_SIZE = 24
// Enough for anyone who pages through the list. Search finds the rest.
const PAGES_MAX = 100
// Soon enough to matter, but with time left to plan.
const ENDING_DAYS = 14

/** Renders all offers, filtered by category, search and place, or those ending soon. */
export async function renderOffersPage(visit: UserVisit, { browsing }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, query, base, today } = visit
  const search = query['q']?.trim().slice(0, 100) ?? ''
  const place = query['zip']?.trim().slice(0, 10) ?? ''
  const zip = new RegExp(POSTAL_CODE).test(place) ? place : ''
  const category = /^\d{1,9}$/.test(query['category'] ?? '') ? Number(query['category']) : null
  const page = readPageNumber(visit, PAGES_MAX)
  const isEnding = query['ending'] === 'soon'
  const asked = {
    categoryId: category,
    searchText: search === '' ? null : search,
    zipCode: zip === '' ? null : zip,
    endsBy: isEnding ? addDays(today, ENDING_DAYS) : null,
  }
  const [categories, { brands, hasMore }] = await Promise.all([
    browsing.categories(publisher),
    browsing.list(publisher, user.userId, asked, { skip: page * PAGE_SIZE, limit: PAGE_SIZE }),
  ])
  const buildAddress = (changes: Readonly<Record<string, string>>): string => {
    const filter = { q: search, zip, category: category === null ? '' : String(category) }
    const present = { ...filter, ending: isEnding ? 'soon' : '', ...changes }
    const filled = Object.entries(present).filter(([, value]) => value !== '')
    return `${base}/offers?${new URLSearchParams(filled)}`
  }
  const chip = (name: string, isCurrent: boolean, changes: Readonly<Record<string, string>>): Html =>
    html`<a href="${buildAddress(changes)}" ${isCurrent && html`aria-current="true"`}>${name}</a>`
  const content = html`<h1>${words.offers.title}</h1>
    <form class="find" method="get" action="${base}/offers" role="search">
      <div class="field"><label for="q">${words.offers.search}</label><input id="q" name="q" type="search" value="${search}" maxlength="100" /></div>
      <div class="field"><label for="zip">${words.offers.zip}</label><input id="zip" name="zip" pattern="${POSTAL_CODE.slice(1, -1)}" maxlength="10" autocomplete="postal-code" value="${zip}" /></div>
      ${category !== null && html`<input type="hidden" name="category" value="${category}" />`}
      ${isEnding && html`<input type="hidden" name="ending" value="soon" />`}
      <button class="btn">${words.offers.find}</button>
    </form>
    <nav class="chips" aria-label="${words.offers.category}">
      ${chip(words.offers.all, category === null && !isEnding, { category: '', ending: '' })}
      ${chip(words.offers.ending, isEnding, { ending: isEnding ? '' : 'soon' })}
      ${categories.map((one) => chip(formatCategory(one.category), one.categoryId === category, { category: String(one.categoryId) }))}
    </nav>
    ${brands.length === 0 ? html`<p class="empty">${isEnding ? words.offers.noneEnding : words.offers.none} <a href="${base}/offers">${words.offers.clear}</a></p>` : renderOfferTiles(visit, isEnding ? brands.map(firstToEnd) : brands)}
    ${hasMore && html`<p class="more"><a class="btn soft" href="${buildAddress({ page: String(page + 1) })}">${words.offers.more}</a></p>`}`
  return { title: words.offers.title, tab: 'offers', content }
}

/** Puts the offer that ends soonest first, because the brand is on this list for that offer. */
function firstToEnd({ offers, ...brand }: BrandView): BrandView {
  const byEnd = offers.toSorted((one, other) => ((one.offer.endDate ?? '') < (other.offer.endDate ?? '') ? -1 : 1))
  return { ...brand, offers: byEnd, best: null }
}
