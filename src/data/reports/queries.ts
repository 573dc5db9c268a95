import type { Readable } from 'node:stream'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { deriveCurrentStatus } from '../../users/users/index.ts'
import { COLUMNS, type ReportKind } from './columns.ts'

/** A period between two instants: `from` is inclusive, `until` exclusive. */
type Span = { readonly from: Date; readonly until: Date }
type Fragment = ReturnType<Tx>

/**
 * Streams a report's rows for a period, oldest first, in COPY's text format. Each chunk that `read()` returns holds
 * whole rows, because PostgreSQL sends one row per message and the driver buffers whole messages.
 * @param requiredTerms the terms documents of which an ACTIVE user must have accepted at least one
 */
export async function copyRows(
  tx: Tx,
  kind: ReportKind,
  publisherId: PublisherId,
  span: Span,
  requiredTerms: readonly number[],
): Promise<Readable> {
  const expressions = COLUMNS[kind].map(({ expression }) => expression).join(', ')
  const rows = await tx`
    copy (select ${tx.unsafe(expressions)} ${ROWS[kind](tx, publisherId, span, requiredTerms)}) to stdout`.readable()
  return resumedAtEnd(rows)
}

type Rows = (tx: Tx, publisherId: PublisherId, span: Span, requiredTerms: readonly number[]) => Fragment

// COPY takes no parameters, so IDs and instants are inlined. Neither can contain a quote.
const ROWS: Readonly<Record<ReportKind, Rows>> = {
  transactions: (tx, publisherId, span) => tx`
    from transactions t join users u on u.user_id = t.user_id and u.publisher_id = t.publisher_id
    where t.publisher_id = ${literal(tx, publisherId)} and ${within(tx, 't.authorized_at', span)}
    order by t.authorized_at, t.transaction_id`,
  users: (tx, publisherId, span, requiredTerms) => tx`
    -- all users: of a publisher
    from users u cross join lateral (select ${deriveCurrentStatus(tx, requiredTerms)} as account_status) s
    where u.publisher_id = ${literal(tx, publisherId)} and ${within(tx, 'u.created_at', span)}
    order by u.created_at, u.user_id`,
  // Only changes to users' rewards, because redemptions have their own report.
  rewards: (tx, publisherId, span) => tx`
    from journals j join users u on u.user_id = j.user_id and u.publisher_id = j.publisher_id
    cross join lateral (
      select coalesce(-sum(p.amount) filter (where p.account = 'user_pending'), 0) as pending,
        coalesce(-sum(p.amount) filter (where p.account = 'user_available'), 0) as available,
        coalesce(sum(p.amount) filter (where p.account = 'user_debt'), 0) as debt,
        coalesce(-sum(p.amount) filter (where p.account = 'publisher_pending'), 0) as publisher_pending,
        coalesce(-sum(p.amount) filter (where p.account = 'publisher_payable'), 0) as publisher_payable
      from unnest(j.accounts, j.amounts) as p (account, amount)
    ) s
    where j.publisher_id = ${literal(tx, publisherId)} and ${within(tx, 'j.created_at', span)}
      and j.kind in ('accrual', 'maturity', 'clawback', 'adjustment', 'write_off')
    order by j.created_at, j.journal_id`,
  redemptions: (tx, publisherId, span) => tx`
    from redemptions r join users u on u.user_id = r.user_id and u.publisher_id = r.publisher_id
    where r.publisher_id = ${literal(tx, publisherId)} and ${within(tx, 'r.created_at', span)}
    order by r.created_at, r.redemption_id`,
  deliveries: (tx, publisherId, span) => tx`
    from webhook_deliveries d
    where d.publisher_id = ${literal(tx, publisherId)} and ${within(tx, 'd.created_at', span)}
    order by d.position`,
}

function within(tx: Tx, instant: string, { from, until }: Span): Fragment {
  const column = tx.unsafe(instant)
  return tx`${column} >= ${literal(tx, from.toISOString())} and ${column} < ${literal(tx, until.toISOString())}`
}

/**
 * Resumes the connection when the copy ends. The driver pauses it while the stream's buffer is full and resumes it when
 * the stream is read. If the copy ended in between, nothing would ever resume the connection, and it would hang
 * forever: https://github.com/porsager/postgres/issues/499
 */
function resumedAtEnd(rows: Readable): Readable {
  return rows.once('close', () => {
    try {
      rows._read(0)
    } catch {
      // The connection has been lost, so there is nothing to resume.
    }
  })
}

function literal(tx: Tx, text: string) {
  return tx.unsafe(`'${text}'`)
}

/** Returns the ID of the server process that runs this transaction. */
export async function findBackend(tx: Tx): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

/** Cancels the statement that a server process is running. Must not be called on that process's own connection. */
export async function cancelStatement(reader: Reader, backend: number): Promise<void> {
  await reader`select pg_cancel_backend(${backend})`
}
