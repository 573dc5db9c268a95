import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'

export type EntryRow = {
  /** The subject of the entry. If all three ids are null, it is the whole catalog. */
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

/** Lists the live entries of all publishers. */
export async function listAllEntries(reader: Reader): Promise<(EntryRow & { readonly publisherId: PublisherId })[]> {
  // all publishers: every process caches the assortments of all of them
  return reader<(EntryRow & { readonly publisherId: PublisherId })[]>`
    select publisher_id, ${columns(reader)} from assortment_entries where ended_at is null`
}

export async function listEntries(reader: Reader, publisherId: PublisherId): Promise<LiveEntry[]> {
  return reader<LiveEntry[]>`
    select entry_id, ${columns(reader)} from assortment_entries
    where publisher_id = ${publisherId} and ended_at is null
    order by category_id, brand_uid, offer_uid, says`
}

type EditStamp = { readonly by: string; readonly at: Date }

export async function insertEntries(
  tx: Tx,
  publisherId: PublisherId,
  entries: readonly LiveEntry[],
  { by, at }: EditStamp,
): Promise<void> {
  const order = entries.find(({ categoryOrder }) => categoryOrder !== null)?.categoryOrder ?? null
  await tx`
    insert into assortment_entries (publisher_id, entry_id, category_id, brand_uid, offer_uid, says, carried, fee_ppm,
      share_ppm, wording, category_order, said_by, said_at)
    select ${publisherId}, entry_id, category_id, brand_uid, offer_uid, says, carried, fee_ppm, share_ppm, wording,
      case says when 'category_order' then ${order as number[] | null}::integer[] end, ${by}, ${at}
    from ${asTable(tx, entries, ENTRY_TYPES)}`
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
  { by, at }: EditStamp,
): Promise<void> {
  await tx`
    update assortment_entries set ended_by = ${by}, ended_at = ${at}
    where publisher_id = ${publisherId} and entry_id = any(${entryIds as string[]}::uuid[]) and ended_at is null`
}

/** The category, brand or offer an entry applies to. */
export type Subject = { readonly kind: 'category' | 'brand' | 'offer'; readonly id: string }
/**
 * `name` is null if the subject is not in the catalog. Retired brands and offers remain in the catalog, because they
 * might return.
 */
export type NamedSubject = Subject & { readonly name: string | null }

export async function listSubjects(reader: Reader, subjects: readonly Subject[]): Promise<NamedSubject[]> {
  return reader<NamedSubject[]>`
    select distinct kind, id, coalesce(category, brands.name, offers.name) as name
    from ${asTable(reader, subjects, { kind: 'plain', id: 'text' })}
      left join categories on kind = 'category' and category_id::text = id
      left join brands on kind = 'brand' and brands.brand_uid = id
      left join offers on kind = 'offer' and offers.offer_uid = id
    order by kind, id`
}
