import { announce, type Reader, type Tx } from '../../platform/database.ts'
import { encodeId, newUuid, type PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import type { AliasRow } from './alias-queries.ts'
import * as queries from './alias-queries.ts'

/** Announced by each change of an alias. */
export const ALIASES_CHANGED = 'laurel_aliases_changed'

/** Who decided what purchases taught by themselves; no person is called so. */
export const LEARNT = 'learnt'

export type Alias = {
  readonly aliasUid: string
  readonly brandUid: string | null
  /** Taught by purchases; a person's answer goes before it. */
  readonly isLearnt: boolean
}
/** What is said about merchants, by the key under which matching asks for them. No brand: it is none of this catalog. */
export type Aliases = { get(key: string): Alias | undefined }

/** The aliases as each publisher has them: its own before those for all. The same object for as long as nothing changed. */
export type AliasBook = { readonly version: number; of(publisherId: PublisherId): Aliases }

export const NO_ALIASES: Aliases = new Map()
export const emptyAliasBook: AliasBook = { version: 0, of: () => NO_ALIASES }

export async function loadAliasBook(reader: Reader): Promise<AliasBook> {
  // The version first: what is added meanwhile is in the list, and loaded once more.
  const version = await queries.getAliasVersion(reader)
  return aliasBookOf(version, await queries.listAliases(reader))
}

export function aliasBookOf(version: number, rows: readonly AliasRow[]): AliasBook {
  const byPublisher = new Map<PublisherId | null, Map<string, Alias>>()
  for (const { aliasUid, publisherId, key, brandUid, decidedBy } of rows) {
    const alias = { aliasUid: encodeId('als', aliasUid), brandUid, isLearnt: decidedBy === LEARNT }
    const known = byPublisher.get(publisherId)
    if (known === undefined) byPublisher.set(publisherId, new Map([[key, alias]]))
    else known.set(key, alias)
  }
  const forAll: Aliases = byPublisher.get(null) ?? NO_ALIASES
  const joined = new Map(
    [...byPublisher].map(([publisherId, own]) => [publisherId, { get: (key: string) => chosen(own, forAll, key) }]),
  )
  return { version, of: (publisherId) => joined.get(publisherId) ?? forAll }
}

/** Nearer goes before farther, and a person's answer before all that was learnt. */
function chosen(own: Aliases, forAll: Aliases, key: string): Alias | undefined {
  const nearest = own.get(key)
  if (nearest?.isLearnt === false) return nearest
  return forAll.get(key) ?? nearest
}

export type Decision = {
  /** Null: for all. */
  readonly publisherId: PublisherId | null
  readonly key: string
  readonly brandUid: string | null
  readonly by: string
  readonly note: string | null
}

/** Keeps a person's answer; the one it replaces is revoked by the same person. @throws Refusal decider_invalid */
export async function decideAlias(tx: Tx, decision: Decision, now: Date): Promise<string> {
  const { publisherId, key, brandUid, by, note } = decision
  refuseNobody(by)
  const aliasUid = newUuid<'alias'>()
  await changed(tx)
  await queries.revokeLiveAlias(tx, publisherId, key, { by, at: now })
  const alias = { aliasUid, publisherId, key, brandUid, decidedBy: by, decidedAt: now, note }
  await queries.insertAliases(tx, [{ ...alias, revokedAt: null, revokedBy: null }])
  return aliasUid
}

/** @throws Refusal alias_not_found, decider_invalid */
export async function revokeAlias(tx: Tx, aliasUid: string, by: string, now: Date): Promise<AliasRow> {
  refuseNobody(by)
  await changed(tx)
  const revoked = await queries.revokeAliasById(tx, aliasUid, { by, at: now })
  if (revoked === null) throw new Refusal<CatalogRefusal>('alias_not_found', 'There is no such alias that counts.')
  return revoked
}

/** Makes every process load the aliases again, once this transaction is committed. */
export async function changed(tx: Tx): Promise<void> {
  await queries.bumpAliasVersion(tx)
  await announce(tx, ALIASES_CHANGED)
}

function refuseNobody(by: string): void {
  if (by.trim() === '' || by.trim().toLowerCase() === LEARNT)
    throw new Refusal<CatalogRefusal>('decider_invalid', `"${by}" is nobody's name.`, { field: 'decided_by' })
}
