import type { Offer, RewardType } from './offer.ts'
import type { BrandTable } from './table/brand-table.ts'

export type Category = { readonly categoryId: number; readonly category: string }

/** A brand as the catalog has it; what is null here, Laurel makes up when it shows the brand. */
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

/** An offer with what is only shown, beside what the rules read. */
export type CatalogOffer = Offer & {
  readonly name: string
  readonly description: string | null
  readonly formattedDescription: string | null
  readonly bannerUrl: string | null
  readonly termsAndConditions: string | null
  readonly retired: boolean
}

/** What finding the brand of a purchase is based on. */
export type BrandFacts = Pick<Brand, 'brandUid' | 'name' | 'aliases' | 'domains' | 'merchantIds' | 'mccs' | 'countries'>
export type ChangedBrands = { readonly changed: readonly BrandFacts[]; readonly removedUids: readonly string[] }

/** What is found by its key; a `Map` is one. */
export type Lookup<Value> = {
  readonly size: number
  get(key: string): Value | undefined
  has(key: string): boolean
  values(): Iterable<Value>
}

/** One state of the whole catalog, never changed. Retired brands and offers are found by their ids, but nowhere else. */
export type Catalog = {
  readonly version: number
  readonly categories: readonly Category[]
  readonly brands: Lookup<Brand>
  readonly offers: Lookup<CatalogOffer>
  /** The brands that are not retired, in the catalog's order. */
  readonly brandFacts: readonly BrandFacts[]
  /** The offers of a brand that are not retired, oldest first, whatever their dates. */
  offersOf(brandUid: string): readonly CatalogOffer[]
  /** Which brands are others than they were in an earlier state. Null: that was too long ago to tell, or of another catalog. */
  changedSince(earlier: Catalog): ChangedBrands | null
  /** What lists are made from. */
  readonly table: BrandTable
}
