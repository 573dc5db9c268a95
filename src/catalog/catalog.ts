import type { Offer, RewardType } from './offer.ts'
import type { BrandTable } from './table/brand-table.ts'

export type Category = { readonly categoryId: number; readonly category: string }

/** A brand as the catalog has it; where a field is null, the listing generates a value. */
export type Brand = {
  readonly brandUid: string
  readonly ordinal: number
  readonly categoryId: number
  readonly name: string
  readonly website: string | null
  readonly aliases: readonly string[]
  readonly domains: readonly string[]
  readonly merchantIds: readonly string[]
  readonly mccs: readonly string[]
  /** Two-letter codes in lower case; empty: everywhere. */
  readonly countries: readonly string[]
  readonly description: string | null
  readonly logoImgUrl: string | null
  readonly largeImgUrl: string | null
  readonly smallImgUrl: string | null
  readonly offerDescription: string | null
  readonly rewardType: RewardType | null
  readonly globalTerms: string | null
  readonly retired: boolean
}

/** An offer with the fields that are only shown, beside those that rules read. */
export type CatalogOffer = Offer & {
  readonly name: string
  readonly description: string | null
  readonly formattedDescription: string | null
  readonly bannerUrl: string | null
  readonly termsAndConditions: string | null
  readonly retired: boolean
}

/** What matching finds the brand of a purchase by. */
type BrandFacts = Pick<Brand, 'brandUid' | 'name' | 'aliases' | 'domains' | 'merchantIds' | 'mccs' | 'countries'>
type ChangedBrands = { readonly changed: readonly BrandFacts[]; readonly removedUids: readonly string[] }

/** Read access by key; a `Map` is one. */
type Lookup<Value> = {
  readonly size: number
  get(key: string): Value | undefined
  has(key: string): boolean
  values(): Iterable<Value>
}

/** One immutable state of the whole catalog. Retired brands and offers are found by id only. */
export type Catalog = {
  readonly version: number
  readonly categories: readonly Category[]
  readonly brands: Lookup<Brand>
  readonly offers: Lookup<CatalogOffer>
  /** Live brands in the order of the catalog. */
  readonly brandFacts: readonly BrandFacts[]
  /** Live offers of a brand, oldest first, whatever their dates. */
  offersOf(brandUid: string): readonly CatalogOffer[]
  /** Brands that changed since an earlier state. Null: that state is too old to tell, or of another catalog. */
  changedSince(earlier: Catalog): ChangedBrands | null
  /** The columns that lists read. */
  readonly table: BrandTable
}
