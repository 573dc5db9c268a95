import { hostOf, registrableOf } from '../text/domains.ts'
import { fold, formsOf, tokenize } from '../text/tokens.ts'
import abbreviationPack from './abbreviations.json' with { type: 'json' }
import bankPack from './bank-words.json' with { type: 'json' }
import categoryPack from './categories.json' with { type: 'json' }
import prefixPack from './prefixes.json' with { type: 'json' }
import spellingPack from './spellings.json' with { type: 'json' }

// What is known of statements in general, read once from the packs: data that anyone may extend without touching code.

/** What stands before a star: who passes the money on, who is paid, or whose product the rest names. */
export type Prefix = {
  readonly prefix: string
  readonly means: 'processor' | 'marketplace' | 'parent' | 'brand'
  /** Mostly small shops are paid through it. */
  readonly small?: boolean
  /** Also without a star behind it. */
  readonly bare?: boolean
  /** What follows may be glued to it. */
  readonly glued?: boolean
  readonly brand?: string
  readonly domain?: string
  readonly products?: readonly Product[]
}
export type Product = {
  readonly brand: string
  readonly domain: string
  /** What the text goes on with; of up to three letters only as a whole word. */
  readonly words: readonly string[]
  /** Words that count only by themselves. */
  readonly whole?: readonly string[]
}

export type Spelling = {
  readonly name: string
  readonly domain?: string
  /** Further sites under which a catalog may list the brand. */
  readonly alsoAt?: readonly string[]
  readonly spellings?: readonly string[]
  readonly exact?: readonly string[]
  readonly not?: readonly string[]
}

export const prefixes: ReadonlyMap<string, Prefix> = new Map(
  (prefixPack as readonly Prefix[]).map((prefix) => [prefix.prefix, prefix]),
)

/** The longest heads have this many tokens ("Uber Eats", "AMZN MKTP US"). */
export const mostPrefixTokens = 3

/** The category codes under which shops of a kind are found, by the tags of name-suggestion-index. */
export const categoryCodes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(categoryPack).map(([tag, codes]) => [tag, codes.split(' ')]),
)

/** What a shortened word of a name stands for, and other ways to write one. */
export const abbreviations: ReadonlyMap<string, string> = new Map(Object.entries(abbreviationPack))

/** Phrases of one or more tokens by their first token, longest first. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

export const bankPrefixes = phrasesOf(bankPack.before)
export const bankSuffixes = phrasesOf(bankPack.after)
export const neverPhrases = phrasesOf(bankPack.never)
export const paymentPhrases = phrasesOf(bankPack.payments)

/** Words that banks use around a merchant in any order; some say by themselves that something was bought. */
export const bankWords: ReadonlyMap<string, 'tells' | 'beside'> = new Map([
  ...bankPack.words.map((word) => [word, 'beside'] as const),
  ...bankPack.telling.map((word) => [word, 'tells'] as const),
])

function phrasesOf(list: readonly string[]): Phrases {
  const phrases = list.map((phrase) => tokenize(fold(phrase)).texts).sort((one, other) => other.length - one.length)
  return Map.groupBy(phrases, ([first]) => first ?? '')
}

/** Whether a word begins any phrase at all that may stand behind the start of a merchant's field. */
export function startsPhrase(word: string): boolean {
  return phraseStarts.has(word)
}

const phraseStarts: ReadonlySet<string> = new Set(
  [bankSuffixes, neverPhrases, paymentPhrases].flatMap((phrases) => [...phrases.keys()]),
)

/** How many tokens from `at` on one of the phrases takes; 0: none. */
export function phraseAt(phrases: Phrases, texts: readonly string[], at: number, end: number): number {
  const candidates = phrases.get(texts[at] ?? '')
  if (candidates === undefined) return 0
  for (const phrase of candidates) {
    if (at + phrase.length <= end && phrase.every((word, offset) => texts[at + offset] === word)) return phrase.length
  }
  return 0
}

const spellings = spellingPack as readonly Spelling[]
const spellingsByDomain = Map.groupBy(
  spellings.flatMap((spelling) =>
    [spelling.domain ?? '', ...(spelling.alsoAt ?? [])].map((domain) => ({ domain, spelling })),
  ),
  ({ domain }) => domain,
)
const spellingsByName = Map.groupBy(spellings, ({ name }) => formsOf(name)[0] ?? '')

/**
 * What the packs know of a brand: under its website, or under its name where either side knows no website. Several
 * brands may share a website; then the name decides. `isConfirmedBySite`: the website confirms the name.
 */
export function spellingsOf(
  forms: ReadonlySet<string>,
  domains: readonly string[],
): { readonly list: readonly Spelling[]; readonly isConfirmedBySite: boolean } {
  const sites = domains.map(hostOf).filter((host) => host !== null)
  if (sites.length === 0)
    return { list: [...forms].flatMap((form) => spellingsByName.get(form) ?? []), isConfirmedBySite: false }
  const list = sites
    .flatMap((host) => spellingsByDomain.get(registrableOf(host)) ?? [])
    .map(({ spelling }) => spelling)
    .filter(({ name }) => formsOf(name).some((form) => forms.has(form)))
  return { list, isConfirmedBySite: list.length > 0 }
}
