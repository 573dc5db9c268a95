import { type BrandEntry, type BrandIndex, findOwners, type Owner } from './brands/brand-index.ts'
import type { Parsed } from './descriptor/parse.ts'
import type { Prefix } from './packs/prefixes.ts'
import type { Location } from './places/printed-location.ts'
import { abbreviations } from './text/spellings.ts'
import { isNumeric, replaceTexts, type Tokens } from './text/tokens.ts'
import type { NameStrategy } from './types.ts'

// The input and output of every strategy in `strategies.ts`.

/** Facts about the purchase other than its texts. */
export type Circumstance = {
  readonly mcc: string | undefined
  /** The brands that share the purchase's website. */
  readonly site: readonly BrandEntry[]
  /** Two lowercase letters; empty if unknown. */
  readonly state: string
  /** True if the text is a cleaned name rather than printed text. */
  readonly cleaned: boolean
  /** True if there is a cleaned name that does not clearly identify a brand, so it may refer to another merchant. */
  readonly contradicted: boolean
  readonly storeNumber: boolean
}

/** A parsed text that names the merchant. */
export type Text = {
  readonly parsed: Parsed
  readonly location: Location
  readonly circumstance: Circumstance
  /** Returns true if a brand sells in the country of the purchase. */
  readonly sellsHere: (entry: BrandEntry) => boolean
}

export type NameSearch = {
  readonly index: BrandIndex
  readonly tokens: Tokens
  readonly location: Location
  readonly sellsHere: (entry: BrandEntry) => boolean
  readonly prefix: Prefix | null
  /** The first token of the name. Names in the middle are ignored, because that is where streets and malls appear. */
  readonly from: number
}

/** A name from the catalog found in the text. */
export type Hit = {
  readonly strategy: NameStrategy
  readonly owners: readonly Owner[]
  readonly form: string
  readonly from: number
  /** The token after the name. */
  readonly to: number
  /** The number of letters in the last token that belong to the name; 0 for all. */
  readonly split: number
}

/** Skips `the` before a name unless it is the whole text. */
export const nameStart = ({ texts }: Tokens, from: number, end: number) =>
  texts[from] === 'the' && from + 1 < end ? from + 1 : from

const mostNameTokens = 5

/** Expands the abbreviated words of a name (`MKT`). Returns the same tokens if there are none. */
export function spellOut({ tokens, location, from }: NameSearch): Tokens {
  let texts: string[] | null = null
  for (let at = from; at < Math.min(location.end, from + mostNameTokens); at += 1) {
    const full = abbreviations.get(tokens.texts[at] ?? '')
    if (full === undefined) continue
    texts ??= [...tokens.texts]
    texts[at] = full
  }
  return texts === null ? tokens : replaceTexts(tokens, texts)
}

/** Returns the token after the words starting at `first`. The words end at a number, a star or the bank's own words. */
export function endOfWords({ texts, gaps }: Tokens, first: number, end: number): number {
  let at = first
  while (at < end && (at === first || (gaps[at] !== 'star' && !isNumeric(texts[at] ?? '')))) at += 1
  return at
}

/** Returns the brands with this name that sell where the purchase was made. */
export function findOwnersHere({ index, sellsHere }: NameSearch, form: string, hash?: number): readonly Owner[] {
  const owners = findOwners(index.byForm, form, hash)
  return owners.every(({ entry }) => sellsHere(entry)) ? owners : owners.filter(({ entry }) => sellsHere(entry))
}

/** Like `findOwnersHere`, but without names too weak to be recognized inside a longer word. */
export const findStrongOwnersHere = (search: NameSearch, form: string) =>
  findOwnersHere(search, form).filter(({ entry, kind }) => !entry.isNameOnly && kind !== 'exact' && kind !== 'short')
