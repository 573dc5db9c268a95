import { type BrandEntry, type BrandIndex, findOwners } from './brands/brand-index.ts'
import { isBusiness } from './packs/businesses.ts'
import type { Prefix } from './packs/prefixes.ts'
import { createUnmatched, matchAutomatically, matchByName, type TextSource, truncateValue } from './results.ts'
import type { Text } from './search.ts'
import { isSure, type ReadText, readText } from './source.ts'
import { buildForms, isNumeric } from './text/tokens.ts'
import type { BrandMatch, MatchOptions } from './types.ts'

const scoreOfPrefix = 0.97

/**
 * Determines who was paid if a marketplace, a parent or a brand's own code precedes the star; null if that depends on
 * the names.
 */
export function matchPaidParty(
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
  // Bank transfers carry wages, payouts, and payments to billers.
  const isBill = prefix.means === 'brand' && own !== null && isBusiness('biller', own.market.mccs)
  if (parsed.neverAt >= 0 || (parsed.isAch && !isBill)) return createUnmatched('not_a_purchase')
  const readRest = () => readText(index, { ...source, text: { ...text, parsed: { ...parsed, readings: [reading] } } })
  const byPrefix = (entry: BrandEntry | null): BrandMatch | null => {
    if (entry === null) return null
    const matched = getPrefixText(source, reading.from)
    return matchAutomatically(entry, scoreOfPrefix, 'name', [
      { field, value: truncateValue(value), matched, kind: prefix.means },
    ])
  }
  if (prefix.means === 'brand') return byPrefix(own)
  if (prefix.means === 'marketplace') {
    const seller = options.marketplace === 'MERCHANT' ? [named, readRest()].find(isSure) : undefined
    if (seller !== undefined && seller.found.entry !== own) return matchByName(seller.source, seller.found)
    return byPrefix(own) ?? createUnmatched('name_unknown')
  }
  const product = byPrefix(findProduct(index, text, reading.from, prefix))
  if (product !== null) return product
  const rest = readRest()
  return isSure(rest) && !rest.isNever ? matchByName(rest.source, rest.found) : byPrefix(own)
}

type Named = { readonly brand?: string; readonly domain?: string }

/** Returns the catalog's brand that the packs refer to. */
function brandNamed(index: BrandIndex, { brand, domain }: Named, { sellsHere }: Text): BrandEntry | null {
  if (brand === undefined) return null
  const [form = ''] = buildForms(brand)
  const isNamed = ({ facts: { name, aliases } }: BrandEntry) =>
    [name, ...aliases].some((one) => buildForms(one)[0] === form)
  const onSite = domain === undefined ? [] : findOwners(index.byDomain, domain)
  const owners = findOwners(index.byForm, form).filter(({ entry, kind }) => kind === 'name' && sellsHere(entry))
  const [only, another] = onSite.length > 0 ? onSite.filter(isNamed) : owners.map(({ entry }) => entry)
  return another === undefined ? (only ?? null) : null
}

const longestWholeWord = 3

/** Returns the parent's product named after the prefix (`GOOGLE *YOUTUBE`). */
function findProduct(index: BrandIndex, text: Text, from: number, prefix: Prefix): BrandEntry | null {
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

function getPrefixText({ text: { parsed } }: TextSource, next: number): string {
  const { tokens, field, folded } = parsed
  return folded.slice(tokens.starts[field], tokens.ends[Math.max(field, next - 1)])
}
