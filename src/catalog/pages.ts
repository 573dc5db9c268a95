import { PROOF_LENGTH } from '../affiliate/index.ts'
import type { Day } from '../platform/calendar.ts'
import { type PageQuery, pageOf, sortOf } from '../platform/http/index.ts'
import type { Catalog } from './catalog.ts'
import type { Split } from './net.ts'
import { createRecent, type Recent } from './recent.ts'
import { BRAND_SORTS, type BrandFilter, type Selected, selectBrands } from './selection.ts'
import { LINK_GAP, type View, viewOf } from './view.ts'

/**
 * Pages of brands as ready JSON. A page is the same for all users but for the proofs in their tracking links, which all have one
 * length. So it is written once for each state of the catalog, terms, day and query, as bytes with the places of the proofs left
 * free. Measured for 30 brands (60 kB, processor time of a whole bare request): the page as a constant string 40 µs, put together
 * anew from strings 57, as a new copy of the bytes 55 (garbage), as a copy that is used again 27. Hence the copies.
 */
export type PageTemplate = {
  readonly bytes: Buffer
  readonly gaps: readonly { readonly at: number; readonly offerUid: string }[]
  /** Copies that were sent and may be filled again. */
  readonly copies: Buffer[]
}
export type Terms = { readonly catalog: Catalog; readonly split: Split; readonly day: Day }
export type BrandPages = {
  view(terms: Terms): View
  /** `key` names the query; whoever gives the same key asks for the same. */
  page(terms: Terms, key: string, query: PageQuery, filterOf: () => BrandFilter): PageTemplate
  /** The one brand, or an empty page, if the rest of the filter leaves it. */
  pageOfBrand(terms: Terms, brandUid: string | null, query: PageQuery, filter: BrandFilter): PageTemplate
}

// Publishers with the same split share a view; each holds the texts of what was shown of it, some megabytes at the most usual size.
const VIEWS_MAX = 16
// A page of 30 brands is about 60 kB.
const PAGES_MAX = 256
const SELECTIONS_MAX = 32
// Sending takes a moment only, so few copies of one page are under way at once.
const COPIES_MAX = 4

type Shelf = {
  readonly view: View
  readonly pages: Recent<string, PageTemplate>
  readonly selections: Recent<string, readonly Selected[]>
}

export function createBrandPages(deps: {
  readonly baseUrl: () => string
  readonly linkStart: () => string
}): BrandPages {
  // Keyed by the catalog itself: when a newer one takes its place, all that was written for it goes with it.
  const shelves = new WeakMap<Catalog, Recent<string, Shelf>>()
  const shelfOf = ({ catalog, split, day }: Terms): Shelf => {
    let shelf = shelves.get(catalog)
    if (shelf === undefined) {
      shelf = createRecent(VIEWS_MAX)
      shelves.set(catalog, shelf)
    }
    const key = `${split.feePpm} ${split.sharePpm} ${day}`
    const known = shelf.get(key)
    if (known !== undefined) return known
    const fresh = {
      view: viewOf(catalog, split, day, deps.baseUrl()),
      pages: createRecent<string, PageTemplate>(PAGES_MAX),
      selections: createRecent<string, readonly Selected[]>(SELECTIONS_MAX),
    }
    shelf.set(key, fresh)
    return fresh
  }
  return {
    view: (terms) => shelfOf(terms).view,
    page: (terms, key, query, filterOf) => {
      const shelf = shelfOf(terms)
      const known = shelf.pages.get(key)
      if (known !== undefined) return known
      const filter = filterOf()
      const filterKey = JSON.stringify(filter)
      const selected = shelf.selections.get(filterKey) ?? selectBrands(shelf.view, filter)
      shelf.selections.set(filterKey, selected)
      const fresh = pageTemplate(selected, query, deps.linkStart())
      shelf.pages.set(key, fresh)
      return fresh
    },
    pageOfBrand: (terms, brandUid, query, filter) => {
      const shown = brandUid === null ? undefined : shelfOf(terms).view.byUid.get(brandUid)
      const brands = shown === undefined ? [] : [shown]
      return pageTemplate(selectBrands({ brands }, { ...filter, searchText: null }), query, deps.linkStart())
    },
  }
}

/** @throws Problem invalid_input naming `sort`. */
function pageTemplate(selected: readonly Selected[], query: PageQuery, linkStart: string): PageTemplate {
  const paging = sortOf(query, BRAND_SORTS)
  const onPage = selected.slice(paging.offset, paging.offset + paging.size)
  const { content: _, ...envelope } = pageOf([...onPage], selected.length, paging)
  const brands = onPage.map(({ shown, offers }) => `${shown.head()}${offers.map((one) => one.text()).join(',')}]}`)
  const text = `{"content":[${brands.join(',')}],${JSON.stringify(envelope).slice(1)}`
  const [first = '', ...rest] = text.split(LINK_GAP)
  const linked = onPage.flatMap((one) => one.offers).filter(({ offer }) => offer.offerType === 'AFFILIATE')
  const pieces = [Buffer.from(first)]
  let length = pieces[0]?.length ?? 0
  const gaps = linked.map(({ offer: { offerUid } }, index) => {
    const before = Buffer.from(`"${linkStart}`)
    const after = Buffer.from(`${offerUid}"${rest[index] ?? ''}`)
    pieces.push(before, Buffer.alloc(PROOF_LENGTH, '-'), after)
    const at = length + before.length
    length = at + PROOF_LENGTH + after.length
    return { at, offerUid }
  })
  return { bytes: Buffer.concat(pieces), gaps, copies: [] }
}

/** The page for one user. Every gap is filled each time, so nothing of the user before is left in a copy. */
export function fillPage({ bytes, gaps, copies }: PageTemplate, proofOf: (offerUid: string) => string): Buffer {
  const filled = copies.pop() ?? Buffer.from(bytes)
  for (const { at, offerUid } of gaps) filled.write(proofOf(offerUid), at, 'latin1')
  return filled
}

/** Gives a page back once the system has taken its last byte, and not before. */
export function returnPage({ copies }: PageTemplate, filled: Buffer): void {
  if (copies.length < COPIES_MAX) copies.push(filled)
}
