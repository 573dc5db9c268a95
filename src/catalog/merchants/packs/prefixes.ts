import pack from './prefixes.json' with { type: 'json' }

/**
 * A prefix before a star: the processor that forwards the money, the party paid, or the owner of the product after it.
 */
export type Prefix = {
  readonly prefix: string
  readonly means: 'processor' | 'marketplace' | 'parent' | 'brand'
  /** Serves mostly small businesses. */
  readonly small?: boolean
  /** Chains also sell through it. */
  readonly chains?: boolean
  /** Prints company names without spaces. */
  readonly joined?: boolean
  /** Recognized even without a star after it. */
  readonly bare?: boolean
  /** The text after it may be glued to it. */
  readonly glued?: boolean
  readonly brand?: string
  readonly domain?: string
  readonly products?: readonly Product[]
  /** A word from the head office's city, which may follow a product. */
  readonly headOffice?: string
}

type Product = {
  readonly brand: string
  readonly domain: string
  /** Words that the text after the prefix may begin with. Words of up to three letters match only as whole words. */
  readonly words: readonly string[]
  /** Words that match only on their own. */
  readonly whole?: readonly string[]
}

export const prefixes: ReadonlyMap<string, Prefix> = new Map(
  (pack as readonly Prefix[]).map((prefix) => [prefix.prefix, prefix]),
)

/** The longest prefixes have this many tokens (`AMZN MKTP US`). */
export const mostPrefixTokens = 3
