import type { Account, StoredTransaction } from './state.ts'
import { buildRow, type Purchase } from './transactions.ts'
import { ANY_PASSWORD_USERNAMES } from './users.ts'

/**
 * The provider's own test users. Every thirty days, they have the same purchases, subscriptions and refunded flight, as
 * well as rows that are not purchases: wages, interest, loan and card payments, transfers and fees. The newest row is
 * dated two days before the link, so that it does not fall on the day of the link in any time zone.
 */
export const GOOD_USERNAMES: readonly string[] = ['user_good', ...ANY_PASSWORD_USERNAMES]

const CYCLE_DAYS = 30

type Event = Omit<Purchase, 'pending'> & {
  /** The age of the newest occurrence, which was authorized one day before it posted. */
  readonly daysAgo: number
  readonly on: 'credit' | 'depository'
  /** True if the newest occurrence is still pending. */
  readonly isPending?: true
  /** The number of days from the purchase to its full refund. */
  readonly refundedAfter?: number
}

const WAGES = { on: 'depository', merchant: 'Larch Street Studio Payroll', category: 'INCOME', amount: -1_840 } as const
const RIDE = { on: 'credit', merchant: 'Uber', website: 'uber.com', category: 'TRANSPORTATION' } as const
const SPRINGFIELD = { city: 'Springfield', region: 'IL', postal_code: '62701', country: 'US' }

const LIFE: readonly Event[] = [
  { daysAgo: 2, on: 'credit', merchant: 'Starbucks', category: 'FOOD_AND_DRINK', amount: 4.85, isPending: true },
  { daysAgo: 2, ...RIDE, amount: 7.4, isPending: true },
  {
    daysAgo: 4,
    on: 'credit',
    merchant: 'Hillside Market',
    category: 'FOOD_AND_DRINK',
    amount: 86.12,
    location: SPRINGFIELD,
  },
  { daysAgo: 5, ...WAGES },
  { daysAgo: 6, on: 'depository', merchant: 'Card Payment', category: 'LOAN_PAYMENTS', amount: 640 },
  { daysAgo: 6, on: 'credit', merchant: 'Payment Received', category: 'LOAN_PAYMENTS', amount: -640 },
  { daysAgo: 7, on: 'credit', merchant: 'Netflix', website: 'netflix.com', category: 'ENTERTAINMENT', amount: 17.99 },
  { daysAgo: 9, on: 'credit', merchant: 'Northgate Fuel', category: 'TRANSPORTATION', amount: 41.36, mcc: '5542' },
  { daysAgo: 11, on: 'depository', merchant: 'Student Loan Servicing', category: 'LOAN_PAYMENTS', amount: 215 },
  {
    daysAgo: 12,
    on: 'credit',
    merchant: "McDonald's",
    category: 'FOOD_AND_DRINK',
    amount: 12.7,
    location: SPRINGFIELD,
  },
  { daysAgo: 14, on: 'credit', merchant: 'Walmart', website: 'walmart.com', amount: 63.27 },
  { daysAgo: 15, on: 'depository', merchant: 'Savings Transfer', category: 'TRANSFER_OUT', amount: 250 },
  { daysAgo: 16, on: 'depository', merchant: 'Interest Paid', category: 'INCOME', amount: -3.18 },
  { daysAgo: 18, ...RIDE, amount: 11.05 },
  { daysAgo: 19, ...WAGES },
  { daysAgo: 21, on: 'credit', merchant: 'Summit Climbing Gym', category: 'PERSONAL_CARE', amount: 58 },
  { daysAgo: 23, on: 'depository', merchant: 'Monthly Account Fee', category: 'BANK_FEES', amount: 5 },
  { daysAgo: 26, on: 'credit', merchant: 'United Airlines', category: 'TRAVEL', amount: 312.4, refundedAfter: 6 },
  { daysAgo: 28, on: 'credit', merchant: 'Maple Books', website: 'maplebooks.example', amount: 24.5 },
]

/** Generates the history, oldest row first. It is the same for all these users, relative to the day of the link. */
export function generateHistory(
  accounts: readonly Account[],
  {
    daysRequested,
    showsPending,
    dayBefore,
  }: {
    readonly daysRequested: number
    readonly showsPending: boolean
    readonly dayBefore: (days: number) => string
  },
): StoredTransaction[] {
  const stored = (event: Event, account: Account, daysAgo: number): StoredTransaction => {
    const { daysAgo: newest, on: _on, isPending, refundedAfter: _after, ...purchase } = event
    const pending = isPending === true && showsPending && daysAgo === newest
    const authorized_date = dayBefore(pending ? daysAgo : daysAgo + 1)
    return { row: buildRow({ ...purchase, pending, authorized_date }, account, dayBefore(daysAgo)), refundOf: null }
  }
  const cycle = (from: number): StoredTransaction[] =>
    LIFE.flatMap((event) => {
      const account = accounts.find(({ type }) => type === event.on)
      if (account === undefined) return []
      const bought = stored(event, account, event.daysAgo + from)
      if (event.refundedAfter === undefined) return [bought]
      const refund = stored({ ...event, amount: -event.amount }, account, event.daysAgo + from - event.refundedAfter)
      return [bought, { ...refund, refundOf: bought.row.transaction_id }]
    })
  const cycles = Array.from({ length: Math.ceil(daysRequested / CYCLE_DAYS) }, (_, number) =>
    cycle(number * CYCLE_DAYS),
  )
  return cycles
    .flat()
    .filter(({ row }) => row.date >= dayBefore(daysRequested))
    .toSorted((one, other) => one.row.date.localeCompare(other.row.date))
}
