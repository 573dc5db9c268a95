import { carryWholeCatalog } from '../../src/catalog/catalog/assortment/assortment.ts'
import type { Catalog, Offer } from '../../src/catalog/catalog/index.ts'
import type { FormerOffers } from '../../src/catalog/catalog/loading/former-offers.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import { makeBrand, makeCatalog, makeOffer } from './catalog.ts'

/** A catalog of the current offers that gets a new version whenever they change. */
export function changingCatalog(offersNow: () => readonly Offer[]) {
  const versions: { readonly offers: readonly Offer[]; readonly catalog: Promise<Catalog> }[] = []
  const current = (): Promise<Catalog> => {
    const offers = offersNow()
    const known = versions.find((one) => one.offers === offers)
    if (known !== undefined) return known.catalog
    const catalog = catalogWith(offers, versions.length + 1)
    versions.push({ offers, catalog })
    return catalog
  }
  return {
    current,
    getAssortment: async (publisher: Publisher) => carryWholeCatalog(await current(), publisher),
    readFormerOffers: async (): Promise<FormerOffers> => {
      const catalogs = await Promise.all(versions.map(({ catalog }) => catalog))
      return ({ brandUid, version }) => catalogs[version - 1]?.getOffers(brandUid) ?? []
    },
  }
}

/** Builds a catalog of these offers, whose brands are named after their UIDs. */
function catalogWith(offers: readonly Offer[], version: number): Promise<Catalog> {
  const brandUids = [...new Set(offers.map(({ brandUid }) => brandUid))]
  const brands = brandUids.map((brandUid, ordinal) => makeBrand({ brandUid, name: brandUid, ordinal }))
  return makeCatalog({ version, brands, offers: offers.map(makeOffer) })
}
