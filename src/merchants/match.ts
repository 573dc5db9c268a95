import { lookUp } from '../platform/sharded-map.ts'
import { type BrandIndex, type Entry, ownersOf } from './brands/brand-index.ts'
import { type Parsed, parseDescriptor } from './descriptor/parse.ts'
import { type Found, findByName, type Text } from './names/read-name.ts'
import type { Prefix } from './packs/packs.ts'
import { foreignCountries, stateCodes } from './packs/words.ts'
import { locationOf, type Place } from './places/location.ts'
import { asAutomatic, asMatch, bounded, exactly, type Source, unmatched } from './results.ts'
import { automaticFrom, isBiller, mccFit } from './scoring/confidence.ts'
import { providerKeyOf, templateOf } from './template.ts'
import { domainsAbove, hostOf, hostsWithin } from './text/domains.ts'
import { fold, formsOf, isNumeric, longestText } from './text/tokens.ts'
import type { BrandMatch, MatchOptions, MerchantFacts, RunnerUp } from './types.ts'

// Which brand a purchase was made at. Exact evidence comes first: the brand's id, what a person decided about this
// merchant, a merchant identifier, the website. Then a name, from the start of the text only: strings propose, the
// rest of the purchase disposes.

export function matchBrand(index: BrandIndex, facts: MerchantFacts, options: MatchOptions = {}): BrandMatch {
  if (facts.brandUid !== undefined) return matchUid(index, facts.brandUid)
  const learnt = matchAlias(index, facts, options.aliases)
  if (learnt !== null) return learnt
  const { merchantId, website } = facts
  if (merchantId !== undefined) {
    const only = oneOf(ownersOf(index.byMerchantId, merchantId.trim()), facts.mcc)
    if (only !== null) return exactly(only, 'merchant_id', 'merchant_id', merchantId, merchantId.trim())
  }
  const site = website === undefined ? null : findDomain(index, hostOf(website))
  if (site !== null && website !== undefined) {
    const only = oneOf(site.owners, facts.mcc)
    if (only !== null) return exactly(only, 'domain', 'website', website, site.domain)
  }
  return matchTexts(index, facts, options, site?.owners ?? [])
}

function matchUid(index: BrandIndex, brandUid: string): BrandMatch {
  const entry = lookUp(index.byUid, brandUid)
  return entry === undefined
    ? unmatched('unknown_brand_uid')
    : exactly(entry, 'brand_uid', 'brand_uid', brandUid, brandUid)
}

function matchAlias(index: BrandIndex, facts: MerchantFacts, aliases: MatchOptions['aliases']): BrandMatch | null {
  if (aliases === undefined) return null
  const { providerMerchantId } = facts
  const byProvider = providerMerchantId === undefined ? null : providerKeyOf(providerMerchantId)
  for (const key of [byProvider, templateOf(facts)]) {
    const verdict = key === null ? undefined : aliases.get(key)
    if (key === null || verdict === undefined) continue
    const evidence = { field: 'alias', value: key, matched: verdict.aliasUid }
    if (verdict.brandUid === null) return { ...unmatched('not_a_brand'), method: 'alias', evidence: [evidence] }
    const entry = lookUp(index.byUid, verdict.brandUid)
    if (entry === undefined) continue
    const method = key === byProvider ? 'provider_merchant_id' : 'alias'
    return exactly(entry, method, 'alias', key, verdict.aliasUid)
  }
  return null
}

