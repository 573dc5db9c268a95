import pack from './prefixes.json' with { type: 'json' }

/** What precedes a star: who passes the money on, who is paid, or whose product the rest names. */
export type Prefix = {
  readonly prefix: string
  readonly means: 'processor' | 'marketplace' | 'parent' | 'brand'
  /** Serves mostly small shops. */
  readonly small?: boolean
  /** Chains sell through it, too. */
  readonly chains?: boolean
  /** Prints a company without spaces. */
  readonly joined?: boolean
  /** Counts without a star after it. */
  readonly bare?: boolean
  /** What follows may be glued to it. */
  readonly glued?: boolean
  readonly brand?: string
  readonly domain?: string
  readonly products?: readonly Product[]
  /** A word of the head office's city, which may follow a product. */
  readonly headOffice?: string
}

type Product = {
  readonly brand: string
  readonly domain: string
  /** What the text goes on with; up to three letters only as a whole word. */
  readonly words: readonly string[]
  /** Words that count only by themselves. */
  readonly whole?: readonly string[]
}

export const prefixes: ReadonlyMap<string, Prefix> = new Map(
  (pack as readonly Prefix[]).map((prefix) => [prefix.prefix, prefix]),
)

/** The longest prefixes have this many tokens (`AMZN MKTP US`). */
export const mostPrefixTokens = 3
