import type { Tx } from '../../../platform/db/database.ts'
import { toCanonicalJson } from '../../../platform/text/canonical-json.ts'
import type { Category } from '../catalog.ts'
import { countEffects, type DiffRow, type Effects, listChangedBrands, listChangedOffers } from './diff-queries.ts'

export type FieldChange = { readonly field: string; readonly from: unknown; readonly to: unknown }
export type CatalogChange = {
  readonly change: 'added' | 'changed' | 'retired'
  readonly uid: string
  readonly name: string
  readonly brandName: string | null
  /** Empty for added brands and offers. */
  readonly fields: readonly FieldChange[]
}
/** The effects of an import: the first changed brands and offers, and counts of all effects. */
export type CatalogDiff = {
  readonly categories: readonly Category[]
  readonly brands: readonly CatalogChange[]
  readonly offers: readonly CatalogChange[]
  readonly effects: Effects
}

// As many changes as a person would read. The counts cover all changes.
const SHOWN_MAX = 50

export async function readDiff(tx: Tx, categories: readonly Category[]): Promise<CatalogDiff> {
  return {
    categories,
    brands: (await listChangedBrands(tx, SHOWN_MAX)).map(toChange),
    offers: (await listChangedOffers(tx, SHOWN_MAX)).map(toChange),
    effects: await countEffects(tx),
  }
}

function toChange({ uid, name, brandName, known, retires, before, after }: DiffRow): CatalogChange {
  const change = retires ? 'retired' : known ? 'changed' : 'added'
  return { change, uid, name, brandName, fields: known ? listFieldChanges(before ?? {}, after) : [] }
}

/**
 * Lists the members that differ between two contents, with their paths. A list whose length changed is reported as a
 * whole.
 */
export function listFieldChanges(before: object, after: object, prefix = ''): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const from: unknown = before[name as keyof typeof before] ?? null
    const to: unknown = after[name as keyof typeof after] ?? null
    const field = prefix === '' ? name : `${prefix}.${name}`
    if (sameText(from, to)) return []
    return haveSameParts(from, to) ? listFieldChanges(from as object, to as object, field) : [{ field, from, to }]
  })
}

function haveSameParts(from: unknown, to: unknown): boolean {
  if (from === null || to === null || typeof from !== 'object' || typeof to !== 'object') return false
  if (!Array.isArray(from) || !Array.isArray(to)) return Array.isArray(from) === Array.isArray(to)
  return from.length === to.length && [...from, ...to].every((part) => typeof part === 'object')
}

/** Compares two values regardless of member order, which the database does not preserve. */
function sameText(from: unknown, to: unknown): boolean {
  return toCanonicalJson(from) === toCanonicalJson(to)
}
