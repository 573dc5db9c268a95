import type { Tx } from '../platform/database.ts'
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

/** One journal: what it changed, and the balances after it. */
export type AccountLine = Omit<BookedChange, keyof UserAmounts> & {
  readonly changes: UserAmounts
  readonly balances: UserAmounts
}

type AccountStatement = {
  /** Before and after the whole period, whatever part of it is shown. */
  readonly opening: UserAmounts
  readonly closing: UserAmounts
  readonly lines: readonly AccountLine[]
  readonly hasMore: boolean
}

const nothing: UserAmounts = { pending: 0n, available: 0n, held: 0n, debt: 0n }

/**
 * What happened to the money of a user in one currency, from the journals alone, in the order in which it was booked.
 * A journal belongs to the period in which it was booked, not to that of its effect: what is booked later, also with an
 * earlier effect, never changes the statement of a period that is over. Returns null when `after` is no journal of this
 * account.
 * @param tx a snapshot, so that opening, lines and closing agree
 * @param after the last journal that was read before
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
