import { deriveUuid, encodeId } from '../../../platform/ids.ts'
import type { BrandInFile } from '../feed/file-schema.ts'

export type NamedBrand = { readonly brandUid: string; readonly name: string; readonly website: string | null }
export type NamedOffer = {
  readonly offerUid: string
  readonly brandUid: string
  readonly name: string
  readonly offerType: string
}

/**
 * Resolves uids that the feed omits. A brand is identified by its name and website, and an offer by its brand, name and
 * type. New brands and offers get uids derived from these values. If several existing ones match, the first one passed
 * wins, so callers pass the oldest first.
 */
export function createBrandNaming(known: readonly NamedBrand[]): (brand: BrandInFile) => string {
  const byName = new Map(known.toReversed().map((one) => [brandKey(one.name, one.website), one.brandUid]))
  return (brand) => {
    const key = brandKey(brand.name, brand.website ?? null)
    return brand.brand_uid ?? byName.get(key) ?? encodeId('brd', deriveUuid('brand', key))
  }
}

export function createOfferNaming(known: readonly NamedOffer[]): (brand: BrandInFile, brandUid: string) => string[] {
  const byName = new Map(
    known.toReversed().map((one) => [offerKey(one.brandUid, one.name, one.offerType), one.offerUid]),
  )
  return (brand, brandUid) =>
    (brand.offers ?? []).map((offer) => {
      const key = offerKey(brandUid, offer.name ?? brand.name, offer.offer_type)
      return offer.offer_uid ?? byName.get(key) ?? encodeId('off', deriveUuid('offer', key))
    })
}

function brandKey(name: string, website: string | null): string {
  return JSON.stringify([name.toLowerCase(), website?.toLowerCase() ?? null])
}

function offerKey(brandUid: string, name: string, type: string): string {
  return JSON.stringify([brandUid, name.toLowerCase(), type])
}
