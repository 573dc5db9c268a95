import { asTable, type Reader, type Tx } from '../db/database.ts'
import { WRAPPING_BYTES } from './vault.ts'

/** A column of sealed records; empty or null where the secret was destroyed. */
export type SealedColumn = { readonly table: string; readonly column: string }
type Wrapping = { readonly place: string; readonly wrapping: Buffer }
export type Pages = { readonly from: number; readonly to: number }

/** Finds sealed columns in the schema by name, so that no table can be forgotten. */
export async function listSealedColumns(reader: Reader): Promise<SealedColumn[]> {
  return reader<SealedColumn[]>`
    select c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'bytea'::regtype
      and a.attname like 'sealed\\_%' and not a.attisdropped
    order by c.relname, a.attname`
}

export async function countRecords(
  reader: Reader,
  { table, column }: SealedColumn,
): Promise<{ keyId: string; records: number }[]> {
  // all publishers: every record must be under the new key
  return reader<{ keyId: string; records: number }[]>`
    select encode(substring(${reader(column)} from 2 for 4), 'hex') as key_id, count(*)::int as records
    from ${reader(table)}
    where octet_length(${reader(column)}) > 0
    group by 1
    order by 1`
}

export async function countPages(reader: Reader, { table }: SealedColumn): Promise<number> {
  const [row] = await reader<[{ pages: number }]>`
    select ceil(pg_relation_size(to_regclass(${table})) / current_setting('block_size')::numeric)::int as pages`
  return row.pages
}

/**
 * Locks the records in these pages that are not sealed under the key. Scanning pages instead of the primary key reads
 * each table once and needs no index. Rows locked by another transaction are skipped and left for the next pass.
 */
export async function lockWrappings(
  tx: Tx,
  { table, column }: SealedColumn,
  { from, to }: Pages,
  keyId: string,
): Promise<Wrapping[]> {
  // all publishers: the master key is the service's
  return tx<Wrapping[]>`
    select ctid::text as place, substring(${tx(column)} from 1 for ${WRAPPING_BYTES}) as wrapping
    from ${tx(table)}
    where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid
      and octet_length(${tx(column)}) > 0 and encode(substring(${tx(column)} from 2 for 4), 'hex') <> ${keyId}
    for no key update skip locked`
}

/** Replaces each wrapping unless it has changed since it was read. The sealed secrets never leave the database. */
export async function replaceWrappings(
  tx: Tx,
  { table, column }: SealedColumn,
  { from, to }: Pages,
  changes: readonly (Wrapping & { readonly next: Buffer })[],
): Promise<number> {
  // all publishers: the master key is the service's
  const replaced = await tx`
    update ${tx(table)} kept
    set ${tx(column)} = given.next || substring(kept.${tx(column)} from ${WRAPPING_BYTES + 1})
    from ${asTable(tx, changes, { place: 'text', wrapping: 'bytea', next: 'bytea' })}
    where kept.ctid >= ${`(${from},0)`}::tid and kept.ctid < ${`(${to},0)`}::tid
      and kept.ctid = given.place::tid
      and substring(kept.${tx(column)} from 1 for ${WRAPPING_BYTES}) = given.wrapping`
  return replaced.count
}
