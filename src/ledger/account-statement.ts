import type { Tx } from '../platform/db/database.ts'
import {
  type BookedChange,
  type BookingPeriod,
  beforeAll,
  findPosition,
  listChanges,
  sumParts,
  type UserAccount,
  type UserAmounts,
} from './account-statement-queries.ts'

/** A journal's changes to the balances, and the balances after it. */
export type AccountLine = Omit<BookedChange, keyof UserAmounts> & {
  readonly changes: UserAmounts
  readonly balances: UserAmounts
}

type AccountStatement = {
  /**
   * The balance before the period, regardless of which part of the period is listed. `closing` is the balance at its
   * end.
   */
  readonly opening: UserAmounts
  readonly closing: UserAmounts
  readonly lines: readonly AccountLine[]
  readonly hasMore: boolean
}

const nothing: UserAmounts = { pending: 0n, available: 0n, held: 0n, debt: 0n }

/**
 * Returns a user's account statement in one currency, in booking order, computed solely from journals. A journal
 * belongs to the period in which it was booked, not the one in which it took effect, so a later booking, even a
 * backdated one, never changes a past period's statement. Returns null if `after` is not a journal of this account.
 * @param tx a snapshot, so that opening, lines and closing agree
 * @param after the last journal that the caller has read; null to start at the beginning
 */
export async function readAccountStatement(
  tx: Tx,
  account: UserAccount,
  { after, limit, ...period }: BookingPeriod & { readonly after: string | null; readonly limit: number },
): Promise<AccountStatement | null> {
  const position = after === null ? beforeAll : await findPosition(tx, account, after)
  if (position === null) return null
  const parts = await sumParts(tx, account, period, position)
  const changes = await listChanges(tx, account, period, { after: position, limit: limit + 1 })
  const [before, skipped, rest] = (['before', 'skipped', 'rest'] as const).map(
    (name) => parts.find(({ part }) => part === name) ?? nothing,
  )
  const opening = plus(nothing, before)
  const skippedTo = plus(opening, skipped)
  return {
    opening,
    closing: plus(skippedTo, rest),
    lines: linesFrom(skippedTo, changes.slice(0, limit)),
    hasMore: changes.length > limit,
  }
}

function linesFrom(start: UserAmounts, changes: readonly BookedChange[]): AccountLine[] {
  let balances = start
  return changes.map(({ pending, available, held, debt, ...journal }) => {
    const change = { pending, available, held, debt }
    balances = plus(balances, change)
    return { ...journal, changes: change, balances }
  })
}

function plus(one: UserAmounts, other = nothing): UserAmounts {
  return {
    pending: one.pending + other.pending,
    available: one.available + other.available,
    held: one.held + other.held,
    debt: one.debt + other.debt,
  }
}
