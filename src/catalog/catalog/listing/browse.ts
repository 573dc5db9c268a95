import type { Day } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { TrackingLinks } from '../../../sources/affiliate/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { listCarriedCategories } from '../assortment/assortment.ts'
import { type BrandView, viewBrand, viewBrandAt } from './brand-view.ts'
import { RADIUS_DEFAULT, readLocation } from './location-filter.ts'
import { everything, selectBrands } from './select-brands.ts'
import { type ContextDeps, createContexts } from './service.ts'

type Asked = {
  readonly categoryId: number | null
  readonly searchText: string | null
  /** Only offers redeemable at this zip code. Offers without a location are excluded. */
  readonly zipCode: string | null
  /** Only offers that end by this day, soonest first. */
  readonly endsBy: Day | null
}
type Deps = ContextDeps & { readonly links: TrackingLinks }

/** Lists brands and their offers as one user sees them, for modules that present them in a format other than JSON. */
export function createBrowsing(deps: Deps) {
  const contextFor = createContexts(deps)
  return {
    /** Lists brands that have an offer for the user, after skipping `skip` of them. */
    list: async (
      publisher: Publisher,
      userId: UserId,
      { zipCode, ...asked }: Asked,
      { skip, limit }: { readonly skip: number; readonly limit: number },
    ): Promise<{ readonly brands: readonly BrandView[]; readonly hasMore: boolean }> => {
      const context = await contextFor(publisher, userId, false)
      const read = zipCode === null ? null : readLocation([zipCode], RADIUS_DEFAULT)
      const location = read !== null && 'filter' in read ? read.filter : null
      const selection = selectBrands(context, { ...everything, ...asked, location })
      const brands: BrandView[] = []
      let passed = 0
      for (const place of selection.places) {
        const shown = viewBrandAt(context, selection, place, everything.origins)
        if (shown.offers.length === 0 || passed++ < skip) continue
        if (brands.length === limit) return { brands, hasMore: true }
        brands.push(shown)
      }
      return { brands, hasMore: false }
    },
    /** @throws Refusal brand_not_found */
    brand: async (publisher: Publisher, userId: UserId, brandUid: string): Promise<BrandView> => {
      await deps.catalog.lookFor([{ brandUid }])
      return viewBrand(await contextFor(publisher, userId, false), brandUid)
    },
    /** Returns the tracking link that attributes the user's purchases to an affiliate offer. */
    findTrackingLink: (userId: UserId, offerUid: string): string | null => deps.links.forUser(userId)(offerUid),
    /** Returns the names of brands by id. */
    readNames: async (
      publisher: Publisher,
      rows: readonly { readonly brandUid: string | null }[],
    ): Promise<ReadonlyMap<string, string>> => {
      const { catalog } = await deps.catalog.getAssortment(publisher)
      return new Map(
        rows.flatMap(({ brandUid }) => {
          const brand = brandUid === null ? undefined : catalog.brands.get(brandUid)
          return brand === undefined ? [] : [[brand.brandUid, brand.name]]
        }),
      )
    },
    categories: async (publisher: Publisher) => listCarriedCategories(await deps.catalog.getAssortment(publisher)),
  }
}
