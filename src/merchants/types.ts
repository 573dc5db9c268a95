/** What a catalog says about a brand. */
export type BrandFacts = {
  readonly brandUid: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly domains: readonly string[]
  readonly merchantIds: readonly string[]
  /** Category codes the brand is known by; empty: unknown. */
  readonly mccs: readonly string[]
  /** Countries (`us`) and states (`us-ca`) in lower case. Empty or with `001`: everywhere. */
  readonly countries?: readonly string[]
}

/** What is known about the merchant of a purchase. Absent means unknown. */
export type MerchantFacts = {
  readonly brandUid?: string | undefined
  /** The id at the advertiser's network, as brands list it in the catalog. */
  readonly merchantId?: string | undefined
  /** The linking provider's own id of the merchant: never in a catalog, only learned. */
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

/** `automatic` is acted on; `review` waits for a person; `none` is left alone. */
export type Band = 'automatic' | 'review' | 'none'

/** `name` covers the merchant's name and the descriptor; the evidence says which. */
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

/** How a name was read in a text; `names/strategies.ts` tries them in order. */
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

/** A field that was read, and what in it counted. */
export type MatchEvidence = {
  readonly field: string
  readonly value: string
  readonly matched: string
  readonly kind?: string
  /** Of a name: the strategy that read it. */
  readonly strategy?: NameStrategy
}

type RunnerUp = { readonly brandUid: string; readonly score: number }

export type BrandMatch = {
  /** Set in the automatic band only. */
  readonly brandUid: string | null
  /** The best candidate in the review band. */
  readonly proposedUid: string | null
  readonly band: Band
  /** 0 to 1: from 0.9 automatic, from 0.5 review; exact evidence is 1. */
  readonly score: number
  readonly method: MatchMethod
  /** Why not automatic. */
  readonly reason: UnmatchedReason | null
  readonly evidence: readonly MatchEvidence[]
  readonly runnerUp: RunnerUp | null
}

/** What a person decided about a merchant; null: no brand of this catalog. */
export type AliasVerdict = { readonly aliasUid: string; readonly brandUid: string | null }

export type MatchOptions = {
  /** Looked up by `provider:<id>` and by template, before all names. */
  readonly aliases?: { get(key: string): AliasVerdict | undefined }
  /** Who is matched where a marketplace sells another known brand; by default the marketplace. */
  readonly marketplace?: 'MARKETPLACE' | 'MERCHANT'
}
