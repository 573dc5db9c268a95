import { getCurrencies, type Publisher } from '../../../tenants/publishers/index.ts'
import { type AliasBook, type Aliases, NO_ALIASES } from '../aliases/aliases.ts'
import type { Brand, Category } from '../catalog.ts'
import { DEFAULTS } from '../feed/normal-form.ts'
import type { Split } from '../net.ts'
import type { Offer } from '../offer.ts'
import type { Catalog } from '../table/assemble.ts'
import { type AssortmentContent, everythingCarried } from './content.ts'
import type { AssortmentBook } from './load-assortments.ts'

/**
 * An immutable snapshot of the catalog as one publisher carries it: offers, terms and wording. Stays the same object
 * until something changes, so derived values can be cached against it.
 */
export type Assortment = {
  readonly catalog: Catalog
  /**
   * Identifies carriage, splits, wording and order. Values derived under the same key stay valid in later catalog
   * states for any brand or offer that has not changed.
   */
  readonly termsKey: string
  /**
   * Returns true if users see the brand. Carrying an offer implies carrying its brand, and a carried brand may have no
   * offers.
   */
  carriesBrand(brand: Brand): boolean
  carries(offer: Offer): boolean
  /** Returns the service's fee and the publisher's share of this offer's commission. */
  getSplit(offer: Offer): Split
  /** Returns the publisher's custom wording for an offer; null if there is none. */
  findWording(offerUid: string): string | null
  /** Categories in the publisher's order. Categories that are not listed follow in catalog order. */
  readonly categoryOrder: readonly number[]
  /** The publisher's own aliases take precedence over those for all publishers. */
  readonly aliases: Aliases
  /** Determines which brand is matched when a marketplace sells on behalf of another known brand. */
  readonly marketplace: Publisher['marketplacePolicy']
  /** The publisher's currencies, primary first. Offers in any other currency are not listed and earn nothing. */
  readonly currencies: readonly string[]
}

type Known = Pick<Assortment, 'aliases' | 'marketplace' | 'currencies'>

/** Returns the whole catalog on the terms of the publisher's agreement. */
export function carryWholeCatalog(
  catalog: Catalog,
  { feePpm, sharePpm }: Split,
  known: Partial<Known> = {},
): Assortment {
  return carryCatalog(catalog, { feePpm, sharePpm }, { content: everythingCarried, name: '' }, known)
}

/** Applies a publisher's changes to the catalog. The agreement's split and the catalog's wording are the defaults. */
export function carryCatalog(
  catalog: Catalog,
  agreed: Split,
  { content, name }: { readonly content: AssortmentContent; readonly name: string },
  known: Partial<Known> = {},
): Assortment {
  const { brands, offers, categories, carriesOthers, categoryOrder } = content
  const carriesBrandItself = (brandUid: string): boolean => {
    const said = brands.get(brandUid)?.carried
    if (said !== undefined && said !== null) return said
    if (categories.size === 0) return carriesOthers
    return categories.get(catalog.brands.get(brandUid)?.categoryId ?? 0)?.carried ?? carriesOthers
  }
  const broughtAlong = brandsOfCarriedOffers(catalog, content)
  const { currencies = [DEFAULTS.currency] } = known
  return {
    catalog,
    termsKey: `${agreed.feePpm} ${agreed.sharePpm} ${currencies.join()} ${name}`,
    carriesBrand: ({ brandUid }) => broughtAlong.has(brandUid) || carriesBrandItself(brandUid),
    carries: ({ offerUid, brandUid }) => offers.get(offerUid)?.carried ?? carriesBrandItself(brandUid),
    getSplit: ({ offerUid, brandUid }) => offers.get(offerUid)?.split ?? brands.get(brandUid)?.split ?? agreed,
    findWording: (offerUid) => offers.get(offerUid)?.wording ?? null,
    categoryOrder,
    aliases: NO_ALIASES,
    marketplace: 'MARKETPLACE',
    currencies,
    ...known,
  }
}

function brandsOfCarriedOffers({ offers: known }: Catalog, { offers }: AssortmentContent): ReadonlySet<string> {
  const carried = [...offers].filter(([, said]) => said.carried === true).map(([offerUid]) => known.get(offerUid))
  return new Set(carried.flatMap((offer) => (offer === undefined || offer.retired ? [] : [offer.brandUid])))
}

/** A consistent snapshot of the data that assortments are built from. */
export type AssortmentSources = {
  readonly catalog: Catalog
  readonly aliases: AliasBook
  readonly contents: AssortmentBook
  /** The assortments built so far. Valid until the catalog or the aliases change. */
  readonly made: Map<string, Assortment>
}

// More than the number of distinct current assortments, so the limit only caps how many outdated ones accumulate.
const ASSORTMENTS_MAX = 1_000

/**
 * Returns a publisher's assortment. Publishers with the same content share an assortment, and other publishers' changes
 * do not affect it.
 */
export function buildAssortment(
  { catalog, aliases, contents, made }: AssortmentSources,
  publisher: Publisher,
): Assortment {
  const { id, feePpm, sharePpm, marketplacePolicy: marketplace } = publisher
  const currencies = getCurrencies(publisher)
  const said = contents.of(id)
  const own = aliases.of(id)
  const owner = own === aliases.of(null) ? '' : id
  const key = `${feePpm} ${sharePpm} ${currencies.join()} ${marketplace} ${owner} ${said.name}`
  const found = made.get(key)
  if (found !== undefined) return found
  if (made.size >= ASSORTMENTS_MAX) made.clear()
  const assortment = carryCatalog(catalog, { feePpm, sharePpm }, said, { aliases: own, marketplace, currencies })
  made.set(key, assortment)
  return assortment
}

/** Returns true if the publisher currently carries the offer, or if this process has not loaded the offer yet. */
export async function isCarriedIn(
  catalog: { getAssortment(publisher: Publisher): Promise<Assortment> },
  publisher: Publisher,
  offerUid: string,
): Promise<boolean> {
  const assortment = await catalog.getAssortment(publisher)
  const offer = assortment.catalog.offers.get(offerUid)
  return offer === undefined || assortment.carries(offer)
}

/** Lists the categories that contain a carried brand, in the publisher's order. */
export function listCarriedCategories(assortment: Assortment): readonly Category[] {
  const found = knownCategories.get(assortment)
  if (found !== undefined) return found
  const { catalog, categoryOrder } = assortment
  const carried = new Set<number>()
  for (const brand of catalog.brands.values()) {
    if (!brand.retired && !carried.has(brand.categoryId) && assortment.carriesBrand(brand))
      carried.add(brand.categoryId)
  }
  const places = new Map(categoryOrder.map((categoryId, place) => [categoryId, place]))
  const getPlace = ({ categoryId }: Category): number => places.get(categoryId) ?? places.size
  const categories = catalog.categories
    .filter(({ categoryId }) => carried.has(categoryId))
    .toSorted((a, b) => getPlace(a) - getPlace(b))
  knownCategories.set(assortment, categories)
  return categories
}
const knownCategories = new WeakMap<Assortment, readonly Category[]>()
