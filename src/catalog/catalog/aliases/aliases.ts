import { announce, type Reader, type Tx } from '../../../platform/db/database.ts'
import { encodeId, newUuid, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import { bumpVersion } from '../queries.ts'
import type { AliasRow } from './alias-queries.ts'
import * as queries from './alias-queries.ts'

/** The topic on which alias changes are announced. */
export const ALIASES_CHANGED = 'laurel_aliases_changed'

/** The author of aliases learned from purchases. No person may use this name. */
export const LEARNT = 'learnt'

export type Alias = {
  readonly aliasUid: string
  readonly brandUid: string | null
  /** Learned from purchases. A person's decision takes precedence. */
  readonly isLearnt: boolean
}
/** Aliases by merchant key. `brandUid` is null if the merchant is not a brand in this catalog. */
export type Aliases = { get(key: string): Alias | undefined }

/**
 * Aliases by publisher. A publisher's own aliases take precedence over those for all publishers. The book stays the
 * same object until an alias changes.
 */
export type AliasBook = { readonly version: number; of(publisherId: PublisherId | null): Aliases }

export const NO_ALIASES: Aliases = new Map()

export async function loadAliasBook(reader: Reader, version: number): Promise<AliasBook> {
  return buildAliasBook(version, await queries.listAliases(reader))
}

export function buildAliasBook(version: number, rows: readonly AliasRow[]): AliasBook {
  const byPublisher = new Map<PublisherId | null, Map<string, Alias>>()
  for (const { aliasUid, publisherId, key, brandUid, decidedBy } of rows) {
    const alias = { aliasUid: encodeId('als', aliasUid), brandUid, isLearnt: decidedBy === LEARNT }
    const own = byPublisher.get(publisherId) ?? new Map<string, Alias>()
    byPublisher.set(publisherId, own.set(key, alias))
  }
  const forAll: Aliases = byPublisher.get(null) ?? NO_ALIASES
  byPublisher.delete(null)
  const books = new Map<PublisherId | null, Aliases>(
    [...byPublisher].map(([publisherId, own]) => [publisherId, { get: (key: string) => chosen(own, forAll, key) }]),
  )
  return { version, of: (publisherId) => books.get(publisherId) ?? forAll }
}

/** Prefers a person's decision to a learned alias, and the publisher's own alias to the one for all publishers. */
function chosen(own: Aliases, forAll: Aliases, key: string): Alias | undefined {
  const nearest = own.get(key)
  if (nearest?.isLearnt === false) return nearest
  return forAll.get(key) ?? nearest
}

type Decision = {
  /** Null for all publishers. */
  readonly publisherId: PublisherId | null
  readonly key: string
  readonly brandUid: string | null
  readonly by: string
  readonly note: string | null
}

/**
 * Records a person's decision and revokes the one it replaces.
 * @throws Refusal decider_invalid
 */
export async function decideAlias(tx: Tx, decision: Decision, now: Date): Promise<string> {
  const { publisherId, key, brandUid, by, note } = decision
  refuseNoPerson(by)
  const aliasUid = newUuid<'alias'>()
  await announceAliases(tx)
  await queries.revokeAliases(tx, { publisherId, key }, by, now)
  const alias = { aliasUid, publisherId, key, brandUid, decidedBy: by, decidedAt: now, note }
  await queries.insertAliases(tx, [{ ...alias, revokedAt: null, revokedBy: null }])
  return aliasUid
}

/**
 * Revokes an alias. If the alias for all publishers binds the merchant to the same brand, revokes that one too, because
 * otherwise the merchant would stay bound.
 * @returns the revoked ids; empty if the alias had already been revoked or replaced
 * @throws Refusal decider_invalid
 */
export async function revokeDecision(tx: Tx, aliasUid: string, by: string, now: Date): Promise<string[]> {
  refuseNoPerson(by)
  await announceAliases(tx)
  return queries.revokeWithAliasForAll(tx, aliasUid, by, now)
}

/** @throws Refusal alias_not_found, decider_invalid */
export async function revokeAlias(tx: Tx, aliasUid: string, by: string, now: Date): Promise<AliasRow> {
  refuseNoPerson(by)
  await announceAliases(tx)
  const [revoked] = await queries.revokeAliases(tx, { aliasUids: [aliasUid] }, by, now)
  if (revoked === undefined)
    throw new Refusal<CatalogRefusal>('alias_not_found', 'There is no active alias with this id.')
  return revoked
}

/** Makes every process reload the aliases once this transaction commits. */
export async function announceAliases(tx: Tx): Promise<void> {
  await bumpVersion(tx, 'alias_version')
  await announce(tx, ALIASES_CHANGED)
}

function refuseNoPerson(by: string): void {
  if (by.trim() === '' || by.trim().toLowerCase() === LEARNT)
    throw new Refusal<CatalogRefusal>('decider_invalid', `"${by}" is not a person's name.`, { field: 'decided_by' })
}
