import type { Reader } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Account, JournalKind } from './rules.ts'

export type StatementLine = {
  readonly journalId: string
  readonly kind: JournalKind
  readonly causeId: string
  readonly causeVersion: number
  readonly effectiveAt: Date
  readonly account: Account
  readonly owner: string
  readonly currency: string
  readonly amount: bigint
}

/** All postings for these causes of one user, in the order of booking: they explain an amount. */
export async function listPostingsOf(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  causeIds: readonly string[],
): Promise<StatementLine[]> {
  return reader<StatementLine[]>`
    select j.journal_id, j.kind, j.cause_id, j.cause_version, j.effective_at,
      p.account, p.owner, p.currency, p.amount
    from journals j join postings p on p.user_id = j.user_id and p.journal_id = j.journal_id
    where j.publisher_id = ${publisherId} and j.user_id = ${userId} and j.cause_id = any(${causeIds as string[]}::uuid[])
    order by j.journal_id, p.line`
}
