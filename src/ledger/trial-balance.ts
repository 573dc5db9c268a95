import type { Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { ACCOUNTS, type Account } from './rules.ts'
import { findInstant, sumAccounts } from './trial-balance-queries.ts'

/** Sums in minor units. */
type Sides = { readonly currency: string; readonly debits: bigint; readonly credits: bigint }

export type TrialBalance = {
  /** RFC 3339 with microseconds. */
  readonly at: string
  /** In the order of `ACCOUNTS`. The owner, if asked for, is the brand of an advertiser_receivable, otherwise empty. */
  readonly accounts: readonly (Sides & { readonly account: Account; readonly owner: string })[]
  readonly totals: readonly Sides[]
  /** Whether debits equal credits in each currency; anything else means that journals were tampered with. */
  readonly isBalanced: boolean
}

/**
 * What the accounts of a publisher add up to in all journals that were booked until an instant, whenever they took
 * effect: what is booked later, also with an earlier effect, changes nothing of it. Reads nothing but journals, so it
 * can be drawn up again at any time.
 * @param tx a snapshot on a connection for slow work
 * @param at RFC 3339; null, or an instant that has not come yet, means now
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
  const totals = totalsOf(accounts)
  return { at, accounts, totals, isBalanced: totals.every(({ debits, credits }) => debits === credits) }
}

function totalsOf(accounts: readonly Sides[]): Sides[] {
  return [...Map.groupBy(accounts, ({ currency }) => currency)].map(([currency, of]) => ({
    currency,
    debits: of.reduce((sum, { debits }) => sum + debits, 0n),
    credits: of.reduce((sum, { credits }) => sum + credits, 0n),
  }))
}
