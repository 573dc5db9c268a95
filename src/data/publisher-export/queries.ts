import type { Reader, SqlPart, Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { RegisteredTable } from '../tables/index.ts'
import { type ArchivedRow, isSealed } from './lines.ts'
import { isReferencedByPublisher, matchesPublisher } from './scope-queries.ts'
import { toOneLine } from './totals-queries.ts'

// Enough to keep the connection busy without using much memory.
const AT_ONCE = 500

/** Yields the rows of a table to export, in batches ordered by generated number or by key. */
export async function* readRows(
  tx: Tx,
  table: RegisteredTable,
  tables: readonly RegisteredTable[],
  publisherId: PublisherId,
): AsyncGenerator<ArchivedRow[]> {
  const { name, owner, columns, generated, key } = table
  const sealed = columns.filter(isSealed)
  const plain = columns.filter((column) => !isSealed(column))
  const condition =
    owner === 'shared'
      ? isReferencedByPublisher(tx, table, tables, publisherId)
      : matchesPublisher(tx, table, publisherId, 'source')
  const order = name === 'terms_documents' ? ['publisher_id', ...generated] : [...generated, ...key]
  const hex = sealed.map((column) => tx`encode(${tx(column)}, 'hex')`)
  // all publishers: the condition names the publisher
  const rows = tx<{ text: string; sealed: (string | null)[] }[]>`
    select ${toOneLine(tx)} as text, placed.sealed
    from (
      select to_jsonb(array[${listed(tx, hex)}]::text[]) as sealed, ${tx(plain)} from ${tx(name)}
      where ${condition}
      order by ${listed(
        tx,
        order.map((column) => tx`${tx(column)} nulls first`),
      )}
    ) as placed
    cross join lateral (select ${listed(
      tx,
      plain.map((column) => tx`placed.${tx(column)}`),
    )}) as shown`.cursor(AT_ONCE)
  for await (const portion of rows)
    yield portion.map((row) => ({
      table: name,
      text: row.text,
      sealed: Object.fromEntries(
        sealed.flatMap((column, place) => {
          const value = row.sealed[place] ?? null
          return value === null ? [] : [[column, value]]
        }),
      ),
    }))
}

function listed(reader: Reader, parts: readonly SqlPart[]): SqlPart {
  return parts.length === 0 ? reader`` : parts.reduce((all, one) => reader`${all}, ${one}`)
}

export async function findNow(reader: Reader): Promise<Date> {
  const [row] = await reader<[{ at: Date }]>`select now() as at`
  return row.at
}

/**
 * Creates a temporary table that maps each document's old number to its new one and is dropped when the transaction
 * ends.
 */
export async function openNumbers(tx: Tx): Promise<void> {
  await tx`create temporary table arriving_documents (old_id integer primary key, new_id integer not null) on commit drop`
}

/** Returns the SQL for the value that replaces a column of the archived row `r`. See `anew` in the registry. */
function arrivingValue(tx: Tx, table: string, column: string, publisherId: PublisherId, now: Date): SqlPart {
  switch (`${table}.${column}`) {
    case 'publishers.moves_at':
    case 'transactions.judged_in':
      return tx`null`
    case 'publishers.imported_at':
      return tx`${now}::timestamptz`
    // Imported brands and offers stay retired until the catalog here includes them.
    case 'brands.retired_at':
    case 'offers.retired_at':
      return tx`coalesce(r.retired_at, ${now}::timestamptz)`
    // A random placeholder, used until the operator of this installation sets the real secret.
    case 'networks.secret_fingerprint':
      return tx`sha256(convert_to(gen_random_uuid()::text, 'UTF8'))`
    case 'terms_acceptances.document_id':
    case 'terms_rollouts.document_id':
      return tx`(select new_id from arriving_documents d where d.old_id = r.document_id)`
    case 'match_aliases.publisher_id':
      return tx`${publisherId}::uuid`
    // Aliases that applied to all publishers of the source installation are imported as revoked, for the record only.
    case 'match_aliases.revoked_at':
      return tx`case when r.publisher_id is null then coalesce(r.revoked_at, r.decided_at) else r.revoked_at end`
    case 'match_aliases.revoked_by':
      return tx`case when r.publisher_id is null then coalesce(r.revoked_by, r.decided_by) else r.revoked_by end`
    default:
      return tx`r.${tx(column)}`
  }
}

/** @param text a JSON array of rows of one table */
export async function insertRows(
  tx: Tx,
  { name, owner, columns, generated }: RegisteredTable,
  text: string,
  publisherId: PublisherId,
  now: Date,
): Promise<void> {
  if (name === 'terms_documents') return insertDocuments(tx, text, publisherId)
  const stored = columns.filter((column) => !generated.includes(column))
  const values = listed(
    tx,
    stored.map((column) => arrivingValue(tx, name, column, publisherId, now)),
  )
  // Leaves stores and versions of offers that already existed here unchanged. An offer is new if this transaction
  // inserted it.
  const isOfNewOffer = tx`exists (
    select from offers o where o.offer_uid = r.offer_uid and o.xmin = pg_current_xact_id()::xid)`
  await tx`
    insert into ${tx(name)} (${tx(stored)})
    select ${values} from json_populate_recordset(null::${tx(name)}, ${text}::text::json) as r
    ${['stores', 'offer_versions'].includes(name) ? tx`where ${isOfNewOffer}` : tx``}
    ${owner === 'shared' ? tx`on conflict do nothing` : tx``}`
}

/**
 * Inserts terms documents. The source service's own documents become the publisher's, so they bind its users as before.
 */
async function insertDocuments(tx: Tx, text: string, publisherId: PublisherId): Promise<void> {
  await tx`
    with arriving as materialized (
      select r.*, case
        when r.publisher_id is null and exists (
          select from json_populate_recordset(null::terms_documents, ${text}::text::json) as o
          where o.publisher_id is not null and o.revision = r.revision
        ) then r.revision || ' (service)'
        else r.revision end as new_revision
      from json_populate_recordset(null::terms_documents, ${text}::text::json) as r
    ),
    inserted as (
      insert into terms_documents (publisher_id, url, revision, required_from, changes, published_at)
      select ${publisherId}::uuid, url, new_revision, required_from, changes, published_at
      from arriving
      order by publisher_id nulls first, document_id
      returning document_id, revision
    )
    insert into arriving_documents (old_id, new_id)
    select a.document_id, i.document_id from arriving a join inserted i on i.revision = a.new_revision`
}

/** Starts each webhook queue at its first pending delivery, because deliveries get new positions here. */
export async function queueDeliveries(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`
    update webhook_deliveries set exhausted_position = position
    where publisher_id = ${publisherId} and exhausted_position is not null`
  await tx`
    insert into webhook_queues (endpoint_id, user_id, publisher_id, position, due_at)
    select distinct on (endpoint_id, user_id) endpoint_id, user_id, publisher_id, position,
      coalesce(next_attempt_at, '-infinity')
    from webhook_deliveries
    where publisher_id = ${publisherId} and status = 'pending'
    order by endpoint_id, user_id, position`
}

/** Expires finished reports, because their files stay in the source installation. */
export async function expireReports(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`
    update report_orders set status = 'expired', files_due_at = null
    where publisher_id = ${publisherId} and status = 'ready'`
}

/** Lists publishers in this installation that already have this ID or name. */
export async function listNamesakes(
  reader: Reader,
  publisherId: PublisherId,
  name: string,
): Promise<{ readonly publisherId: PublisherId; readonly name: string }[]> {
  // all publishers: ids and names are unique across them
  return reader`
    select publisher_id, name
    from publishers
    where publisher_id = ${publisherId} or name = ${name}
    order by publisher_id = ${publisherId} desc`
}

/** Sets the time after which nothing more is recorded for the publisher, unless its move has already begun. */
export async function markMoving(tx: Tx, publisherId: PublisherId, settleMs: number): Promise<void> {
  await tx`
    update publishers set moves_at = coalesce(moves_at, clock_timestamp() + ${settleMs} * interval '1 ms')
    where publisher_id = ${publisherId}`
}

/** Returns false if the publisher was not moving. */
export async function markStaying(tx: Tx, publisherId: PublisherId): Promise<boolean> {
  const { count } = await tx`
    update publishers set moves_at = null where publisher_id = ${publisherId} and moves_at is not null`
  return count === 1
}

export async function hasMoved(reader: Reader, publisherId: PublisherId): Promise<boolean> {
  const rows = await reader`
    select from publishers where publisher_id = ${publisherId} and moves_at <= clock_timestamp()`
  return rows.length === 1
}
