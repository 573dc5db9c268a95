import type { Schemas } from './api/client.ts'

type Account = Schemas['LedgerAccount']

/** The name and meaning of each ledger account. A debit balance is owed by others; a credit balance is owed to them. */
export const ACCOUNTS: Readonly<Record<Account, readonly [name: string, meaning: string]>> = {
  advertiser_receivable: ['Owed by advertisers', 'Commission that has not been received'],
  user_pending: ['Users, pending', 'Rewards whose refund period has not passed'],
  user_available: ['Users, available', 'Rewards that users can redeem'],
  user_held: ['Users, held', 'Held for redemptions in progress'],
  user_debt: ['Users, debt', 'Rewards reversed after they were paid out'],
  publisher_pending: ['Publisher, pending', 'Its share of rewards that have not matured'],
  publisher_payable: ['Publisher, payable', 'Its share, to be paid out'],
  fee_pending: ['Fees, pending', 'Fees on rewards that have not matured'],
  fee_earned: ['Fees, earned', 'Fees of the service'],
  payout_clearing: ['Payouts in clearing', 'Paid out to users, not yet settled with the bank'],
  clawback_loss: ['Losses', 'Users’ written-off debts'],
  goodwill: ['Goodwill', 'Given to users by the service'],
  bank: ['Bank', 'Money received and paid'],
}

/** Labels for statement movements whose codes are hard to understand. */
export const MOVEMENTS: Readonly<Record<string, string>> = {
  taken_back: 'Reversed after maturity',
  moved_in: 'Moved in from another party',
  moved_out: 'Moved out to another party',
  users_earned: 'Rewards earned by users',
  users_cancelled: 'Pending rewards canceled',
  users_taken_back_available: 'Available rewards reversed',
  users_taken_back_as_debt: 'Paid-out rewards reversed, now owed by users',
  users_matured: 'Rewards matured',
  debt_repaid_by_rewards: 'User debt repaid from rewards',
  redemptions_held: 'Held for redemptions',
  redemptions_released: 'Released from redemptions',
  debt_written_off: 'User debt written off',
  adjusted_available: 'Adjustments to available rewards',
  adjusted_debt: 'Adjustments to user debt',
  adjustments_paid_by_publisher: 'Adjustments paid by the publisher',
  share_earned: 'Publisher’s share earned',
  share_reversed: 'Publisher’s share canceled',
  share_matured: 'Publisher’s share matured',
  share_taken_back: 'Publisher’s share reversed after maturity',
  fees_reversed: 'Fees canceled',
  fees_taken_back: 'Fees reversed after maturity',
}
