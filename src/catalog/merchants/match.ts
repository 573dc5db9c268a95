import { lookUp } from '../../platform/sharded-map.ts'
import { type BrandEntry, type BrandIndex, findOwners } from './brands/brand-index.ts'
import { matchPaidParty } from './paid-party.ts'
import { createUnmatched, matchByName, matchExactly } from './results.ts'
import { compareMcc } from './scoring/confidence.ts'
import { asContradicted, isSure, parseSource, type ReadText, readText } from './source.ts'
import { deriveTemplate, toProviderKey } from './template.ts'
import { findHosts, listDomainsAbove, parseHost } from './text/domains.ts'
import { longestText } from './text/tokens.ts'
import type { BrandMatch, MatchOptions, MerchantFacts } from './types.ts'

/**
 * Returns the brand a purchase was made at. Exact evidence takes precedence: the brand's id, a person's decision about
 * this merchant, a merchant id, or the website. Otherwise, a name at the start of the text proposes a brand, and the
 * other facts about the purchase confirm or reject it.
 */
export function matchBrand(index: BrandIndex, facts: MerchantFacts, options: MatchOptions = {}): BrandMatch {
  const { brandUid, website } = facts
  if (brandUid !== undefined) {
    const entry = lookUp(index.byUid, brandUid)
    if (entry === undefined) return createUnmatched('unknown_brand_uid')
    return matchExactly(entry, 'brand_uid', 'brand_uid', brandUid, brandUid)
  }
  const site = website === undefined ? null : findDomain(index, parseHost(website))
  return (
    matchAlias(index, facts, options.aliases) ??
    matchMerchantId(index, facts) ??
    matchSite(site, 'website', website ?? '', facts.mcc) ??
    matchTexts(index, facts, options, site?.owners ?? [])
  )
}

function matchAlias(index: BrandIndex, facts: MerchantFacts, aliases: MatchOptions['aliases']): BrandMatch | null {
  if (aliases === undefined) return null
  const { providerMerchantId } = facts
  const byProvider = providerMerchantId === undefined ? null : toProviderKey(providerMerchantId)
  for (const key of [byProvider, deriveTemplate(facts)]) {
    const verdict = key === null ? undefined : aliases.get(key)
    if (key === null || verdict === undefined) continue
    const evidence = { field: 'alias', value: key, matched: verdict.aliasUid }
    if (verdict.brandUid === null) return { ...createUnmatched('not_a_brand'), method: 'alias', evidence: [evidence] }
    const entry = lookUp(index.byUid, verdict.brandUid)
    if (entry === undefined) continue
    return matchExactly(entry, key === byProvider ? 'provider_merchant_id' : 'alias', 'alias', key, verdict.aliasUid)
  }
  return null
}

function matchMerchantId(index: BrandIndex, { merchantId, mcc }: MerchantFacts): BrandMatch | null {
  if (merchantId === undefined) return null
  const only = onlyOwner(findOwners(index.byMerchantId, merchantId.trim()), mcc)
  return only === null ? null : matchExactly(only, 'merchant_id', 'merchant_id', merchantId, merchantId.trim())
}

type Site = { readonly domain: string; readonly owners: readonly BrandEntry[] }

/** Returns the longest declared domain that contains a host. */
function findDomain(index: BrandIndex, host: string | null): Site | null {
  for (const domain of host === null ? [] : listDomainsAbove(host)) {
    const owners = findOwners(index.byDomain, domain)
    if (owners.length > 0) return { domain, owners }
  }
  return null
}

function matchSite(site: Site | null, field: string, value: string, mcc: string | undefined): BrandMatch | null {
  const only = site === null ? null : onlyOwner(site.owners, mcc)
  return site === null || only === null ? null : matchExactly(only, 'domain', field, value, site.domain)
}

/** Returns the only owner of an exact key. If there are several owners, the purchase's category code decides. */
function onlyOwner(owners: readonly BrandEntry[], mcc: string | undefined): BrandEntry | null {
  const [only, another] = owners.length === 1 ? owners : owners.filter((entry) => compareMcc(entry, mcc) === 'agrees')
  return another === undefined ? (only ?? null) : null
}

/**
 * Matches the merchant's texts. The provider's cleaned name is read before the raw text. If the raw text is more
 * specific (`Uber` and `UBER EATS`), it wins. If the two indicate different brands, a person decides.
 */
function matchTexts(
  index: BrandIndex,
  facts: MerchantFacts,
  options: MatchOptions,
  site: readonly BrandEntry[],
): BrandMatch {
  const { merchantName, merchantDescriptor, website, merchantId } = facts
  const known = { facts, site, contradicted: false }
  const cleaned = parseSource('merchant_name', merchantName, known)
  const raw = parseSource('merchant_descriptor', merchantDescriptor, known)
  if (cleaned === null && raw === null)
    return createUnmatched(website === undefined && merchantId === undefined ? 'no_merchant_facts' : 'name_unknown')
  const named = cleaned === null ? null : readText(index, cleaned)
  if (raw === null) return settle(index, facts, named, null)
  const contradicted = named !== null && !isSure(named)
  const source = contradicted ? asContradicted(raw) : raw
  const paid = matchPaidParty(index, source, options, named)
  if (paid !== null) return paid
  const whole = readText(index, source)
  const spaced = whole.found === null ? withSpaces(raw.value) : undefined
  const apart = parseSource('merchant_descriptor', spaced, { ...known, contradicted })
  return settle(index, facts, named, apart === null ? whole : readText(index, apart))
}

const joinedWords = /[a-z]{3}[A-Z][a-z]/
const everyJoinedWord = /([a-z]{3})(?=[A-Z][a-z])/g

/** Splits `VelmoraHwy 160` into words separated only by their capitals; undefined if there are none. */
const withSpaces = (text: string) =>
  joinedWords.test(text) ? text.slice(0, longestText).replaceAll(everyJoinedWord, '$1 ') : undefined

/** Chooses the brand based on both the cleaned name and the raw text. */
function settle(index: BrandIndex, facts: MerchantFacts, named: ReadText | null, printed: ReadText | null): BrandMatch {
  if (named?.isNever === true || printed?.isNever === true) return createUnmatched('not_a_purchase')
  if (isSure(named) && isSure(printed) && named.found.entry !== printed.found.entry) {
    if (printed.found.hit.form.startsWith(named.found.hit.form)) return matchByName(printed.source, printed.found)
    const { entry, score } = printed.found
    const ambiguous = { score: 0.8, reason: 'name_ambiguous', runnerUp: { entry, score } } as const
    return matchByName(named.source, { ...named.found, ...ambiguous })
  }
  if (isSure(named)) return matchByName(named.source, named.found)
  if (isSure(printed)) return matchByName(printed.source, printed.found)
  // A URL identifies the site, so it can decide when the name is uncertain.
  const bySite = matchSiteWithin(index, facts, named) ?? matchSiteWithin(index, facts, printed)
  if (bySite !== null) return bySite
  const isNamedBetter = (named?.found?.score ?? -1) >= (printed?.found?.score ?? -1)
  const best = isNamedBetter ? named : printed
  return best === null || best.found === null ? createUnmatched('name_unknown') : matchByName(best.source, best.found)
}

function matchSiteWithin(index: BrandIndex, facts: MerchantFacts, read: ReadText | null): BrandMatch | null {
  if (read === null) return null
  const { field, value, text } = read.source
  for (const host of findHosts(text.parsed.folded)) {
    const match = matchSite(findDomain(index, host), field, value, facts.mcc)
    if (match !== null) return match
  }
  return null
}
