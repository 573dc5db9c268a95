import { toDay } from '../../../platform/calendar.ts'
import { type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import { KNOWN_MAX } from '../../../platform/http/callers/key-cache.ts'
import type { KeyLimits } from '../../../platform/http/callers/key-limits.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Actor } from '../../accounts/index.ts'
import { getPublisher, isMoving, type Publisher, type Scope } from '../../publishers/index.ts'
import { API_KEY, type ApiKey } from './api-key.ts'

/** The scopes and limits of a caller, who is authenticated by the publisher's key or as a person. */
export type LiveKey = KeyLimits & {
  readonly keyId: string
  readonly scopes: readonly Scope[]
  /** The API version that the key is pinned to. */
  readonly version: string
  readonly publisher: Publisher
  /** True if the publisher has left this installation or is leaving it. */
  readonly isMoving: boolean
  /**
   * The person acting for the publisher, whose changes are recorded in the audit log; null for a program with the
   * publisher's key.
   */
  readonly actor: Actor | null
}

export async function findLiveKey(reader: Reader, sha256: Buffer): Promise<LiveKey | null> {
  // all publishers: the key identifies its publisher
  const [row] = await reader<(Omit<LiveKey, 'publisher' | 'actor'> & { readonly publisherId: PublisherId })[]>`
    select key_id, publisher_id, scopes, interface_version as version, expires_at, address_ranges,
      ${isMoving(reader)} as is_moving
    from api_keys where sha256 = ${sha256} and revoked_at is null`
  return row === undefined ? null : { ...row, actor: null, publisher: await getPublisher(reader, row.publisherId) }
}

/** Records the day on which keys were last used. Only the first use each day is written. */
export async function markKeysUsed(tx: Tx, keyIds: readonly string[], day: Date): Promise<void> {
  // all publishers: the keys used may belong to any of them
  await tx`
    update api_keys set last_used_on = ${toDay(day, 'UTC')}
    where key_id = any(${keyIds as string[]}::uuid[]) and (last_used_on is null or last_used_on < ${toDay(day, 'UTC')})`
}

/** Lists the hashes of the newest active keys of publishers or of operators. */
export async function listLiveHashes(reader: Reader, table: 'api_keys' | 'operators'): Promise<Buffer[]> {
  const rows = await reader<{ sha256: Buffer }[]>`
    -- all publishers: a presented key may belong to any of them
    select sha256 from ${reader(table)} where revoked_at is null order by created_at desc limit ${KNOWN_MAX}`
  return rows.map(({ sha256 }) => sha256)
}

export async function insertApiKey(tx: Tx, key: ApiKey & { readonly sha256: Buffer }): Promise<void> {
  await tx`insert into api_keys ${tx(key, ...API_KEY.columns, 'sha256')}`
}

export async function listApiKeys(reader: Reader, publisherId: PublisherId): Promise<ApiKey[]> {
  return reader<ApiKey[]>`
    select ${selectColumns(reader, 'api_keys', API_KEY.columns)} from api_keys
    where publisher_id = ${publisherId}
    order by created_at, key_id`
}

export async function markKeyRevoked(tx: Tx, keyId: ApiKey['keyId'], now: Date): Promise<ApiKey | null> {
  // all publishers: the operator names a key by its own ID
  const [row] = await tx<ApiKey[]>`
    update api_keys set revoked_at = ${now} where key_id = ${keyId} and revoked_at is null
    returning ${selectColumns(tx, 'api_keys', API_KEY.columns)}`
  return row ?? null
}
