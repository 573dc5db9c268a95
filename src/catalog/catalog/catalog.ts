import type { Offer, RewardType } from './offer.ts'

export type Category = { readonly categoryId: number; readonly category: string }

/** A brand as stored in the catalog. The listing generates values for null fields. */
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
  /** Lowercase two-letter country codes; empty if the brand is available everywhere. */
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

/** An offer with its display-only fields in addition to the fields that rules read. */
export type CatalogOffer = Offer & {
  readonly name: string
  readonly description: string | null
  readonly formattedDescription: string | null
  readonly bannerUrl: string | null
  readonly termsAndConditions: string | null
  readonly retired: boolean
}
