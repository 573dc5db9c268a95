import { draftOf, emptyMap, lookUp, type ShardedMap } from '../../platform/sharded-map.ts'
import { consonantKeyOf } from '../text/consonant-key.ts'
import { declaredDomain } from '../text/domains.ts'
import { placeIn } from '../text/tokens.ts'
import type { BrandFacts } from '../types.ts'
import { emptyFilter, type FilterDraft, filterDraftOf, type HashFilter } from './hash-filter.ts'
import { type Form, type FormKind, type KnownForms, knownForms, type Risk } from './name-forms.ts'

// What brands are looked up by. A change makes a new index that shares with the old one whatever it did not touch, and
// equals the index built afresh from the same brands, in whatever order they came.

/** A brand as the index knows it. */
export type Entry = {
  readonly facts: BrandFacts
  /** The packs of statements know it: a name that half the country pays at. */
  readonly isWellKnown: boolean
  /** They know it by its website, not only by its name. */
  readonly isConfirmedBySite: boolean
  /** No alias, no website, in no pack: its name is all that is known, and others may be called so too. */
  readonly isNameOnly: boolean
  /** Two letters each; null: everywhere, as of what is bought online. */
  readonly countries: ReadonlySet<string> | null
  /** `us-ca` and the like, where a brand is in a few states only; null: not limited. */
  readonly states: ReadonlySet<string> | null
  /** Its name without spaces. */
  readonly form: string
  /** The words of its names, among them trades that are therefore no sign against it. */
  readonly words: readonly string[]
}

/** A brand that a form stands for, and how well. */
export type Owner = { readonly entry: Entry; readonly kind: FormKind; readonly risk: Risk }

/** A form of an owner that may be shortened. */
export type Bare = { readonly form: string; readonly owner: Owner }

