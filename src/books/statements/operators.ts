import type { Tx } from '../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { type ClosedMonth, closeMonth } from './closing/close.ts'
import { formatBooks } from './statements/heading.ts'

/**
 * Closes a month and records it in the audit log.
 * @param cut from `openCut`
 * @throws Refusal publisher_not_found, month_out_of_order, month_not_over, bookings_open
 */
export async function closeMonthAs(
  tx: Tx,
  asked: { readonly month: string; readonly publisherId: PublisherId | null },
  { cut, by }: { readonly cut: string; readonly by: Actor },
  now: Date,
): Promise<ClosedMonth> {
  const done = await closeMonth(tx, asked, { cut, by: by.id, realNow: now })
  if (done.isNew) {
    const subject = asked.publisherId === null ? 'production' : encodeId('pub', asked.publisherId)
    const after = { month: asked.month, ...presentCounts(done) }
    await audit(tx, { actor: by, action: 'month.closed', subject, after }, now)
  }
  return done
}

function presentCounts({ closed }: ClosedMonth): object {
  return { books: closed.length, statements: closed.reduce((sum, { statements }) => sum + statements, 0) }
}

/** Formats a closed month for the API. */
export function presentClosed(month: string, { closed, totals }: ClosedMonth, dryRun = false) {
  return {
    month,
    dry_run: dryRun,
    totals: [...totals],
    content: closed.map(({ books, endsAt, cutAt, statements }) => ({
      books: formatBooks(books),
      ends_at: endsAt.toISOString(),
      cut_at: cutAt,
      statements,
    })),
  }
}
