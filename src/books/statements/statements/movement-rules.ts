import type { Account, JournalKind } from '../../../ledger/index.ts'
import type { StatementKind } from './document.ts'

/**
 * Defines which postings a statement line adds up: those of one kind of journal on one account, on one side or both.
 */
export type Movement = {
  readonly name: string
  readonly kind: JournalKind
  readonly account: Account
  /** The positive side. A net amount subtracts the other side. */
  readonly side: 'debit' | 'credit' | 'net debit' | 'net credit'
  /** An optional breakdown of the line. */
  readonly by?: 'publisher' | 'owner'
}

const row = (
  name: string,
  kind: JournalKind,
  account: Account,
  side: Movement['side'],
  by?: Movement['by'],
): Movement => ({ name, kind, account, side, ...(by === undefined ? {} : { by }) })

/**
 * The movements of each kind of statement, in order. Postings that merely carry another line's amount to an account
 * have no line and appear only in that account's balance.
 */
export const MOVEMENTS: Readonly<Record<StatementKind, readonly Movement[]>> = {
  advertiser: [
    row('accrued', 'accrual', 'advertiser_receivable', 'debit', 'publisher'),
    row('reversed', 'accrual', 'advertiser_receivable', 'credit', 'publisher'),
    row('taken_back', 'clawback', 'advertiser_receivable', 'net credit', 'publisher'),
    row('moved_in', 'reassignment', 'advertiser_receivable', 'debit', 'publisher'),
    row('moved_out', 'reassignment', 'advertiser_receivable', 'credit', 'publisher'),
    row('payments_received', 'payment', 'advertiser_receivable', 'credit', 'publisher'),
    row('payments_returned', 'payment', 'advertiser_receivable', 'debit', 'publisher'),
  ],
  publisher: [
    row('users_earned', 'accrual', 'user_pending', 'credit'),
    row('users_cancelled', 'accrual', 'user_pending', 'debit'),
    row('users_taken_back_available', 'clawback', 'user_available', 'net debit'),
    row('users_taken_back_as_debt', 'clawback', 'user_debt', 'net debit'),
    row('users_matured', 'maturity', 'user_pending', 'net debit'),
    row('debt_repaid_by_rewards', 'maturity', 'user_debt', 'net credit'),
    row('redemptions_held', 'redemption_hold', 'user_held', 'credit'),
    row('redeemed', 'redemption_paid', 'payout_clearing', 'credit', 'owner'),
    row('redemptions_released', 'redemption_released', 'user_held', 'debit'),
    row('redemptions_returned', 'redemption_returned', 'payout_clearing', 'debit', 'owner'),
    row('debt_written_off', 'write_off', 'user_debt', 'credit'),
    row('adjusted_available', 'adjustment', 'user_available', 'net credit'),
    row('adjusted_debt', 'adjustment', 'user_debt', 'net credit'),
    row('adjustments_paid_by_publisher', 'adjustment', 'publisher_payable', 'net debit'),
    row('share_earned', 'accrual', 'publisher_pending', 'credit'),
    row('share_reversed', 'accrual', 'publisher_pending', 'debit'),
    row('share_matured', 'maturity', 'publisher_payable', 'net credit'),
    row('share_taken_back', 'clawback', 'publisher_payable', 'net debit'),
    row('fees_charged', 'accrual', 'fee_pending', 'credit'),
    row('fees_reversed', 'accrual', 'fee_pending', 'debit'),
    row('fees_taken_back', 'clawback', 'fee_earned', 'net debit'),
    row('payments_to_publisher', 'payment', 'publisher_payable', 'debit'),
    row('payments_from_publisher', 'payment', 'publisher_payable', 'credit'),
    row('payouts_settled', 'payment', 'payout_clearing', 'net debit', 'owner'),
  ],
  service: [
    row('fees_charged', 'accrual', 'fee_pending', 'credit', 'publisher'),
    row('fees_reversed', 'accrual', 'fee_pending', 'debit', 'publisher'),
    row('fees_earned', 'maturity', 'fee_earned', 'net credit', 'publisher'),
    row('fees_taken_back', 'clawback', 'fee_earned', 'net debit', 'publisher'),
    row('fees_paid_out', 'payment', 'fee_earned', 'net debit', 'publisher'),
    row('debt_written_off', 'write_off', 'clawback_loss', 'debit', 'publisher'),
    row('goodwill_given', 'adjustment', 'goodwill', 'net debit', 'publisher'),
    row('payouts_made', 'redemption_paid', 'payout_clearing', 'credit', 'owner'),
    row('payouts_returned', 'redemption_returned', 'payout_clearing', 'debit', 'owner'),
    row('payouts_settled', 'payment', 'payout_clearing', 'net debit', 'owner'),
    row('money_received', 'payment', 'bank', 'debit', 'publisher'),
    row('money_paid', 'payment', 'bank', 'credit', 'publisher'),
  ],
}

/** The accounts of each kind of statement, in order, with their breakdown. */
export const STATEMENT_ACCOUNTS: Readonly<
  Record<StatementKind, Readonly<Partial<Record<Account, 'publisher' | 'owner' | null>>>>
> = {
  advertiser: { advertiser_receivable: 'publisher' },
  publisher: {
    user_pending: null,
    user_available: null,
    user_held: null,
    user_debt: null,
    publisher_pending: null,
    publisher_payable: null,
    fee_pending: null,
    fee_earned: null,
    payout_clearing: 'owner',
  },
  service: {
    fee_pending: 'publisher',
    fee_earned: 'publisher',
    clawback_loss: 'publisher',
    goodwill: 'publisher',
    payout_clearing: 'owner',
    bank: 'publisher',
  },
}

/** The accounts that debits increase. Balances of all other accounts are owed to someone. */
export const DEBIT_ACCOUNTS: ReadonlySet<Account> = new Set([
  'advertiser_receivable',
  'user_debt',
  'clawback_loss',
  'goodwill',
  'bank',
])