/** The one owner of an exact key; of several the one whose category code the purchase carries. */
function oneOf(owners: readonly Entry[], mcc: string | undefined): Entry | null {
  const fitting = owners.length === 1 ? owners : owners.filter((entry) => mccFit(entry, mcc) === 'agrees')
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function findDomain(index: BrandIndex, host: string | null): { domain: string; owners: readonly Entry[] } | null {
  if (host === null) return null
  for (const domain of domainsAbove(host)) {
    const owners = lookUp(index.byDomain, domain)
    if (owners !== undefined) return { domain, owners }
  }
  return null
}

// The provider's cleaned name is tried before the raw text. Where the raw text says more ("Uber" and UBER EATS), it
// wins; where the two name different brands, a person looks.
function matchTexts(
  index: BrandIndex,
  facts: MerchantFacts,
  options: MatchOptions,
  site: readonly Entry[],
): BrandMatch {
  const cleaned = sourceOf('merchant_name', facts.merchantName, facts, site, false)
  const bare = sourceOf('merchant_descriptor', facts.merchantDescriptor, facts, site, false)
  if (cleaned === null && bare === null) {
    return unmatched(
      facts.website === undefined && facts.merchantId === undefined ? 'no_merchant_facts' : 'name_unknown',
    )
  }
  const named = cleaned === null ? null : findIn(index, cleaned)
  const raw = bare === null || cleaned === null || isSure(named) ? bare : contradicted(bare)
  const policy = raw === null ? null : paidByPolicy(index, raw, options, named)
  if (policy !== null) return policy
  const whole = raw === null ? null : findIn(index, raw)
  const joined = raw === null || whole === null || whole.found !== null ? undefined : unjoined(raw.value)
  const apart = sourceOf('merchant_descriptor', joined, facts, site, raw !== bare)
  const printed = apart === null ? whole : findIn(index, apart)
  return settle(index, facts, { named, printed })
}

/** The text with the words apart that only their first letters tell (`VelmoraHwy 160`); undefined: there are none. */
function unjoined(text: string): string | undefined {
  return joinedWords.test(text) ? text.slice(0, longestText).replaceAll(everyJoinedWord, '$1 ') : undefined
}

const joinedWords = /[a-z]{3}[A-Z][a-z]/
const everyJoinedWord = /([a-z]{3})(?=[A-Z][a-z])/g

const contradicted = (source: Source): Source => ({
  ...source,
  text: { ...source.text, circumstance: { ...source.text.circumstance, contradicted: true } },
})

type Read = { readonly source: Source; readonly found: Found | null; readonly never: boolean }

function sourceOf(
  field: string,
  value: string | undefined,
  facts: MerchantFacts,
  site: readonly Entry[],
  contradicts: boolean,
): Source | null {
  if (value === undefined || value.trim() === '') return null
  const parsed = parseDescriptor(fold(value))
  const location = locationOf(parsed.tokens, parsed.field, parsed.end, facts.city, parsed.cityAt)
  const { place } = location
  const state = (facts.state ?? place?.state ?? '').toLowerCase()
  const country = printedCountry(parsed, place) ?? countryOf(facts, state)
  const circumstance = {
    mcc: facts.mcc ?? parsed.mcc,
    site,
    state,
    cleaned: field === 'merchant_name',
    contradicted: contradicts,
    storeNumber: facts.storeNumber !== undefined && facts.storeNumber !== '',
  }
  const sellsHere = (entry: Entry) => country === null || entry.countries === null || entry.countries.has(country)
  return {
    field,
    value,
    folded: parsed.folded,
    text: { parsed, location, circumstance, sellsHere },
  }
}

const fewestTokensAbroad = 3

/** The country with which a descriptor from abroad ends (`LONDON GB`). */
function printedCountry({ tokens, field, end }: Parsed, place: Place | null): string | null {
  if (place !== null || end - field < fewestTokensAbroad || tokens.gaps[end - 1] === 'glued') return null
  return foreignCountries.get(tokens.texts[end - 1] ?? '') ?? null
}

function countryOf(facts: MerchantFacts, state: string): string | null {
  if (facts.country !== undefined && facts.country !== '') return facts.country.toLowerCase()
  return stateCodes.has(state) ? 'us' : null
}

function findIn(index: BrandIndex, source: Source): Read {
  const found = findByName(index, source.text)
  const { neverAt, neverTo } = source.text.parsed
  const isPartOfName = found !== null && neverAt >= found.hit.from && neverTo <= found.hit.to
  return { source, found, never: neverAt >= 0 && !isPartOfName }
}

// Who is paid where a marketplace or a parent stands before the star. Null: the names decide.
function paidByPolicy(index: BrandIndex, source: Source, options: MatchOptions, named: Read | null): BrandMatch | null {
  const reading = source.text.parsed.readings.find(({ prefix }) => prefix !== null && prefix.means !== 'processor')
  const prefix = reading?.prefix ?? null
  if (reading === undefined || prefix === null) return null
  const { parsed } = source.text
  const own = prefix.brand === undefined ? null : prefixBrand(index, prefix.brand, prefix.domain, source.text)
  // Between banks go wages and payouts, and bills of those who send some.
  const isBill = prefix.means === 'brand' && own !== null && isBiller(own)
  if (parsed.neverAt >= 0 || (parsed.isAch && !isBill)) return unmatched('not_a_purchase')
  const isNameOnly = () =>
    findIn(index, { ...source, text: { ...source.text, parsed: { ...parsed, readings: [reading] } } })
  const byHead = (entry: Entry, runnerUp: RunnerUp | null): BrandMatch => ({
    ...asAutomatic(entry, 0.97, 'name'),
    evidence: [
      {
        field: source.field,
        value: bounded(source.value),
        matched: prefixText(source, reading.from),
        kind: prefix.means,
      },
    ],
    runnerUp,
  })
  if (prefix.means === 'marketplace') {
    const seller = options.marketplace === 'MERCHANT' ? [named, isNameOnly()].find((read) => isSure(read)) : undefined
    if (seller?.found != null && seller.found.entry !== own) return asMatch(seller.source, seller.found)
    return own === null ? unmatched('name_unknown') : byHead(own, null)
  }
  if (prefix.means === 'brand') return own === null ? null : byHead(own, null)
  const product = productOf(index, source, reading.from, prefix)
  if (product !== null) return byHead(product, null)
  const found = isNameOnly()
  if (isSure(found) && found.found !== null && !found.never) return asMatch(found.source, found.found)
  return own === null ? null : byHead(own, null)
}

const isSure = (read: Read | null | undefined) => read?.found != null && read.found.score >= automaticFrom

function prefixBrand(index: BrandIndex, brand: string, domain: string | undefined, { sellsHere }: Text): Entry | null {
  const forms = formsOf(brand)
  const isNamed = (entry: Entry) =>
    [entry.facts.name, ...entry.facts.aliases].some((name) => formsOf(name)[0] === forms[0])
  const onSite = domain === undefined ? [] : ownersOf(index.byDomain, domain)
  const named = onSite.filter(isNamed)
  if (named.length === 1) return named[0] ?? null
  if (onSite.length > 0) return null
  const owners = ownersOf(index.byForm, forms[0] ?? '').filter(({ entry, kind }) => kind === 'name' && sellsHere(entry))
  return owners.length === 1 ? (owners[0]?.entry ?? null) : null
}

function productOf(
  index: BrandIndex,
  source: Source,
  from: number,
  { prefix: own, products = [] }: Prefix,
): Entry | null {
  const { texts, gaps } = source.text.parsed.tokens
  // `VOICE RECORDER` is another's app; a customer's site, a code or the head office may follow.
  const next = texts[from + 1] ?? ''
  const goesOn =
    gaps[from + 1] === 'space' && next.length > 2 && !isNumeric(next) && next !== 'mountain' && !own.startsWith(next)
  const opening = texts.slice(from, from + 3).join('')
  for (const { brand, domain, words, whole = [] } of products) {
    const isNamed =
      (!goesOn && whole.includes(texts[from] ?? '')) ||
      words.some((word) => (word.length > 3 ? opening.startsWith(word) : texts[from] === word))
    const entry = isNamed ? prefixBrand(index, brand, domain, source.text) : null
    if (entry !== null) return entry
  }
  return null
}

function prefixText(source: Source, next: number): string {
  const { tokens, field } = source.text.parsed
  return source.folded.slice(tokens.starts[field], tokens.ends[Math.max(field, next - 1)])
}

function settle(
  index: BrandIndex,
  facts: MerchantFacts,
  { named, printed }: { named: Read | null; printed: Read | null },
): BrandMatch {
  const reads = [named, printed].filter((read) => read !== null)
  if (reads.some((read) => read.never)) return unmatched('not_a_purchase')
  if (isSure(named) && isSure(printed) && named?.found != null && printed?.found != null) {
    if (named.found.entry === printed.found.entry) return asMatch(named.source, named.found)
    if (printed.found.hit.form.startsWith(named.found.hit.form)) return asMatch(printed.source, printed.found)
    return asMatch(named.source, {
      ...named.found,
      score: 0.8,
      reason: 'name_ambiguous',
      runnerUp: { entry: printed.found.entry, score: printed.found.score },
    })
  }
  const sure = reads.find(isSure)
  if (sure?.found != null) return asMatch(sure.source, sure.found)
  // An address names the site outright, so it also settles what a name alone left open.
  for (const { source } of reads) {
    for (const host of hostsWithin(source.folded)) {
      const site = findDomain(index, host)
      const only = site === null ? null : oneOf(site.owners, facts.mcc)
      if (site !== null && only !== null) return exactly(only, 'domain', source.field, source.value, site.domain)
    }
  }
  const best = reads
    .filter((read) => read.found !== null)
    .sort((one, other) => (other.found?.score ?? 0) - (one.found?.score ?? 0))[0]
  return best?.found != null ? asMatch(best.source, best.found) : unmatched('name_unknown')
}
