import { createHash } from 'node:crypto'
import { compare } from '../../../platform/compare.ts'
import type { Split } from '../net.ts'
import type { EntryRow } from './assortment-queries.ts'

/**
 * A publisher's changes to the catalog. An offer's entry takes precedence over its brand's, which takes precedence over
 * its category's.
 */
export type AssortmentContent = {
  /** True if everything without an entry is carried. */
  readonly carriesOthers: boolean
  /** Categories have neither a split nor wording, and brands have no wording. */
  readonly categories: ReadonlyMap<number, EntryTerms>
  readonly brands: ReadonlyMap<string, EntryTerms>
  readonly offers: ReadonlyMap<string, EntryTerms>
  /** Categories that are not listed follow in catalog order. */
  readonly categoryOrder: readonly number[]
}
/** A null member is inherited from the brand or category, and ultimately from the agreement and the catalog. */
export type EntryTerms = {
  readonly carried: boolean | null
  readonly split: Split | null
  readonly wording: string | null
}

/** A publisher without entries carries everything on the terms of its agreement. */
export const everythingCarried: AssortmentContent = {
  carriesOthers: true,
  categories: new Map(),
  brands: new Map(),
  offers: new Map(),
  categoryOrder: [],
}
export const noTerms: EntryTerms = { carried: null, split: null, wording: null }

export function buildContent(rows: readonly EntryRow[]): AssortmentContent {
  let { carriesOthers, categoryOrder } = everythingCarried
  const categories = new Map<number, EntryTerms>()
  const brands = new Map<string, EntryTerms>()
  const offers = new Map<string, EntryTerms>()
  for (const row of rows) {
    if (row.offerUid !== null) addTerms(offers, row.offerUid, row)
    else if (row.brandUid !== null) addTerms(brands, row.brandUid, row)
    else if (row.categoryId !== null) addTerms(categories, row.categoryId, row)
    else if (row.says === 'carriage') carriesOthers = row.carried === true
    else categoryOrder = row.categoryOrder ?? []
  }
  return { carriesOthers, categories, brands, offers, categoryOrder }
}

function addTerms<Id>(said: Map<Id, EntryTerms>, id: Id, row: EntryRow): void {
  said.set(id, { ...(said.get(id) ?? noTerms), ...termsIn(row) })
}

function termsIn({ says, carried, feePpm, sharePpm, wording }: EntryRow): Partial<EntryTerms> {
  if (says === 'carriage') return { carried }
  if (says === 'wording') return { wording }
  return feePpm === null || sharePpm === null ? {} : { split: { feePpm, sharePpm } }
}

/** Returns one row per entry, sorted, so that equal contents yield equal rows. */
export function toEntries(content: AssortmentContent): EntryRow[] {
  const { carriesOthers, categories, brands, offers, categoryOrder } = content
  return [
    ...(carriesOthers ? [] : [entry({ says: 'carriage', carried: false })]),
    ...(categoryOrder.length === 0 ? [] : [entry({ says: 'category_order', categoryOrder })]),
    ...sorted(categories).flatMap(([categoryId, said]) => entriesAbout({ categoryId }, said)),
    ...sorted(brands).flatMap(([brandUid, said]) => entriesAbout({ brandUid }, said)),
    ...sorted(offers).flatMap(([offerUid, said]) => entriesAbout({ offerUid }, said)),
  ]
}

function entriesAbout(subject: Partial<EntryRow>, { carried, split, wording }: EntryTerms): EntryRow[] {
  return [
    ...(carried === null ? [] : [entry({ ...subject, says: 'carriage', carried })]),
    ...(split === null ? [] : [entry({ ...subject, says: 'split', ...split })]),
    ...(wording === null ? [] : [entry({ ...subject, says: 'wording', wording })]),
  ]
}

const blank = {
  categoryId: null,
  brandUid: null,
  offerUid: null,
  carried: null,
  feePpm: null,
  sharePpm: null,
  wording: null,
  categoryOrder: null,
}

function entry(said: Partial<EntryRow> & Pick<EntryRow, 'says'>): EntryRow {
  return { ...blank, ...said }
}

export function sorted<Key extends number | string, Value>(map: ReadonlyMap<Key, Value>): [Key, Value][] {
  return [...map].sort(([a], [b]) => compare(a, b))
}

/** Returns a content hash, or an empty string if there are no entries. */
export function deriveContentName(content: AssortmentContent): string {
  const entries = toEntries(content)
  return entries.length === 0 ? '' : createHash('sha256').update(JSON.stringify(entries)).digest('base64url')
}
