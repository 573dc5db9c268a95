import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { Program } from '../../../sources/affiliate/index.ts'
import type { BrandRecord } from '../feed/export-queries.ts'
import { BATCH_BRANDS } from '../feed/feed.ts'
import type { BrandContent, OfferContent } from '../feed/normal-form.ts'
import { inBatches } from '../queries.ts'
import type { PlannedOffer, PlannedRow } from './plan-rows.ts'
import type { NamedBrand, NamedOffer } from './uids.ts'

/**
 * Creates temporary tables that hold an import until it is complete, so that later statements can process all rows as a
 * set. They are dropped at the end of the transaction. Rows are sent as a few long strings per batch rather than with
 * the driver's COPY, whose last two small packets are delayed by 40 ms, as long as the rest of a small import takes.
 */
export async function createStaging(tx: Tx): Promise<void> {
  await tx`set local work_mem = '64MB'`
  await tx`
    create temporary table staged_brands (
      position integer not null, brand_uid text not null, sha256 text not null, retired boolean not null,
      content json not null, computed json not null
    ) on commit drop`
  await tx`
    create temporary table staged_offers (
      brand_position integer not null, offer_uid text not null, position integer not null, brand_uid text not null,
      sha256 text not null, retired boolean not null, content json not null, computed json not null, program json
    ) on commit drop`
}

export type StagedBrand = PlannedRow & { readonly position: number; readonly brandUid: string }
export type StagedOffer = PlannedOffer & StagedBrand & { readonly brandPosition: number; readonly offerUid: string }

const BRAND_TYPES = {
  position: 'int4',
  brandUid: 'text',
  sha256: 'plain',
  retired: 'bool',
  content: 'json',
  computed: 'json',
} as const
const OFFER_TYPES = { brandPosition: 'int4', offerUid: 'text', ...BRAND_TYPES, program: 'json' } as const

export async function stageBrands(tx: Tx, brands: readonly StagedBrand[]): Promise<void> {
  await tx`insert into staged_brands select given.* from ${asTable(tx, brands, BRAND_TYPES)}`
}

export async function stageOffers(tx: Tx, offers: readonly StagedOffer[]): Promise<void> {
  await tx`insert into staged_offers select given.* from ${asTable(tx, offers, OFFER_TYPES)}`
}

/** Indexes the feed order and gathers statistics for the query planner. */
export async function indexStaging(tx: Tx): Promise<void> {
  await tx`create index on staged_brands (position)`
  await tx`create index on staged_offers (brand_position, position)`
  await tx`analyze staged_brands (position, brand_uid, sha256)`
  await tx`analyze staged_offers (brand_position, position, offer_uid, brand_uid, sha256)`
}

/** Lists brands with one of these names, oldest first. */
export async function listBrandsNamed(reader: Reader, names: readonly string[]): Promise<NamedBrand[]> {
  return reader<NamedBrand[]>`
    select brand_uid, name, website from brands
    where lower(name) = any(array(select lower(one) from unnest(${names as string[]}::text[]) one))
    order by ordinal`
}

/** Lists the offers of these brands, oldest first. */
export async function listOffersNamed(reader: Reader, brandUids: readonly string[]): Promise<NamedOffer[]> {
  return reader<NamedOffer[]>`
    select offer_uid, brand_uid, name, offer_type from offers
    where brand_uid = any(${brandUids as string[]}::text[])
    order by ordinal`
}

/**
 * A staged row whose uid duplicates that of an earlier row in the feed or belongs to another brand, or that changes an
 * offer's currency. Identified by position in the feed.
 */
type Clash = {
  readonly brand: number
  /** The position within the brand; null if the brand's own uid clashes. */
  readonly offer: number | null
  readonly uid: string
  /** The other brand that owns the offer. */
  readonly owner: string | null
  /** The offer's current currency. */
  readonly currency: string | null
}

