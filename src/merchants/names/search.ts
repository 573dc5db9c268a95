import { type BrandEntry, type BrandIndex, type Owner, ownersOf } from '../brands/brand-index.ts'
import type { Parsed } from '../descriptor/parse.ts'
import type { Prefix } from '../packs/prefixes.ts'
import { abbreviations } from '../packs/spellings.ts'
import type { Location } from '../places/printed-location.ts'
import { isNumeric, type Tokens, withTexts } from '../text/tokens.ts'
import type { NameStrategy } from '../types.ts'

// The input and the result of every strategy in `strategies.ts`.

/** What the purchase says apart from its texts. */
export type Circumstance = {
  readonly mcc: string | undefined
  /** The brands that share the purchase's website. */
  readonly site: readonly BrandEntry[]
  /** Two lower-case letters; empty: unknown. */
  readonly state: string
  /** The text is a cleaned name, not printed text. */
  readonly cleaned: boolean
  /** The cleaned name names another merchant. */
  readonly contradicted: boolean
  readonly storeNumber: boolean
}

/** A text that names the merchant, parsed. */
export type Text = {
  readonly parsed: Parsed
  readonly location: Location
  readonly circumstance: Circumstance
  /** Whether a brand sells in the country of the purchase. */
  readonly sellsHere: (entry: BrandEntry) => boolean
}

export type NameSearch = {
  readonly index: BrandIndex
  readonly tokens: Tokens
  readonly location: Location
  readonly sellsHere: (entry: BrandEntry) => boolean
  readonly prefix: Prefix | null
  /** The first token of the name. Names in the middle are ignored: streets and malls are there. */
  readonly from: number
}

/** A name of the catalog in the text. */
export type Hit = {
  readonly strategy: NameStrategy
  readonly owners: readonly Owner[]
  readonly form: string
  readonly from: number
  /** The token after the name. */
  readonly to: number
  /** How many letters of the last token belong to the name; 0: all. */
  readonly split: number
}

/** `the` before a name is ignored, unless it is the whole text. */
export const nameStart = ({ texts }: Tokens, from: number, end: number) =>
  texts[from] === 'the' && from + 1 < end ? from + 1 : from

const mostNameTokens = 5

/** The tokens with the shortened words among the name's in full (`MKT`); the same ones where there are none. */
export function spelledOut({ tokens, location, from }: NameSearch): Tokens {
  let texts: string[] | null = null
  for (let at = from; at < Math.min(location.end, from + mostNameTokens); at += 1) {
    const full = abbreviations.get(tokens.texts[at] ?? '')
    if (full === undefined) continue
    texts ??= [...tokens.texts]
    texts[at] = full
  }
  return texts === null ? tokens : withTexts(tokens, texts)
}

/** The token after the words that begin at `first`: a number, a star or the bank's words stop them. */
export function endOfWords({ texts, gaps }: Tokens, first: number, end: number): number {
  let at = first
  while (at < end && (at === first || (gaps[at] !== 'star' && !isNumeric(texts[at] ?? '')))) at += 1
  return at
}

/** The brands of a name that sell where the purchase was made. */
export function ownersHere({ index, sellsHere }: NameSearch, form: string, hash?: number): readonly Owner[] {
  const owners = ownersOf(index.byForm, form, hash)
  return owners.every(({ entry }) => sellsHere(entry)) ? owners : owners.filter(({ entry }) => sellsHere(entry))
}

/** The same without names that are too weak to be recognized inside a longer word. */
export const strongOwnersHere = (search: NameSearch, form: string) =>
  ownersHere(search, form).filter(({ entry, kind }) => !entry.isNameOnly && kind !== 'exact' && kind !== 'short')
