import type { BrandEntry, BrandIndex } from './brands/brand-index.ts'
import { type Parsed, parseDescriptor } from './descriptor/parse.ts'
import { findName } from './names/find-name.ts'
import { foreignCountries, isState } from './packs/geography.ts'
import { findLocation, type PrintedState } from './places/printed-location.ts'
import type { TextSource } from './results.ts'
import { automaticFrom } from './scoring/confidence.ts'
import type { ScoredHit } from './scoring/score-hit.ts'
import { fold } from './text/tokens.ts'
import type { MerchantFacts } from './types.ts'

/** The result of reading a text of the purchase. */
export type ReadText = {
  readonly source: TextSource
  /** Null if no brand was found. */
  readonly found: ScoredHit | null
  /** True if the text contains a phrase that rules out a purchase at a merchant. */
  readonly isNever: boolean
}

/** Other facts about the purchase that affect how a text is read. */
type TextContext = {
  readonly facts: MerchantFacts
  /** The brands that share the purchase's website. */
  readonly site: readonly BrandEntry[]
  /** True if there is a cleaned name that does not clearly identify a brand, so it may refer to another merchant. */
  readonly contradicted: boolean
}

export function readText(index: BrandIndex, source: TextSource): ReadText {
  const found = findName(index, source.text)
  const { neverAt, neverTo } = source.text.parsed
  const isPartOfName = found !== null && neverAt >= found.hit.from && neverTo <= found.hit.to
  return { source, found, isNever: neverAt >= 0 && !isPartOfName }
}

export const isSure = (read: ReadText | null | undefined): read is ReadText & { readonly found: ScoredHit } =>
  read != null && read.found !== null && read.found.score >= automaticFrom

/** Parses a text; null if it is missing or blank. */
export function parseSource(
  field: 'merchant_name' | 'merchant_descriptor',
  value: string | undefined,
  { facts, site, contradicted }: TextContext,
): TextSource | null {
  if (value === undefined || value.trim() === '') return null
  const parsed = parseDescriptor(fold(value))
  const location = findLocation(parsed.tokens, parsed.field, parsed.end, facts.city, parsed.cityAt)
  const state = (facts.state ?? location.place?.state ?? '').toLowerCase()
  const country = printedCountry(parsed, location.place) ?? findCountry(facts, state)
  const circumstance = {
    mcc: facts.mcc ?? parsed.mcc,
    site,
    state,
    cleaned: field === 'merchant_name',
    contradicted,
    storeNumber: facts.storeNumber !== undefined && facts.storeNumber !== '',
  }
  const sellsHere = ({ market: { countries } }: BrandEntry) =>
    country === null || countries === null || countries.has(country)
  return { field, value, text: { parsed, location, circumstance, sellsHere } }
}

export const asContradicted = ({ text, ...source }: TextSource): TextSource => ({
  ...source,
  text: { ...text, circumstance: { ...text.circumstance, contradicted: true } },
})

const fewestTokensAbroad = 3

/** Returns the country at the end of a foreign descriptor (`LONDON GB`). */
function printedCountry({ tokens, field, end }: Parsed, place: PrintedState | null): string | null {
  if (place !== null || end - field < fewestTokensAbroad || tokens.gaps[end - 1] === 'glued') return null
  return foreignCountries.get(tokens.texts[end - 1] ?? '') ?? null
}

function findCountry({ country }: MerchantFacts, state: string): string | null {
  if (country !== undefined && country !== '') return country.toLowerCase()
  return isState(state) ? 'us' : null
}
