import { given, type Reader, type Tx } from '../../platform/database.ts'
import type { PublisherId } from '../../platform/ids.ts'

export type EntryRow = {
  /** The subject; all three null: the whole catalog. */
  readonly categoryId: number | null
  readonly brandUid: string | null
  readonly offerUid: string | null
  readonly says: 'carriage' | 'split' | 'wording' | 'category_order'
  readonly carried: boolean | null
  readonly feePpm: number | null
  readonly sharePpm: number | null
  readonly wording: string | null
  readonly categoryOrder: readonly number[] | null
}
type LiveEntry = EntryRow & { readonly entryId: string }

const columns = (reader: Reader) => reader`
  category_id, brand_uid, offer_uid, says, carried, fee_ppm, share_ppm, wording, category_order`

/** All live entries of all publishers. */
export async function listAllEntries(reader: Reader): Promise<(EntryRow & { readonly publisherId: PublisherId })[]> {
  // all publishers: every process keeps the assortments of all of them
  return reader<(EntryRow & { readonly publisherId: PublisherId })[]>`
    select publisher_id, ${columns(reader)} from assortment_entries where ended_at is null`
}

export async function listEntries(reader: Reader, publisherId: PublisherId): Promise<LiveEntry[]> {
  return reader<LiveEntry[]>`
    select entry_id, ${columns(reader)} from assortment_entries
    where publisher_id = ${publisherId} and ended_at is null
    order by category_id, brand_uid, offer_uid, says`
}

type Said = { readonly by: string; readonly at: Date }

export async function insertEntries(
  tx: Tx,
  publisherId: PublisherId,
  entries: readonly LiveEntry[],
  { by, at }: Said,
): Promise<void> {
  const order = entries.find(({ categoryOrder }) => categoryOrder !== null)?.categoryOrder ?? null
  await tx`
    insert into assortment_entries (publisher_id, entry_id, category_id, brand_uid, offer_uid, says, carried, fee_ppm,
      share_ppm, wording, category_order, said_by, said_at)
    select ${publisherId}, entry_id, category_id, brand_uid, offer_uid, says, carried, fee_ppm, share_ppm, wording,
      case says when 'category_order' then ${order as number[] | null}::integer[] end, ${by}, ${at}
    from ${given(tx, entries, ENTRY_TYPES)}`
}

const ENTRY_TYPES = {
  entryId: 'uuid',
  categoryId: 'int4',
  brandUid: 'text',
  offerUid: 'text',
  says: 'plain',
  carried: 'bool',
  feePpm: 'int4',
  sharePpm: 'int4',
  wording: 'text',
} as const

export async function endEntries(
  tx: Tx,
  publisherId: PublisherId,
  entryIds: readonly string[],
  { by, at }: Said,
): Promise<void> {
  await tx`
    update assortment_entries set ended_by = ${by}, ended_at = ${at}
    where publisher_id = ${publisherId} and entry_id = any(${entryIds as string[]}::uuid[]) and ended_at is null`
}

export type Named = {
  readonly categoryIds: readonly number[]
  readonly brandUids: readonly string[]
  readonly offerUids: readonly string[]
}

export type Subject = {
  readonly kind: 'category' | 'brand' | 'offer'
  readonly id: string
  /** Null: not in the catalog. Retired brands and offers are, because they can return. */
  readonly name: string | null
}

export async function listSubjects(reader: Reader, { categoryIds, brandUids, offerUids }: Named): Promise<Subject[]> {
  return reader<Subject[]>`
    select 'category' as kind, id::text as id, category as name
    from unnest(${categoryIds as number[]}::integer[]) as given (id) left join categories on category_id = id
    union all
    select 'brand', id, name
    from unnest(${brandUids as string[]}::text[]) as given (id) left join brands on brand_uid = id
    union all
    select 'offer', id, name
    from unnest(${offerUids as string[]}::text[]) as given (id) left join offers on offer_uid = id
    order by 1, 2`
}
