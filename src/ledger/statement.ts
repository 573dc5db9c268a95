import type { Reader } from '../platform/db/database.ts'
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

/** Lists one user's postings for these causes by journal ID, which is roughly booking order, to explain an amount. */
export async function listPostingsByCause(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  causeIds: readonly string[],
): Promise<StatementLine[]> {
  return reader<StatementLine[]>`
    select journal_id, kind, cause_id, cause_version, effective_at, account, owner, currency, amount
    from postings
    where publisher_id = ${publisherId} and user_id = ${userId} and cause_id = any(${causeIds as string[]}::uuid[])
    order by journal_id, line`
}
