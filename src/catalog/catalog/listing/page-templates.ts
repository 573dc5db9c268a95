import { buildPage, type PageQuery, readPaging } from '../../../platform/http/index.ts'
import { PROOF_LENGTH } from '../../../sources/affiliate/index.ts'
import { presentBrand, presentOffer } from '../schema.ts'
import type { Catalog } from '../table/assemble.ts'
import { type BrandView, viewBrandAt } from './brand-view.ts'
import { createCacheByOwner } from './lru-cache.ts'
import { BRAND_SORTS, type BrandFilter, type ListContext, type Selection, selectBrands } from './select-brands.ts'

/**
 * Pages of brands as prerendered JSON. Users with equal user filters get the same page except for the proofs in their
 * tracking links, which are all the same length. A page is therefore rendered once per catalog state, terms, day, user
 * filter and query, as bytes with gaps for the proofs. Measured for 30 brands (60 kB, CPU time of a bare request): 40
 * µs with the page as a constant string, 57 when built from strings each time, 55 with a fresh copy of the bytes
 * (garbage), and 27 with a reused copy. That is why copies are reused.
 */
export type PageTemplate = {
  readonly bytes: Buffer
  readonly gaps: readonly { readonly at: number; readonly offerUid: string }[]
  /** Copies that were sent and can be filled again. */
  readonly copies: Buffer[]
}
/** Equal values of `key` imply equal queries. */
type BrandPages = (context: ListContext, key: string, query: PageQuery, buildFilter: () => BrandFilter) => PageTemplate

/**
 * The mark for the position of the user's link. Together with its quotes it is unambiguous in JSON: no catalog text
 * contains this control character, and text that spells out the escape sequence has an extra backslash.
 */
const LINK_MARK = '\u0001'
const LINK_GAP = JSON.stringify(LINK_MARK)

// A page of 30 brands is about 60 kB. A page of a hundred brands with thousands of stores takes several megabytes.
const PAGES_MAX = 512
const PAGES_BYTES_MAX = 192 * 1024 * 1024
// Four bytes per brand, for users who page through a list.
const SELECTIONS_MAX = 32
// Sending takes only a moment, so few copies of a page are in use at the same time.
const COPIES_MAX = 4
const BYTES_HELD = {
  of: ({ bytes }: PageTemplate): number => (1 + COPIES_MAX) * bytes.length,
  max: PAGES_BYTES_MAX,
}

export function createBrandPages(deps: {
  readonly baseUrl: () => string
  readonly linkStart: () => string
}): BrandPages {
  // Keyed by catalog, so that the pages of a replaced catalog are garbage-collected with it.
  const pages = createCacheByOwner<Catalog, PageTemplate>(PAGES_MAX, BYTES_HELD)
  const selections = createCacheByOwner<Catalog, Selection>(SELECTIONS_MAX)
  return (context, key, query, buildFilter) => {
    const { assortment, day, personal } = context
    const { catalog } = assortment
    const viewKey = `${assortment.termsKey} ${day} ${personal.key}`
    return pages(catalog, `${viewKey} ${key}`, () => {
      const filter = buildFilter()
      const filterKey = `${viewKey} ${JSON.stringify(filter)}`
      const selection = selections(catalog, filterKey, () => selectBrands(context, filter))
      return pageTemplate(context, selection, filter, query, deps)
    })
  }
}

/** @throws Problem invalid_input for `sort`. */
function pageTemplate(
  context: ListContext,
  selection: Selection,
  { origins }: BrandFilter,
  query: PageQuery,
  deps: Parameters<typeof createBrandPages>[0],
): PageTemplate {
  const paging = readPaging(query, BRAND_SORTS)
  const places = [...selection.places.subarray(paging.offset, paging.offset + paging.size)]
  const onPage = places.map((place) => viewBrandAt(context, selection, place, origins))
  const { content: _, ...envelope } = buildPage(onPage, selection.places.length, paging)
  const brands = onPage.map((shown) => brandText(shown, deps.baseUrl()))
  const text = `{"content":[${brands.join(',')}],${JSON.stringify(envelope).slice(1)}`
  const linked = onPage.flatMap(({ offers }) => offers).filter(({ offer }) => offer.offerType === 'AFFILIATE')
  return toTemplate(
    text,
    linked.map(({ offer }) => offer.offerUid),
    deps.linkStart(),
  )
}

function brandText({ brand, category, best, offers }: BrandView, baseUrl: string): string {
  const shown = offers.map((one) => {
    const { offerType } = one.offer
    return { ...presentOffer(one, offerType === 'AFFILIATE' ? LINK_MARK : null), offer_type: offerType }
  })
  return JSON.stringify({ ...presentBrand(brand, category, best, baseUrl), offers: shown })
}

function toTemplate(text: string, linkedUids: readonly string[], linkStart: string): PageTemplate {
  const [first = '', ...rest] = text.split(LINK_GAP)
  const pieces = [Buffer.from(first)]
  let length = pieces[0]?.length ?? 0
  const gaps = linkedUids.map((offerUid, index) => {
    const before = Buffer.from(`"${linkStart}`)
    const after = Buffer.from(`${offerUid}"${rest[index] ?? ''}`)
    pieces.push(before, Buffer.alloc(PROOF_LENGTH, '-'), after)
    const at = length + before.length
    length = at + PROOF_LENGTH + after.length
    return { at, offerUid }
  })
  return { bytes: Buffer.concat(pieces), gaps, copies: [] }
}

/** Fills in the page for one user. Every gap is overwritten each time, so another user's proofs never leak. */
export function fillPage({ bytes, gaps, copies }: PageTemplate, toProof: (offerUid: string) => string): Buffer {
  const filled = copies.pop() ?? Buffer.from(bytes)
  for (const { at, offerUid } of gaps) filled.write(toProof(offerUid), at, 'latin1')
  return filled
}

/** Returns a copy to the pool. Call it only after the system has sent the copy's last byte. */
export function returnPage({ copies }: PageTemplate, filled: Buffer): void {
  if (copies.length < COPIES_MAX) copies.push(filled)
}
