import type { Tx } from '../../platform/database.ts'
import type { Category } from '../catalog.ts'
import { countEffects, type Difference, type Effects, listChangedBrands, listChangedOffers } from './diff-queries.ts'

export type FieldChange = { readonly field: string; readonly from: unknown; readonly to: unknown }
export type Change = {
  readonly change: 'added' | 'changed' | 'retired'
  readonly uid: string
  readonly name: string
  readonly brandName: string | null
  /** Of what was there already. */
  readonly fields: readonly FieldChange[]
}
/** What an import would change. Of very many brands and offers the first are told, and counts say of how many. */
export type CatalogDiff = {
  readonly categories: readonly Category[]
  readonly brands: readonly Change[]
  readonly offers: readonly Change[]
  readonly effects: Effects
}

// What a person reads; beyond that, counts tell more.
const SHOWN_MAX = 50

export async function diffOf(tx: Tx, categories: readonly Category[]): Promise<CatalogDiff> {
  return {
    categories,
    brands: (await listChangedBrands(tx, SHOWN_MAX)).map(changeOf),
    offers: (await listChangedOffers(tx, SHOWN_MAX)).map(changeOf),
    effects: await countEffects(tx),
  }
}

function changeOf({ uid, name, brandName, known, retires, before, after }: Difference): Change {
  const change = retires ? 'retired' : known ? 'changed' : 'added'
  return { change, uid, name, brandName, fields: known ? fieldChanges(before ?? {}, after) : [] }
}

/** Which members differ between two contents, each by its way from the top; lists of other lengths are told whole. */
export function fieldChanges(before: object, after: object, way = ''): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const from: unknown = before[name as keyof typeof before] ?? null
    const to: unknown = after[name as keyof typeof after] ?? null
    const field = way === '' ? name : `${way}.${name}`
    if (sameText(from, to)) return []
    return haveSameParts(from, to) ? fieldChanges(from as object, to as object, field) : [{ field, from, to }]
  })
}

function haveSameParts(from: unknown, to: unknown): boolean {
  if (from === null || to === null || typeof from !== 'object' || typeof to !== 'object') return false
  if (!Array.isArray(from) || !Array.isArray(to)) return Array.isArray(from) === Array.isArray(to)
  return from.length === to.length && [...from, ...to].every((part) => typeof part === 'object')
}

/** Equal whatever the order of their members: the database keeps them in one of its own. */
function sameText(from: unknown, to: unknown): boolean {
  return canonical(from) === canonical(to)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
