import { asTable, type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'
import { type OperatorList, publisherFilter } from '../../../tenants/access/index.ts'
import type { Transaction } from '../rewards/transaction.ts'
import { type RematchChange, type RematchSums, toTexts } from './changes.ts'
import { REMATCH, type Rematch, type RematchId } from './rematch.ts'

export type SelectablePurchase = Pick<Transaction, 'userId' | 'transactionId' | 'authorizedAt' | 'brandUid'> & {
  readonly termsBrandUid: string | null
}

/** Returns one page of the purchases in a time range in chronological order, starting after the given purchase. */
export async function listPurchases(
  reader: Reader,
  publisherId: PublisherId,
  range: {
    readonly since: Date
    readonly until: Date
    readonly after: Pick<SelectablePurchase, 'authorizedAt' | 'transactionId'> | null
  },
  limit: number,
): Promise<SelectablePurchase[]> {
  const { since, until, after } = range
  return reader<SelectablePurchase[]>`
    select user_id, transaction_id, authorized_at, brand_uid,
      coalesce(terms ->> 'brandUid', brand_uid) as terms_brand_uid
    from transactions
    where publisher_id = ${publisherId} and adjusts is null and authorized_at >= ${since} and authorized_at < ${until}
      and coalesce(status_reason, '') not in ('merged', 'original_unknown')
      ${after === null ? reader`` : reader`and (authorized_at, transaction_id) > (${after.authorizedAt}, ${after.transactionId})`}
    order by authorized_at, transaction_id
    limit ${limit}`
}

export async function insertRematch(
  tx: Tx,
  publisherId: PublisherId,
  rematch: Pick<Rematch, 'rematchId' | 'undoes' | 'decidedBy' | 'reason' | 'filter' | 'startedAt'>,
): Promise<void> {
  await tx`
    insert into rematches (rematch_id, publisher_id, undoes, decided_by, reason, filter, started_at)
    values (${rematch.rematchId}, ${publisherId}, ${rematch.undoes}, ${rematch.decidedBy}, ${rematch.reason},
      ${tx.json(rematch.filter)}, ${rematch.startedAt})`
}

export async function insertChanges(
  tx: Tx,
  publisherId: PublisherId,
  rematchId: RematchId,
  changes: readonly RematchChange[],
): Promise<void> {
  if (changes.length === 0) return
  await tx`
    insert into rematch_changes (rematch_id, publisher_id, user_id, transaction_id, before, after)
    select ${rematchId}, ${publisherId}, user_id, transaction_id, before, after
    from ${asTable(tx, changes, { userId: 'uuid', transactionId: 'uuid', before: 'jsonb', after: 'jsonb' })}`
}

export type RematchProgress = Pick<Rematch, 'examined' | 'changed' | 'kept'> & { readonly sums: RematchSums }

export async function markProgress(
  tx: Tx,
  publisherId: PublisherId,
  rematchId: RematchId,
  { examined, changed, kept, sums }: RematchProgress,
  finishedAt: Date | null,
): Promise<void> {
  const texts = Object.fromEntries(
    Object.entries(sums).map(([currency, sum]) => [
      currency,
      { before: toTexts(sum.before), after: toTexts(sum.after) },
    ]),
  )
  await tx`
    update rematches
    set examined = ${examined}, changed = ${changed}, kept = ${kept}, sums = ${tx.json(texts)}, finished_at = ${finishedAt}
    where publisher_id = ${publisherId} and rematch_id = ${rematchId}`
}

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'rematches', REMATCH.columns)}, (
    select time_zone from publishers p where p.publisher_id = rematches.publisher_id
  ), (select currency from publishers p where p.publisher_id = rematches.publisher_id)`

export async function findRematch(reader: Reader, rematchId: RematchId): Promise<Rematch | null> {
  // all publishers: the operator names a re-match by its own id
  const [row] = await reader<Rematch[]>`select ${columns(reader)} from rematches where rematch_id = ${rematchId}`
  return row ?? null
}

/** Returns the finished undo of a re-match; null if there is none. */
export async function findUndo(
  reader: Reader,
  publisherId: PublisherId,
  rematchId: RematchId,
): Promise<Pick<Rematch, 'rematchId' | 'decidedBy'> | null> {
  const [row] = await reader<Pick<Rematch, 'rematchId' | 'decidedBy'>[]>`
    select rematch_id, decided_by from rematches
    where publisher_id = ${publisherId} and undoes = ${rematchId} and finished_at is not null
    limit 1`
  return row ?? null
}

/** The re-matches of all publishers, newest first. */
export const REMATCH_LIST: OperatorList<Rematch> = {
  table: 'rematches',
  id: 'rematchId',
  columns,
  sorts: { '-started_at': 'instant', started_at: 'instant' },
  filters: publisherFilter,
}

/** Returns the purchases that a re-match changed, by user. */
export async function listChanged(
  reader: Reader,
  publisherId: PublisherId,
  rematchId: RematchId,
): Promise<{ readonly userId: UserId; readonly transactionIds: readonly TransactionId[] }[]> {
  return reader`
    select user_id, array_agg(transaction_id) as transaction_ids from rematch_changes
    where publisher_id = ${publisherId} and rematch_id = ${rematchId}
    group by user_id
    order by user_id`
}

/** Returns the changes to the purchases of these users, or of all users if none are given. */
export async function listChanges(
  reader: Reader,
  publisherId: PublisherId,
  rematchId: RematchId,
  userIds: readonly UserId[] | null = null,
): Promise<RematchChange[]> {
  return reader<RematchChange[]>`
    select user_id, transaction_id, before, after from rematch_changes
    where publisher_id = ${publisherId} and rematch_id = ${rematchId}
      ${userIds === null ? reader`` : reader`and user_id = any(${userIds as UserId[]}::uuid[])`}
    order by user_id, transaction_id`
}

/** The purchases changed by re-matches, with their publisher's currency. */
export const CHANGE_LIST: OperatorList<RematchChange & { readonly currency: string }> = {
  table: 'rematch_changes',
  id: 'transactionId',
  columns: (reader) => reader`
    user_id, transaction_id, before, after,
    (select currency from publishers p where p.publisher_id = rematch_changes.publisher_id)`,
  sorts: { user_id: 'id' },
  filters: {},
}

/** Filters the list of changes by re-match. */
export const changedBy = ({ rematchId }: Pick<Rematch, 'rematchId'>) => ({
  only: (reader: Reader) => reader`rematch_id = ${rematchId}`,
})