export async function listClashes(tx: Tx, limit: number): Promise<Clash[]> {
  return tx<Clash[]>`
    (select s.position as brand, null::integer as offer, s.brand_uid as uid, null as owner, null as currency
    from staged_brands s join (
      select brand_uid, min(position) as first from staged_brands group by brand_uid having count(*) > 1
    ) twice using (brand_uid)
    where s.position > first limit ${limit})
    union all
    (select s.brand_position, s.position, s.offer_uid, null, null
    from staged_offers s join (
      select offer_uid, min(brand_position * 1000000::bigint + position) as first from staged_offers
      group by offer_uid having count(*) > 1
    ) twice using (offer_uid)
    where s.brand_position * 1000000::bigint + s.position > first limit ${limit})
    union all
    (select s.brand_position, s.position, s.offer_uid, nullif(o.brand_uid, s.brand_uid), o.currency
    from staged_offers s join offers o on o.offer_uid = s.offer_uid
    where o.brand_uid <> s.brand_uid or (o.content_sha256 <> s.sha256 and o.currency <> s.computed ->> 'currency')
    -- Sorted, because the planner would otherwise expect to find a few rows early and look up each offer in a nested
    -- loop.
    order by 1, 2 limit ${limit})
    order by brand, offer`
}

/** Deletes unchanged rows and returns how many there were. The remaining rows are new, changed or retired. */
export async function dropUnchanged(tx: Tx, table: 'brands' | 'offers'): Promise<number> {
  const uid = tx(table === 'brands' ? 'brand_uid' : 'offer_uid')
  const { count } = await tx`
    delete from ${tx(`staged_${table}`)} s using ${tx(table)} k
    where k.${uid} = s.${uid} and k.content_sha256 = s.sha256`
  return count
}

export type StagedCounts = { readonly added: number; readonly changed: number; readonly retired: number }

/** Counts changes. Call it after dropUnchanged. */
export async function countChanges(tx: Tx, table: 'brands' | 'offers'): Promise<StagedCounts> {
  const uid = tx(table === 'brands' ? 'brand_uid' : 'offer_uid')
  const [row] = await tx<StagedCounts[]>`
    select count(*) filter (where k.${uid} is null)::integer as added,
      count(*) filter (where k.${uid} is not null and not ${isRetiring(tx)})::integer as changed,
      count(*) filter (where k.${uid} is not null and ${isRetiring(tx)})::integer as retired
    from ${tx(`staged_${table}`)} s left join ${tx(table)} k on k.${uid} = s.${uid}`
  return row as StagedCounts
}

/** Builds the condition under which staged row s retires live row k. */
export function isRetiring(reader: Reader) {
  return reader`(s.retired and k.retired_at is null)`
}

/** Streams live brands that are missing from the feed, in batches. */
export function eachUnnamedBrand(tx: Tx): AsyncIterable<BrandRecord[]> {
  const query = tx`
    select brand_uid, content from brands b
    where retired_at is null and not exists (select 1 from staged_brands s where s.brand_uid = b.brand_uid)
    order by ordinal`
  return inBatches(tx, BATCH_BRANDS, query)
}

// A few megabytes per batch.
const BATCH_OFFERS = 5_000

type Follower = {
  readonly brandUid: string
  readonly brandPosition: number
  /** The brand as it appears in the feed. */
  readonly brand: BrandContent
  readonly offerUid: string
  readonly content: OfferContent
}

/**
 * Streams, in batches, offers that are missing from the feed but belong to staged brands: either all of them, or only
 * those of brands whose name, website or retirement changes.
 */
export function eachFollower(tx: Tx, all: boolean): AsyncIterable<Follower[]> {
  const changes = tx`
    b.content_sha256 <> s.sha256 and (b.name, b.website, b.retired_at is not null)
      is distinct from (s.content ->> 'name', s.content ->> 'website', s.retired)`
  const query = tx`
    select s.brand_uid, s.position as brand_position, s.content as brand, o.offer_uid,
      v.content
    from staged_brands s
      join brands b on b.brand_uid = s.brand_uid
      join offers o on o.brand_uid = s.brand_uid
      join offer_versions v on v.offer_uid = o.offer_uid and v.version = o.version
    where ${all ? tx`true` : changes}
      and not exists (select 1 from staged_offers named where named.offer_uid = o.offer_uid)
      and not exists (select 1 from staged_brands e where e.brand_uid = s.brand_uid and e.position < s.position)
    order by s.position, o.ordinal`
  return inBatches(tx, BATCH_OFFERS, query)
}

type ProgramRow = { readonly offerUid: string; readonly program: Omit<Program, 'offerUid'> | null }

/**
 * Streams the programs of changed offers, in batches. Call it after the offers are written. New offers without a
 * program are skipped, because they have no earlier program to end.
 */
export function eachProgram(tx: Tx): AsyncIterable<ProgramRow[]> {
  const query = tx`
    select s.offer_uid, s.program
    from staged_offers s join offers o on o.offer_uid = s.offer_uid
    where s.program is not null or o.version > 1`
  return inBatches(tx, BATCH_OFFERS, query)
}
