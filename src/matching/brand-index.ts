import { declaredDomain } from './domains.ts'
import { type Form, type FormKind, type KnownForms, knownForms, type Risk } from './forms.ts'
import { draftOf, filterWith, type HashFilter, lookUp, noShards, type Shards } from './shards.ts'
import type { BrandFacts } from './types.ts'

// What brands are looked up by. A change makes a new index that shares with the old one whatever it did not touch, and
// equals the index built afresh from the same brands, in whatever order they came.

/** A brand as the index knows it. */
export type Entry = {
  readonly facts: BrandFacts
  /** The packs of statements know it: a name that half the country pays at. */
  readonly famous: boolean
  /** They know it by its website, not only by its name. */
  readonly bySite: boolean
  /** No alias, no website, in no pack: its name is all that is known, and others may be called so too. */
  readonly tail: boolean
  /** Two letters each; null: everywhere. */
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

export type BrandIndex = {
  readonly byUid: Shards<Entry>
  readonly byMerchantId: Shards<readonly Entry[]>
  readonly byDomain: Shards<readonly Entry[]>
  readonly byForm: Shards<readonly Owner[]>
  /** Which beginnings of a text may be a form or open one. */
  readonly filter: HashFilter
  /** The forms that begin with the same letters, in order: for names that were cut and for slips of the pen. */
  readonly byOpening: Shards<readonly string[]>
  /** In how many brands' names a word occurs. */
  readonly wordCounts: Shards<number>
}

const emptyIndex: BrandIndex = {
  byUid: noShards,
  byMerchantId: noShards,
  byDomain: noShards,
  byForm: noShards,
  filter: filterWith(null, []),
  byOpening: noShards,
  wordCounts: noShards,
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
  const drafts = { ...draftsOf(index), added: new Set<string>() }
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
    filter: filterWith(index.filter, drafts.added),
    byOpening: drafts.byOpening.done(),
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
    wordCounts: draftOf(index.wordCounts),
  }
}
type Drafts = ReturnType<typeof draftsOf> & { readonly added: Set<string> }

function add(drafts: Drafts, facts: BrandFacts): void {
  const known = knownForms(facts)
  const { forms } = known
  const entry = entryOf(facts, known)
  drafts.byUid.set(facts.brandUid, entry)
  for (const id of idsOf(facts)) drafts.byMerchantId.set(id, [...(drafts.byMerchantId.get(id) ?? []), entry])
  for (const domain of domainsOf(facts)) drafts.byDomain.set(domain, [...(drafts.byDomain.get(domain) ?? []), entry])
  for (const form of forms) addForm(drafts, entry, form)
  for (const word of entry.words) drafts.wordCounts.set(word, (drafts.wordCounts.get(word) ?? 0) + 1)
}

function addForm(drafts: Drafts, entry: Entry, { form, kind, risk }: Form): void {
  drafts.added.add(form)
  const owners = drafts.byForm.get(form)
  const owner: Owner = { entry, kind, risk }
  drafts.byForm.set(form, owners === undefined ? [owner] : [...owners, owner])
  if (!opens(owner, form)) return
  const opening = openingOf(form)
  drafts.added.add(opening)
  const forms = drafts.byOpening.get(opening) ?? []
  const at = placeIn(forms, form)
  if (forms[at] !== form) drafts.byOpening.set(opening, forms.toSpliced(at, 0, form))
}

function remove(drafts: Drafts, uid: string): void {
  const entry = drafts.byUid.get(uid)
  if (entry === undefined) return
  drafts.byUid.delete(uid)
  const others = (entries: readonly Entry[] | undefined) => (entries ?? []).filter((one) => one !== entry)
  for (const id of idsOf(entry.facts)) put(drafts.byMerchantId, id, others(drafts.byMerchantId.get(id)))
  for (const domain of domainsOf(entry.facts)) put(drafts.byDomain, domain, others(drafts.byDomain.get(domain)))
  for (const { form } of knownForms(entry.facts).forms) removeForm(drafts, entry, form)
  for (const word of entry.words) {
    const count = (drafts.wordCounts.get(word) ?? 1) - 1
    if (count === 0) drafts.wordCounts.delete(word)
    else drafts.wordCounts.set(word, count)
  }
}

function removeForm(drafts: Drafts, entry: Entry, form: string): void {
  const left = (drafts.byForm.get(form) ?? []).filter((owner) => owner.entry !== entry)
  put(drafts.byForm, form, left)
  if (left.some((owner) => opens(owner, form))) return
  const opening = openingOf(form)
  put(
    drafts.byOpening,
    opening,
    (drafts.byOpening.get(opening) ?? []).filter((other) => other !== form),
  )
}

function put<V>(
  draft: { set(key: string, value: readonly V[]): void; delete(key: string): void },
  key: string,
  list: readonly V[],
): void {
  if (list.length === 0) draft.delete(key)
  else draft.set(key, list)
}

// A name that is found although its end is missing must be one of a brand that is known by more than its name.
function opens({ entry, kind }: Owner, form: string): boolean {
  return !entry.tail && (kind === 'name' || kind === 'alias' || kind === 'spelling') && form.length > openingLetters
}

/** Where a form stands in an ordered list, or would stand. */
export function placeIn(forms: readonly string[], form: string): number {
  let low = 0
  let high = forms.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((forms[middle] ?? '') < form) low = middle + 1
    else high = middle
  }
  return low
}

function entryOf(facts: BrandFacts, { forms, famous, bySite, words }: KnownForms): Entry {
  const areas = (facts.countries ?? []).map((area) => area.toLowerCase())
  const countries = new Set(areas.map((area) => area.slice(0, 2)))
  const states = areas.filter((area) => area.length === 5).map((area) => area.slice(3))
  return {
    facts,
    form: forms[0]?.kind === 'name' ? forms[0].form : '',
    famous,
    bySite,
    tail: !famous && facts.aliases.length === 0 && domainsOf(facts).length === 0,
    countries: areas.length === 0 || areas.includes('001') ? null : countries,
    states: areas.length > 0 && states.length === areas.length ? new Set(states) : null,
    words,
  }
}

function idsOf({ merchantIds }: BrandFacts): readonly string[] {
  return [...new Set(merchantIds.map((id) => id.trim()).filter((id) => id !== ''))]
}

function domainsOf({ domains }: BrandFacts): readonly string[] {
  return [...new Set(domains.map(declaredDomain).filter((domain) => domain !== null))]
}

/** The brands that stand under a key. */
export function ownersOf<V>(shards: Shards<readonly V[]>, key: string): readonly V[] {
  return lookUp(shards, key) ?? []
}
