import { type Html, html } from '../../platform/text/html.ts'
import type { Visit } from '../visit.ts'

const PAGE_SIZE = 25
const PAGES_MAX = 400

/** Returns the number in the query string, up to `max`; 0 for the first page. */
export function readPageNumber({ query }: Visit, max = PAGES_MAX): number {
  return /^\d{1,3}$/.test(query['page'] ?? '') ? Math.min(Number(query['page']), max) : 0
}

/** Returns the paging of a list. It reads one more row than a page shows, to find out whether there is another page. */
export function readPaging(visit: Visit) {
  return { size: PAGE_SIZE + 1, offset: readPageNumber(visit) * PAGE_SIZE, sort: [] }
}

/** Returns the rows of the current page, and links to the newer and older ones. */
export function cutPage<Row>(visit: Visit, path: string, found: readonly Row[]): { rows: readonly Row[]; links: Html } {
  const page = readPageNumber(visit)
  const { base, words } = visit
  const link = (at: number, text: string): Html =>
    html`<a class="btn soft" href="${base}${path}?page=${at}">${text}</a>`
  const links = html`<p class="more">
    ${page > 0 && link(page - 1, words.purchases.newer)}
    ${found.length > PAGE_SIZE && link(page + 1, words.purchases.older)}
  </p>`
  return { rows: found.slice(0, PAGE_SIZE), links }
}
