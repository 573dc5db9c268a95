import type { Day } from '../platform/calendar.ts'
import type { Brand, Catalog, CatalogOffer } from './catalog.ts'
import { isPercentage } from './commission.ts'
import { type NetOffer, netOfOffer, type Split, shownNumber } from './net.ts'
import { type BestOffer, presentBrand, presentOffer } from './schema.ts'

/** The catalog as one publisher's users see it on one day: offers that are valid, what they bring, who comes first. */
export type View = {
  /** In the catalog's order. */
  readonly brands: readonly ShownBrand[]
  readonly byUid: ReadonlyMap<string, ShownBrand>
}
export type ShownOffer = { readonly offer: CatalogOffer; readonly net: NetOffer; readonly text: () => string }
export type ShownBrand = {
  readonly brand: Brand
  readonly category: string
  readonly offers: readonly ShownOffer[]
  readonly best: BestOffer | null
  /** What is sorted by and searched in. */
  readonly max: number
  readonly foldedName: string
  readonly foldedTexts: string
  /** The brand's JSON up to its first offer. */
  readonly head: () => string
}

/**
 * Stands in an offer where the user's own link belongs. With its quotes it is found again in the JSON without doubt: no
 * text of a catalog is this control character, and a text that spells its escape has another backslash before it.
 */
const LINK_MARK = '\u0001'
export const LINK_GAP = JSON.stringify(LINK_MARK)

export function viewOf(catalog: Catalog, split: Split, day: Day, baseUrl: string): View {
  const categories = new Map(catalog.categories.map(({ categoryId, category }) => [categoryId, category]))
  const brands = [...catalog.brands.values()].flatMap((brand) => {
    if (brand.retired) return []
    const offers = catalog.offersOf(brand.brandUid).filter((offer) => isValidOn(offer, day))
    const category = categories.get(brand.categoryId) ?? ''
    return [
      shownBrand(
        brand,
        category,
        offers.map((offer) => shownOffer(offer, split)),
        baseUrl,
      ),
    ]
  })
  return { brands, byUid: new Map(brands.map((shown) => [shown.brand.brandUid, shown])) }
}

/** Both days are inclusive. */
export function isValidOn(offer: CatalogOffer, day: Day): boolean {
  return (offer.startDate === null || offer.startDate <= day) && (offer.endDate === null || offer.endDate >= day)
}

function shownOffer(offer: CatalogOffer, split: Split): ShownOffer {
  const net = netOfOffer(offer, split)
  const link = offer.offerType === 'AFFILIATE' ? LINK_MARK : null
  const text = once(() => JSON.stringify({ ...presentOffer(offer, net, link), offer_type: offer.offerType }))
  return { offer, net, text }
}

function shownBrand(brand: Brand, category: string, offers: readonly ShownOffer[], baseUrl: string): ShownBrand {
  const best = bestOf(brand, offers)
  return {
    brand,
    category,
    offers,
    best,
    max: best === null ? -1 : shownNumber(best.offer, best.net.maxCustomerOffer),
    foldedName: brand.name.toLowerCase(),
    foldedTexts: [brand.name, ...offers.map(({ offer }) => offer.name)].join('\n').toLowerCase(),
    head: once(() => `${JSON.stringify(presentBrand(brand, category, best, baseUrl)).slice(0, -1)},"offers":[`),
  }
}

/** The offer with the highest figure, of those in the unit that the brand names if it does; the older of two. */
function bestOf(brand: Brand, offers: readonly ShownOffer[]): BestOffer | null {
  const named = brand.rewardType
  const fitting =
    named === null ? [] : offers.filter(({ offer }) => isPercentage(offer.rewardType) === isPercentage(named))
  const figure = ({ offer, net }: BestOffer): number => shownNumber(offer, net.maxCustomerOffer)
  const candidates = fitting.length > 0 ? fitting : offers
  return candidates.reduce<BestOffer | null>(
    (best, one) => (best === null || figure(one) > figure(best) ? one : best),
    null,
  )
}

/** Written when it is first shown: most pages are never asked for. */
function once(write: () => string): () => string {
  let text: string | null = null
  return () => {
    text ??= write()
    return text
  }
}
