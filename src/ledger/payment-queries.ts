import { asTable, type Tx } from '../platform/db/database.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import type { Cause, Posting } from './rules.ts'

type PaymentJournal = { readonly journalId: string; readonly cause: Cause; readonly postings: readonly Posting[] }

/** Inserts payment journals with their postings, and the deltas of shared accounts, in one statement. */
export async function insertPaymentJournals(
  tx: Tx,
  publisher: Publisher,
  journals: readonly PaymentJournal[],
): Promise<void> {
  const postings = journals.flatMap(({ journalId, cause, postings }) =>
    postings.map((posting, line) => ({
      journalId,
      line,
      causeId: cause.id,
      causeVersion: cause.version,
      effectiveAt: cause.effectiveAt,
      currency: cause.currency,
      ...posting,
    })),
  )
  await tx`
    with given as materialized (
      select * from ${asTable(tx, postings, {
        journalId: 'uuid',
        line: 'int2',
        causeId: 'uuid',
        causeVersion: 'int4',
        effectiveAt: 'timestamptz',
        currency: 'plain',
        account: 'plain',
        owner: 'text',
        amount: 'int8',
      })}
    ), deltas as (
      insert into ledger_deltas (publisher_id, account, owner, currency, amount)
      select ${publisher.id}, account, owner, currency, amount from given
    )
    insert into payment_journals (publisher_id, journal_id, kind, cause_id, cause_version, effective_at, created_at, currency,
      accounts, owners, amounts)
    select ${publisher.id}, journal_id, 'payment', cause_id, cause_version, effective_at, (select booking_time()),
      currency, array_agg(account order by line), array_agg(owner order by line), array_agg(amount order by line)
    from given
    group by journal_id, cause_id, cause_version, effective_at, currency`
}
