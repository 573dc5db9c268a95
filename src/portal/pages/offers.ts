import { type Html, html } from '../../platform/html.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { categoryText } from '../words/formats.ts'
import { offerTiles } from './offer-view.ts'

const PAGE_SIZE = 24
// Far enough for anyone who scrolls; a search finds the rest.
const PAGES_MAX = 100

/** All offers, by category, search and place. */
export async function offersPage(visit: UserVisit, { browsing }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, query, base } = visit
  const search = query['q']?.trim().slice(0, 100) ?? ''
  const zip = /^\d{5}$/.test(query['zip'] ?? '') ? (query['zip'] ?? '') : ''
  const category = /^\d{1,9}$/.test(query['category'] ?? '') ? Number(query['category']) : null
  const page = /^\d{1,3}$/.test(query['page'] ?? '') ? Math.min(Number(query['page']), PAGES_MAX) : 0
  const asked = { categoryId: category, searchText: search === '' ? null : search, zipCode: zip === '' ? null : zip }
  const [categories, { brands, hasMore }] = await Promise.all([
    browsing.categories(publisher),
    browsing.list(publisher, user.userId, asked, { skip: page * PAGE_SIZE, limit: PAGE_SIZE }),
  ])
  const addressOf = (changes: Readonly<Record<string, string>>): string => {
    const present = { q: search, zip, category: category === null ? '' : String(category), ...changes }
    const filled = Object.entries(present).filter(([, value]) => value !== '')
    return `${base}/offers?${new URLSearchParams(filled)}`
  }
  const chip = (name: string, id: string): Html => {
    const isCurrent = id === (category === null ? '' : String(category))
    return html`<a href="${addressOf({ category: id })}" ${isCurrent && html`aria-current="true"`}>${name}</a>`
  }
  const content = html`<h1>${words.offers.title}</h1>
    <form class="find" method="get" action="${base}/offers" role="search">
      <div class="field"><label for="q">${words.offers.search}</label><input id="q" name="q" type="search" value="${search}" maxlength="100" /></div>
      <div class="field"><label for="zip">${words.offers.zip}</label><input id="zip" name="zip" inputmode="numeric" pattern="[0-9]{5}" maxlength="5" autocomplete="postal-code" value="${zip}" /></div>
      ${category !== null && html`<input type="hidden" name="category" value="${category}" />`}
      <button class="btn">${words.offers.find}</button>
    </form>
    <nav class="chips" aria-label="${words.offers.category}">
      ${chip(words.offers.all, '')}${categories.map(({ categoryId, category }) => chip(categoryText(category), String(categoryId)))}
    </nav>
    ${brands.length === 0 ? html`<p class="empty">${words.offers.none} <a href="${base}/offers">${words.offers.clear}</a></p>` : offerTiles(visit, brands)}
    ${hasMore && html`<p class="more"><a class="btn soft" href="${addressOf({ page: String(page + 1) })}">${words.offers.more}</a></p>`}`
  return { title: words.offers.title, tab: 'offers', content }
}
