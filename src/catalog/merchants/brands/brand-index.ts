import { draftMap, emptyMap, lookUp, type ShardedMap } from '../../../platform/sharded-map.ts'
import { isBusiness } from '../packs/businesses.ts'
import { toConsonantKey } from '../text/consonant-key.ts'
import { findDeclaredDomain } from '../text/domains.ts'
import { placeIn } from '../text/tokens.ts'
import type { BrandFacts } from '../types.ts'
import { draftFilter, emptyFilter, type HashFilter } from './hash-filter.ts'
import { collectForms, type Form, type KnownForms } from './name-forms.ts'

// The index of brands. A change creates a new index that shares every unchanged part with the old one and equals an
// index built from the same brands in any order.

/** A brand as stored in the index. */
export type BrandEntry = {
  readonly facts: BrandFacts
  /** True if the packs list the brand. */
  readonly isWellKnown: boolean
  /** True if the packs list it with its website, not just its name. */
  readonly isConfirmedBySite: boolean
  /**
   * True if it has no alias, no website and no pack entry. Other businesses may share its name, and nothing else is
   * known about it.
   */
  readonly isNameOnly: boolean
  readonly market: Market
  /** Its name without spaces. */
  readonly form: string
  /** The words of its names. Trades among them are not evidence against the brand. */
  readonly words: readonly string[]
}

/**
 * The categories and regions a brand sells in. Brands with equal markets share one object, which keeps it in the CPU
 * cache.
 */
type Market = {
  /** Its category codes; empty if unknown. */
  readonly mccs: readonly string[]
  /** Two-letter codes; null if it sells everywhere, as online services do. */
  readonly countries: ReadonlySet<string> | null
  /** Two-letter codes if the brand is limited to certain states; otherwise null. */
  readonly states: ReadonlySet<string> | null
}

/** A brand that a form refers to, and how reliably. */
export type Owner = Form & { readonly entry: BrandEntry }

/** Most keys have a single value, which is stored without a list to save two memory accesses. */
type OneOrMore<V> = V | readonly V[]

export type BrandIndex = {
  readonly byUid: ShardedMap<BrandEntry>
  readonly byMerchantId: ShardedMap<OneOrMore<BrandEntry>>
  readonly byDomain: ShardedMap<OneOrMore<BrandEntry>>
  readonly byForm: ShardedMap<OneOrMore<Owner>>
  /** Indicates which prefixes of a text might be keys of `byForm`, `byOpening` or `byConsonantKey`. */
  readonly filter: HashFilter
  /** Forms by their first letters, sorted. Used for truncated and misspelled names. */
  readonly byOpening: ShardedMap<OneOrMore<Owner>>
  readonly byConsonantKey: ShardedMap<OneOrMore<Owner>>
  /** For each word, the number of brands whose names contain it. */
  readonly wordCounts: ShardedMap<number>
}

const emptyIndex: BrandIndex = {
  byUid: emptyMap,
  byMerchantId: emptyMap,
  byDomain: emptyMap,
  byForm: emptyMap,
  filter: emptyFilter,
  byOpening: emptyMap,
  byConsonantKey: emptyMap,
  wordCounts: emptyMap,
}

export function buildBrandIndex(brands: readonly BrandFacts[]): BrandIndex {
  return changeBrandIndex(emptyIndex, brands, [])
}

/** Returns the index with some brands added or changed and others removed. The old index stays unchanged. */
export function changeBrandIndex(
  index: BrandIndex,
  changed: readonly BrandFacts[],
  removedUids: readonly string[],
): BrandIndex {
  const draft = draftBrandIndex(index)
  draft.change(changed, removedUids)
  return draft.done()
}

/** Drafts changes to an index, which itself stays unchanged. Many brands can be changed in steps. */
export function draftBrandIndex(index: BrandIndex = emptyIndex) {
  const drafts = draftMaps(index)
  return {
    change(changed: readonly BrandFacts[], removedUids: readonly string[]): void {
      for (const uid of removedUids) remove(drafts, uid)
      for (const facts of changed) {
        remove(drafts, facts.brandUid)
        const known = collectForms(facts)
        edit(drafts, buildEntry(facts, known, drafts.markets), known, 'add')
      }
    },
    done: (): BrandIndex => ({
      byUid: drafts.byUid.done(),
      byMerchantId: drafts.byMerchantId.done(),
      byDomain: drafts.byDomain.done(),
      byForm: drafts.byForm.done(),
      filter: drafts.filter.done(),
      byOpening: drafts.byOpening.done(),
      byConsonantKey: drafts.byConsonantKey.done(),
      wordCounts: drafts.wordCounts.done(),
    }),
  }
}

function draftMaps(index: BrandIndex) {
  return {
    byUid: draftMap(index.byUid),
    byMerchantId: draftMap(index.byMerchantId),
    byDomain: draftMap(index.byDomain),
    byForm: draftMap(index.byForm),
    filter: draftFilter(index.filter),
    byOpening: draftMap(index.byOpening),
    byConsonantKey: draftMap(index.byConsonantKey),
    wordCounts: draftMap(index.wordCounts),
    markets: new Map<string, Market>(),
  }
}
type Drafts = ReturnType<typeof draftMaps>

