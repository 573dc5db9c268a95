import { type BrandEntry, type BrandIndex, ownersOf } from './brands/brand-index.ts'
import { isBusiness } from './packs/businesses.ts'
import type { Prefix } from './packs/prefixes.ts'
import { automatic, bounded, matchByName, type TextSource, unmatched } from './results.ts'
import type { Text } from './search.ts'
import { isSure, type ReadText, readText } from './source.ts'
import { formsOf, isNumeric } from './text/tokens.ts'
import type { BrandMatch, MatchOptions } from './types.ts'

const scoreOfPrefix = 0.97

/**
 * Determines who is paid if a marketplace, a parent or a brand's own code precedes the star; null if the names decide.
 */
export function paidByPrefix(
  index: BrandIndex,
  source: TextSource,
  options: MatchOptions,
  named: ReadText | null,
): BrandMatch | null {
  const { text, field, value } = source
  const { parsed } = text
  const reading = parsed.readings.find(({ prefix }) => prefix !== null && prefix.means !== 'processor')
  const prefix = reading?.prefix ?? null
  if (reading === undefined || prefix === null) return null
  const own = brandNamed(index, prefix, text)
  // Bank transfers carry wages and payouts, and the bills of billers.
  const isBill = prefix.means === 'brand' && own !== null && isBusiness('biller', own.market.mccs)
  if (parsed.neverAt >= 0 || (parsed.isAch && !isBill)) return unmatched('not_a_purchase')
  const readRest = () => readText(index, { ...source, text: { ...text, parsed: { ...parsed, readings: [reading] } } })
  const byPrefix = (entry: BrandEntry | null): BrandMatch | null => {
    if (entry === null) return null
    const matched = textOfPrefix(source, reading.from)
    return automatic(entry, scoreOfPrefix, 'name', [{ field, value: bounded(value), matched, kind: prefix.means }])
  }
  if (prefix.means === 'brand') return byPrefix(own)
  if (prefix.means === 'marketplace') {
    const seller = options.marketplace === 'MERCHANT' ? [named, readRest()].find(isSure) : undefined
    if (seller !== undefined && seller.found.entry !== own) return matchByName(seller.source, seller.found)
    return byPrefix(own) ?? unmatched('name_unknown')
  }
  const product = byPrefix(productOf(index, text, reading.from, prefix))
  if (product !== null) return product
  const rest = readRest()
  return isSure(rest) && !rest.isNever ? matchByName(rest.source, rest.found) : byPrefix(own)
}

type Named = { readonly brand?: string; readonly domain?: string }

/** Returns the catalog's brand that the packs refer to. */
function brandNamed(index: BrandIndex, { brand, domain }: Named, { sellsHere }: Text): BrandEntry | null {
  if (brand === undefined) return null
  const [form = ''] = formsOf(brand)
  const isNamed = ({ facts: { name, aliases } }: BrandEntry) =>
    [name, ...aliases].some((one) => formsOf(one)[0] === form)
  const onSite = domain === undefined ? [] : ownersOf(index.byDomain, domain)
  const owners = ownersOf(index.byForm, form).filter(({ entry, kind }) => kind === 'name' && sellsHere(entry))
  const [only, another] = onSite.length > 0 ? onSite.filter(isNamed) : owners.map(({ entry }) => entry)
  return another === undefined ? (only ?? null) : null
}

const longestWholeWord = 3

/** Returns the parent's product named after the prefix (`GOOGLE *YOUTUBE`). */
function productOf(index: BrandIndex, text: Text, from: number, prefix: Prefix): BrandEntry | null {
  const { texts, gaps } = text.parsed.tokens
  const first = texts[from] ?? ''
  const next = texts[from + 1] ?? ''
  // `VOICE RECORDER` is someone else's app. A customer's site, a code or the head office may follow.
  const mayFollow = next.length <= 2 || isNumeric(next) || next === prefix.headOffice || prefix.prefix.startsWith(next)
  const isWhole = gaps[from + 1] !== 'space' || mayFollow
  const opening = texts.slice(from, from + 3).join('')
  const isNamed = (word: string) => (word.length > longestWholeWord ? opening.startsWith(word) : first === word)
  for (const product of prefix.products ?? []) {
    if (!(isWhole && product.whole?.includes(first)) && !product.words.some(isNamed)) continue
    const entry = brandNamed(index, product, text)
    if (entry !== null) return entry
  }
  return null
}

function textOfPrefix({ text: { parsed } }: TextSource, next: number): string {
  const { tokens, field, folded } = parsed
  return folded.slice(tokens.starts[field], tokens.ends[Math.max(field, next - 1)])
}
