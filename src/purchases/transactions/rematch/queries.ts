import { given, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { Id, PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'
import { amountsOf, type RematchChange, type RematchState, type RematchSums, textsOf } from './changes.ts'

export type RematchId = Id<'rematch'>

export type SelectablePurchase = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly authorizedAt: Date
  readonly brandUid: string | null
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

/** The filter of the order and the hash of the preview, as stored. Empty for an undo. */
type StoredFilter = {
  readonly brandUid?: string | null
  readonly template?: string | null
  readonly since?: Date | string | null
  readonly until?: Date | string | null
  readonly hash?: string | null
}

export type Rematch = {
  readonly rematchId: RematchId
  readonly publisherId: PublisherId
  readonly undoes: RematchId | null
  readonly decidedBy: string
  readonly reason: string
  readonly filter: StoredFilter
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly examined: number
  readonly changed: number
  readonly kept: number
  readonly sums: RematchSums
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
    from ${given(tx, changes, { userId: 'uuid', transactionId: 'uuid', before: 'jsonb', after: 'jsonb' })}`
}

export type RematchProgress = Pick<Rematch, 'examined' | 'changed' | 'kept' | 'sums'>

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
      { before: textsOf(sum.before), after: textsOf(sum.after) },
    ]),
  )
  await tx`
    update rematches
    set examined = ${examined}, changed = ${changed}, kept = ${kept}, sums = ${tx.json(texts)}, finished_at = ${finishedAt}
    where publisher_id = ${publisherId} and rematch_id = ${rematchId}`
}

type SumTexts = { readonly before: RematchState['amounts']; readonly after: RematchState['amounts'] }
type Row = Omit<Rematch, 'sums'> & {
  /** Earlier versions stored only the sums of the one currency. */
  readonly sums: SumTexts | Readonly<Record<string, SumTexts>>
}

const columns = (reader: Reader) => reader`
  rematch_id, publisher_id, undoes, decided_by, reason, filter,
  started_at, finished_at, examined, changed, kept, sums`

export async function findRematch(reader: Reader, rematchId: RematchId): Promise<Rematch | null> {
  // all publishers: the operator names a re-match by its own id
  const [row] = await reader<Row[]>`select ${columns(reader)} from rematches where rematch_id = ${rematchId}`
  return row === undefined ? null : rematchOf(row)
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

export async function listRematches(reader: Reader, publisherId: PublisherId, limit: number): Promise<Rematch[]> {
  const rows = await reader<Row[]>`
    select ${columns(reader)} from rematches
    where publisher_id = ${publisherId}
    order by started_at desc, rematch_id desc
    limit ${limit}`
  return rows.map(rematchOf)
}

function rematchOf({ sums, ...row }: Row): Rematch {
  const texts = isOfOneCurrency(sums) ? { '': sums } : sums
  const read = ({ before, after }: SumTexts) => ({ before: amountsOf(before), after: amountsOf(after) })
  return { ...row, sums: Object.fromEntries(Object.entries(texts).map(([currency, sum]) => [currency, read(sum)])) }
}

function isOfOneCurrency(sums: Row['sums']): sums is SumTexts {
  return 'before' in sums && 'after' in sums
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

/** Returns the changes to these users' purchases. */
export async function listChangesOfUsers(
  reader: Reader,
  publisherId: PublisherId,
  rematchId: RematchId,
  userIds: readonly UserId[],
): Promise<RematchChange[]> {
  return reader<RematchChange[]>`
    select user_id, transaction_id, before, after from rematch_changes
    where publisher_id = ${publisherId} and rematch_id = ${rematchId} and user_id = any(${userIds as UserId[]}::uuid[])
    order by user_id, transaction_id`
}

/** Returns one page of all changes, ordered by purchase id. */
export async function listChanges(
  reader: Reader,
  publisherId: PublisherId,
  rematchId: RematchId,
  { size, offset }: { readonly size: number; readonly offset: number },
): Promise<RematchChange[]> {
  return reader<RematchChange[]>`
    select user_id, transaction_id, before, after from rematch_changes
    where publisher_id = ${publisherId} and rematch_id = ${rematchId}
    order by transaction_id, user_id
    limit ${size} offset ${offset}`
}