/** The number of leading letters used to find a form whose end is missing or misspelled. */
export const openingLetters = 6

function remove(drafts: Drafts, uid: string): void {
  const entry = drafts.byUid.get(uid)
  if (entry !== undefined) edit(drafts, entry, collectForms(entry.facts), 'remove')
}

/** Adds a brand under all its keys, or removes it from them. */
function edit(drafts: Drafts, entry: BrandEntry, { forms }: KnownForms, action: 'add' | 'remove'): void {
  const { facts, words } = entry
  const isAdded = action === 'add'
  const change: typeof withOne = isAdded ? withOne : without
  drafts.byUid.change(facts.brandUid, () => (isAdded ? entry : undefined))
  for (const id of toIds(facts)) drafts.byMerchantId.change(id, (list) => change(list, entry))
  for (const domain of toDomains(facts)) drafts.byDomain.change(domain, (list) => change(list, entry))
  for (const form of forms) editForm(drafts, { ...form, entry }, change)
  for (const word of words) drafts.wordCounts.change(word, (before = 0) => before + (isAdded ? 1 : -1) || undefined)
}

function editForm({ filter, byForm, byConsonantKey, byOpening }: Drafts, owner: Owner, change: typeof withOne): void {
  const { form } = owner
  // The filter retains the keys of removed brands, so adding a key again is a no-op.
  filter.add(form)
  byForm.change(form, (list) => change(list, owner))
  if (!isFoundInPart(owner)) return
  const key = toConsonantKey(form)
  const opening = form.slice(0, openingLetters)
  filter.add(key)
  byConsonantKey.change(key, (list) => change(list, owner))
  filter.add(opening)
  byOpening.change(opening, (list) => change(list, owner, placeIn(toList(list), form, getForm)))
}

export const getForm = ({ form }: Owner) => form

const toList = <V extends object>(values: OneOrMore<V> | undefined): readonly V[] =>
  values === undefined ? nothing : Array.isArray(values) ? values : [values as V]

function withOne<V extends BrandEntry | Owner>(
  values: OneOrMore<V> | undefined,
  one: V,
  at = toList(values).length,
): OneOrMore<V> | undefined {
  return values === undefined ? one : toList(values).toSpliced(at, 0, one)
}

/** Returns the values that belong to other brands. */
function without<V extends BrandEntry | Owner>(values: OneOrMore<V> | undefined, one: V): OneOrMore<V> | undefined {
  const left = toList(values).filter((other) => getEntry(other) !== getEntry(one))
  return left.length > 1 ? left : left[0]
}

const getEntry = (one: BrandEntry | Owner) => ('entry' in one ? one.entry : one)

/**
 * Returns true if the form may be found with letters missing. That requires knowing more about the brand than its name.
 */
function isFoundInPart({ entry, kind, form }: Owner): boolean {
  const isWhole = kind === 'name' || kind === 'alias' || kind === 'spelling'
  return isWhole && !entry.isNameOnly && form.length > openingLetters
}

function buildEntry(facts: BrandFacts, known: KnownForms, markets: Map<string, Market>): BrandEntry {
  const { forms, isWellKnown, isConfirmedBySite, words } = known
  const key = `${facts.mccs} ${facts.countries}`
  const market = markets.get(key) ?? buildMarket(facts)
  markets.set(key, market)
  return {
    facts,
    market,
    form: forms[0]?.kind === 'name' ? forms[0].form : '',
    isWellKnown,
    isConfirmedBySite,
    isNameOnly: !isWellKnown && facts.aliases.length === 0 && toDomains(facts).length === 0,
    words,
  }
}

function buildMarket({ mccs, countries = [] }: BrandFacts): Market {
  const areas = countries.map((area) => area.toLowerCase())
  const states = areas.filter((area) => area.length === 5).map((area) => area.slice(3))
  // Software, streaming, games, rides and deliveries can be paid for from anywhere, regardless of the countries the
  // brand lists.
  const isAnywhere = areas.length === 0 || areas.includes('001') || isBusiness('online', mccs)
  return {
    mccs,
    countries: isAnywhere ? null : new Set(areas.map((area) => area.slice(0, 2))),
    states: areas.length > 0 && states.length === areas.length ? new Set(states) : null,
  }
}

const toIds = ({ merchantIds }: BrandFacts) => new Set(merchantIds.map((id) => id.trim()).filter((id) => id !== ''))

function toDomains({ domains }: BrandFacts): readonly string[] {
  return [...new Set(domains.map(findDeclaredDomain).filter((domain) => domain !== null))]
}

/** Looks up the owners under a key. */
export const findOwners = <V extends object>(map: ShardedMap<OneOrMore<V>>, key: string, hash?: number): readonly V[] =>
  toList(lookUp(map, key, hash))

const nothing: readonly never[] = []
