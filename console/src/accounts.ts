import type { Schemas } from './api/client.ts'

type Account = Schemas['LedgerAccount']

/** What each account of the ledger has, in words. A debit balance is what others owe; a credit balance what is owed to them. */
export const ACCOUNTS: Readonly<Record<Account, readonly [name: string, meaning: string]>> = {
  advertiser_receivable: ['Owed by advertisers', 'Commission that has not been received'],
  user_pending: ['Users, pending', 'Rewards whose refund period has not passed'],
  user_available: ['Users, available', 'Rewards that users can redeem'],
  user_held: ['Users, held', 'Held for redemptions under way'],
  user_debt: ['Users, debt', 'Taken back after it was paid out'],
  publisher_pending: ['Publisher, pending', 'Its share of rewards that have not matured'],
  publisher_payable: ['Publisher, payable', 'Its share, to be paid to it'],
  fee_pending: ['Fees, pending', 'Fees of rewards that have not matured'],
  fee_earned: ['Fees, earned', 'Fees of the service'],
  payout_clearing: ['Payouts in clearing', 'Paid out to users, not yet settled with the bank'],
  clawback_loss: ['Losses', 'Debts of users that were written off'],
  goodwill: ['Goodwill', 'Given to users by the service'],
  bank: ['Bank', 'Money received and paid'],
}
