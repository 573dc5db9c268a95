import type { Tx } from '../platform/db/database.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { ACCOUNTS, type Account } from './rules.ts'
import { findInstant, sumAccounts } from './trial-balance-queries.ts'

/** Sums in minor units. */
type Sides = { readonly currency: string; readonly debits: bigint; readonly credits: bigint }

export type TrialBalance = {
  /** RFC 3339 with microseconds. */
  readonly at: string
  /**
   * In the order of `ACCOUNTS`. If requested, `owner` is the brand of an advertiser_receivable or the method of a
   * payout_clearing. Otherwise it is empty.
   */
  readonly accounts: readonly (Sides & { readonly account: Account; readonly owner: string })[]
  readonly totals: readonly Sides[]
  /** True if debits equal credits in each currency. If false, journals were tampered with. */
  readonly isBalanced: boolean
}

/**
 * Sums a publisher's accounts over all journals booked up to an instant, no matter when they took effect. Later
 * bookings, even backdated ones, do not change the result. Reads only journals, so the same trial balance can be
 * reproduced at any time.
 * @param tx a snapshot on a connection for slow work
 * @param at RFC 3339; null and future instants mean now
 */
export async function readTrialBalance(
  tx: Tx,
  publisher: Publisher,
  asked: { readonly at: string | null; readonly byOwner: boolean },
): Promise<TrialBalance> {
  const at = await findInstant(tx, asked.at)
  const rows = await sumAccounts(tx, publisher.id, { at, byOwner: asked.byOwner })
  const accounts = rows
    .map((row) => ({ ...row, debits: BigInt(row.debits), credits: BigInt(row.credits) }))
    .sort((one, other) => ACCOUNTS.indexOf(one.account) - ACCOUNTS.indexOf(other.account))
  const totals = sumByCurrency(accounts)
  return { at, accounts, totals, isBalanced: totals.every(({ debits, credits }) => debits === credits) }
}

function sumByCurrency(accounts: readonly Sides[]): Sides[] {
  return [...Map.groupBy(accounts, ({ currency }) => currency)].map(([currency, of]) => ({
    currency,
    debits: of.reduce((sum, { debits }) => sum + debits, 0n),
    credits: of.reduce((sum, { credits }) => sum + credits, 0n),
  }))
}
