/** The catalog's facts about a brand. */
export type BrandFacts = {
  readonly brandUid: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly domains: readonly string[]
  readonly merchantIds: readonly string[]
  /** The brand's known category codes; empty if unknown. */
  readonly mccs: readonly string[]
  /**
   * Countries (`us`) and states (`us-ca`) in lowercase. If empty, or if it contains `001`, the brand sells everywhere.
   */
  readonly countries?: readonly string[]
}

/** The known facts about the merchant of a purchase. Absent means unknown. */
export type MerchantFacts = {
  readonly brandUid?: string | undefined
  /** The id in the advertiser's network, as brands list it in the catalog. */
  readonly merchantId?: string | undefined
  /** The linking provider's own merchant id, which is never in a catalog but learned from purchases. */
  readonly providerMerchantId?: string | undefined
  readonly merchantDescriptor?: string | undefined
  readonly merchantName?: string | undefined
  readonly website?: string | undefined
  readonly mcc?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly country?: string | undefined
  readonly storeNumber?: string | undefined
  readonly currency?: string | undefined
}

/** `automatic` is acted on, `review` waits for a person, and `none` is no match. */
export type Band = 'automatic' | 'review' | 'none'

/** `name` covers both the merchant's name and the descriptor. The evidence shows which. */
export type MatchMethod = 'brand_uid' | 'alias' | 'provider_merchant_id' | 'merchant_id' | 'domain' | 'name' | 'none'

export type UnmatchedReason =
  | 'unknown_brand_uid'
  | 'no_merchant_facts'
  | 'not_a_brand'
  | 'not_a_purchase'
  | 'name_unknown'
  | 'name_ambiguous'
  | 'name_unconfirmed'
  | 'mcc_conflict'

/** The way a name was found in a text. `names/strategies.ts` tries the strategies in order. */
export type NameStrategy =
  | 'whole_name'
  | 'city_attached'
  | 'after_initials'
  | 'abbreviated'
  | 'without_vowels'
  | 'after_owner'
  | 'truncated'
  | 'company_suffix'
  | 'till_code'
  | 'after_airport'
  | 'misspelt'

/** An examined field and the part of it that matched. */
export type MatchEvidence = {
  readonly field: string
  readonly value: string
  readonly matched: string
  readonly kind?: string
  /** For a name match, the strategy that found it. */
  readonly strategy?: NameStrategy
}

type RunnerUp = { readonly brandUid: string; readonly score: number }

export type BrandMatch = {
  /** Set only in the automatic band. */
  readonly brandUid: string | null
  /** The best candidate in the review band. */
  readonly proposedUid: string | null
  readonly band: Band
  /** From 0 to 1: 0.9 or higher is automatic, and 0.5 or higher goes to review. Exact evidence scores 1. */
  readonly score: number
  readonly method: MatchMethod
  /** The reason the match is not automatic. */
  readonly reason: UnmatchedReason | null
  readonly evidence: readonly MatchEvidence[]
  readonly runnerUp: RunnerUp | null
}

/** A person's decision about a merchant; `brandUid` is null if it is not a brand in this catalog. */
export type AliasVerdict = { readonly aliasUid: string; readonly brandUid: string | null }

export type MatchOptions = {
  /** Looked up by `provider:<id>` and by template, before any name. */
  readonly aliases?: { get(key: string): AliasVerdict | undefined }
  /** The party to match when a marketplace sells for another known brand. Defaults to the marketplace. */
  readonly marketplace?: 'MARKETPLACE' | 'MERCHANT'
}
