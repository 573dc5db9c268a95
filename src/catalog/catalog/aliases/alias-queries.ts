import { compare } from '../../../platform/compare.ts'
import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'

/**
 * An answer about a merchant's identity. `publisherId` is null for all publishers; `brandUid` is null if the merchant
 * is not a brand in this catalog.
 */
export type AliasRow = {
  readonly aliasUid: string
  readonly publisherId: PublisherId | null
  readonly key: string
  readonly brandUid: string | null
  readonly decidedBy: string
  readonly decidedAt: Date
  readonly note: string | null
  readonly revokedAt: Date | null
  readonly revokedBy: string | null
}

const columns = (reader: Reader) => reader`
  alias_uid, publisher_id, key, brand_uid, decided_by, decided_at, note, revoked_at, revoked_by`

/** Lists all live aliases. */
export async function listAliases(reader: Reader): Promise<AliasRow[]> {
  // all publishers: every process caches the aliases of all of them
  return reader<AliasRow[]>`
    select ${columns(reader)} from match_aliases where revoked_at is null order by decided_at, alias_uid`
}

/** Lists a publisher's own aliases, or those that apply to all publishers, newest first, including revoked ones. */
export async function listAliasHistory(
  reader: Reader,
  publisherId: PublisherId | null,
  limit: number,
): Promise<AliasRow[]> {
  return reader<AliasRow[]>`
    select ${columns(reader)} from match_aliases
    where publisher_id is not distinct from ${publisherId}
    order by decided_at desc, alias_uid desc
    limit ${limit}`
}

const ALIAS_TYPES = {
  aliasUid: 'uuid',
  publisherId: 'uuid',
  key: 'text',
  brandUid: 'text',
  decidedBy: 'text',
  decidedAt: 'timestamptz',
  note: 'text',
  revokedAt: 'timestamptz',
  revokedBy: 'text',
} as const

export async function insertAliases(tx: Tx, aliases: readonly AliasRow[]): Promise<void> {
  // all publishers: each row carries its own publisher
  await tx`insert into match_aliases (${columns(tx)}) select given.* from ${asTable(tx, aliases, ALIAS_TYPES)}`
}

/** Revokes live aliases: either the aliases with these ids, or a publisher's alias for a key. */
export async function revokeAliases(
  tx: Tx,
  which: { readonly aliasUids: readonly string[] } | { readonly publisherId: PublisherId | null; readonly key: string },
  by: string,
  now: Date,
): Promise<AliasRow[]> {
  const isMeant =
    'aliasUids' in which
      ? tx`alias_uid = any(${which.aliasUids as string[]}::uuid[])`
      : tx`publisher_id is not distinct from ${which.publisherId} and key = ${which.key}`
  // all publishers: an id identifies a single alias
  return tx<AliasRow[]>`
    update match_aliases set revoked_at = ${now}, revoked_by = ${by}
    where ${isMeant} and revoked_at is null
    returning ${columns(tx)}`
}

/**
 * Revokes a live alias, and the live alias for all publishers if it binds the merchant to the same brand.
 * @returns the revoked ids; empty if the alias was not live
 */
export async function revokeWithAliasForAll(tx: Tx, aliasUid: string, by: string, now: Date): Promise<string[]> {
  // all publishers: the id identifies one alias, and the other applies to all of them
  const revoked = await tx<{ aliasUid: string }[]>`
    update match_aliases a set revoked_at = ${now}, revoked_by = ${by}
    from match_aliases own
    where own.alias_uid = ${aliasUid} and own.revoked_at is null and a.revoked_at is null
      and a.key = own.key and a.brand_uid is not distinct from own.brand_uid
      and (a.alias_uid = own.alias_uid or a.publisher_id is null)
    returning a.alias_uid`
  return revoked.map((one) => one.aliasUid)
}

/** A merchant seen in purchases, with the brands they matched and its existing aliases. */
export type SeenMerchant = {
  readonly publisherId: PublisherId
  readonly providerMerchantId: string
  readonly brandUids: readonly string[]
  readonly transactions: number
  /** The merchant's newest learned alias, live or revoked. */
  readonly learntUid: string | null
  readonly learntBrandUid: string | null
  readonly isLearntLive: boolean
  /** True if a person has identified the merchant, for this publisher or for all. */
  readonly isDecided: boolean
}

export async function listSeenMerchants(tx: Tx, learnt: string, limit: number): Promise<SeenMerchant[]> {
  // all publishers: learning covers every publisher
  return tx<SeenMerchant[]>`
    with seen as (
      select publisher_id, provider_merchant_id, array_agg(distinct brand_uid) as brand_uids,
        count(distinct transaction_id)::int as transactions
      from merchant_sightings
      group by publisher_id, provider_merchant_id
    )
    select seen.publisher_id, seen.provider_merchant_id,
      seen.brand_uids, seen.transactions, last.alias_uid as learnt_uid, last.brand_uid as learnt_brand_uid,
      last.alias_uid is not null and last.revoked_at is null as is_learnt_live,
      exists (
        select 1 from match_aliases a
        where a.key = 'provider:' || seen.provider_merchant_id and a.revoked_at is null and a.decided_by <> ${learnt}
          and (a.publisher_id is null or a.publisher_id = seen.publisher_id)
      ) as is_decided
    from seen
    left join lateral (
      select alias_uid, brand_uid, revoked_at from match_aliases a
      where a.publisher_id = seen.publisher_id and a.key = 'provider:' || seen.provider_merchant_id and a.decided_by = ${learnt}
      order by decided_at desc, alias_uid desc
      limit 1
    ) as last on true
    where seen.transactions > 1 or last.alias_uid is not null
    order by seen.publisher_id, seen.provider_merchant_id
    limit ${limit}`
}

export type Sighting = {
  readonly providerMerchantId: string
  readonly brandUid: string
  readonly transactionId: string
}

/** Records purchases that suggest which brand a merchant id belongs to. */
export async function recordSightings(
  tx: Tx,
  publisherId: PublisherId,
  sightings: readonly Sighting[],
  now: Date,
): Promise<void> {
  if (sightings.length === 0) return
  // Sorted, so that concurrent batches lock rows in the same order.
  const sorted = sightings.toSorted((a, b) => compare(toKey(a), toKey(b)))
  await tx`
    insert into merchant_sightings (publisher_id, provider_merchant_id, brand_uid, transaction_id, seen_at)
    select ${publisherId}, provider_merchant_id, brand_uid, transaction_id, ${now}
    from ${asTable(tx, sorted, { providerMerchantId: 'text', brandUid: 'text', transactionId: 'uuid' })}
    on conflict do nothing`
}

export async function deleteSightings(tx: Tx, merchants: readonly SeenMerchant[]): Promise<void> {
  await tx`
    delete from merchant_sightings as s
    using ${asTable(tx, merchants, { publisherId: 'uuid', providerMerchantId: 'text' })}
    where s.publisher_id = given.publisher_id and s.provider_merchant_id = given.provider_merchant_id`
}

function toKey({ providerMerchantId, brandUid, transactionId }: Sighting): string {
  return `${providerMerchantId} ${brandUid} ${transactionId}`
}