export type BrandIndex = {
  readonly byUid: ShardedMap<Entry>
  readonly byMerchantId: ShardedMap<readonly Entry[]>
  readonly byDomain: ShardedMap<readonly Entry[]>
  readonly byForm: ShardedMap<readonly Owner[]>
  /** Which beginnings of a text may be a form or open one. */
  readonly filter: HashFilter
  /** The forms that begin with the same letters, in order: for names that were cut and for slips of the pen. */
  readonly byOpening: ShardedMap<readonly string[]>
  /** Forms by what is left of them without vowels. */
  readonly byConsonantKey: ShardedMap<readonly Bare[]>
  /** In how many brands' names a word occurs. */
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

/** The index with these brands added or changed and those gone. The old index stays as it was. */
export function changeBrandIndex(
  index: BrandIndex,
  changed: readonly BrandFacts[],
  removedUids: readonly string[],
): BrandIndex {
  const drafts = { ...draftsOf(index), filter: filterDraftOf(index.filter) }
  for (const uid of removedUids) remove(drafts, uid)
  for (const brand of changed) {
    remove(drafts, brand.brandUid)
    add(drafts, brand)
  }
  return {
    byUid: drafts.byUid.done(),
    byMerchantId: drafts.byMerchantId.done(),
    byDomain: drafts.byDomain.done(),
    byForm: drafts.byForm.done(),
    filter: drafts.filter.done(),
    byOpening: drafts.byOpening.done(),
    byConsonantKey: drafts.byConsonantKey.done(),
    wordCounts: drafts.wordCounts.done(),
  }
}

/** The letters under which a form is found again when its end is lost or misspelt. */
export const openingLetters = 6
export const openingOf = (form: string) => form.slice(0, openingLetters)

function draftsOf(index: BrandIndex) {
  return {
    byUid: draftOf(index.byUid),
    byMerchantId: draftOf(index.byMerchantId),
    byDomain: draftOf(index.byDomain),
    byForm: draftOf(index.byForm),
    byOpening: draftOf(index.byOpening),
    byConsonantKey: draftOf(index.byConsonantKey),
    wordCounts: draftOf(index.wordCounts),
  }
}
type Drafts = ReturnType<typeof draftsOf> & { readonly filter: FilterDraft }

function add(drafts: Drafts, facts: BrandFacts): void {
  const known = knownForms(facts)
  const { forms } = known
  const entry = entryOf(facts, known)
  drafts.byUid.change(facts.brandUid, () => entry)
  for (const id of idsOf(facts)) drafts.byMerchantId.change(id, (list) => withOne(list, entry))
  for (const domain of domainsOf(facts)) drafts.byDomain.change(domain, (list) => withOne(list, entry))
  for (const form of forms) addForm(drafts, entry, form)
  for (const word of entry.words) drafts.wordCounts.change(word, (count = 0) => count + 1)
}

function addForm(drafts: Drafts, entry: Entry, { form, kind, risk }: Form): void {
  drafts.filter.add(form)
  const owner: Owner = { entry, kind, risk }
  drafts.byForm.change(form, (owners) => withOne(owners, owner))
  if (!opens(owner, form)) return
  const consonantKey = consonantKeyOf(form)
  drafts.filter.add(consonantKey)
  drafts.byConsonantKey.change(consonantKey, (bare) => withOne(bare, { form, owner }))
  const opening = openingOf(form)
  drafts.filter.add(opening)
  drafts.byOpening.change(opening, (forms = []) => {
    const at = placeIn(forms, form)
    return forms[at] === form ? forms : forms.toSpliced(at, 0, form)
  })
}

function remove(drafts: Drafts, uid: string): void {
  const entry = drafts.byUid.get(uid)
  if (entry === undefined) return
  drafts.byUid.change(uid, () => undefined)
  for (const id of idsOf(entry.facts)) drafts.byMerchantId.change(id, (list) => without(list, (one) => one === entry))
  for (const domain of domainsOf(entry.facts))
    drafts.byDomain.change(domain, (list) => without(list, (one) => one === entry))
  for (const { form } of knownForms(entry.facts).forms) removeForm(drafts, entry, form)
  for (const word of entry.words) drafts.wordCounts.change(word, (count = 1) => (count === 1 ? undefined : count - 1))
}

function removeForm(drafts: Drafts, entry: Entry, form: string): void {
  drafts.byForm.change(form, (owners) => without(owners, (owner) => owner.entry === entry))
  const consonantKey = consonantKeyOf(form)
  if (drafts.byConsonantKey.get(consonantKey) !== undefined)
    drafts.byConsonantKey.change(consonantKey, (bare) => without(bare, ({ owner }) => owner.entry === entry))
  if (drafts.byForm.get(form)?.some((owner) => opens(owner, form)) === true) return
  // A form that opens nothing has no list to be taken from, and none is made for it.
  const opening = openingOf(form)
  if (drafts.byOpening.get(opening) !== undefined)
    drafts.byOpening.change(opening, (forms) => without(forms, (other) => other === form))
}

const withOne = <V>(list: readonly V[] | undefined, one: V): readonly V[] =>
  list === undefined ? [one] : [...list, one]

function without<V>(list: readonly V[] | undefined, isGone: (one: V) => boolean): readonly V[] | undefined {
  const left = list?.filter((one) => !isGone(one))
  return left === undefined || left.length === 0 ? undefined : left
}

// A name that is found although its end is missing must be one of a brand that is known by more than its name.
function opens({ entry, kind }: Owner, form: string): boolean {
  return (
    !entry.isNameOnly && (kind === 'name' || kind === 'alias' || kind === 'spelling') && form.length > openingLetters
  )
}

function entryOf(facts: BrandFacts, { forms, isWellKnown, isConfirmedBySite, words }: KnownForms): Entry {
  const areas = (facts.countries ?? []).map((area) => area.toLowerCase())
  const states = areas.filter((area) => area.length === 5).map((area) => area.slice(3))
  return {
    facts,
    form: forms[0]?.kind === 'name' ? forms[0].form : '',
    isWellKnown,
    isConfirmedBySite,
    isNameOnly: !isWellKnown && facts.aliases.length === 0 && domainsOf(facts).length === 0,
    countries: areas.length === 0 || areas.includes('001') || isOnline(facts) ? null : countriesOf(areas),
    states: areas.length > 0 && states.length === areas.length ? new Set(states) : null,
    words,
  }
}

// Software, streams, games, rides and deliveries are paid from anywhere, whatever country the brand is listed in. Nobody
// else has the codes of a program and of what is downloaded or driven, and none of a shop or a hotel.
function isOnline({ mccs }: BrandFacts): boolean {
  if (!mccs.includes('7372') || !(mccs.includes('5817') || mccs.includes('4121'))) return false
  return !mccs.includes('7011') && !mccs.includes('5399') && !mccs.includes('5311')
}

// Most brands are met in one country, and what all of them share is at hand when the next one is asked.
const single = new Map<string, ReadonlySet<string>>()

function countriesOf(areas: readonly string[]): ReadonlySet<string> {
  const countries = new Set(areas.map((area) => area.slice(0, 2)))
  const [only = ''] = countries
  if (countries.size > 1) return countries
  const shared = single.get(only) ?? countries
  single.set(only, shared)
  return shared
}

function idsOf({ merchantIds }: BrandFacts): readonly string[] {
  return [...new Set(merchantIds.map((id) => id.trim()).filter((id) => id !== ''))]
}

function domainsOf({ domains }: BrandFacts): readonly string[] {
  return [...new Set(domains.map(declaredDomain).filter((domain) => domain !== null))]
}

/** The brands that stand under a key. */
export function ownersOf<V>(shards: ShardedMap<readonly V[]>, key: string, hash?: number): readonly V[] {
  return lookUp(shards, key, hash) ?? nobody
}

const nobody: readonly never[] = []
