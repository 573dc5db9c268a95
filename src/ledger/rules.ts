import type { UserId } from '../platform/ids.ts'

/**
 * The ledger accounts. Postings are in signed minor units: debits are positive, credits negative. A journal can sum to
 * zero and still make no sense, so each kind may touch only a fixed set of accounts.
 */
export const ACCOUNTS = [
  'advertiser_receivable',
  'user_pending',
  'user_available',
  'user_held',
  'user_debt',
  'publisher_pending',
  'publisher_payable',
  'fee_pending',
  'fee_earned',
  'payout_clearing',
  'clawback_loss',
  'goodwill',
  'bank',
] as const
export type Account = (typeof ACCOUNTS)[number]

export const JOURNAL_KINDS = [
  'accrual',
  'reassignment',
  'maturity',
  'clawback',
  'redemption_hold',
  'redemption_paid',
  'redemption_released',
  'redemption_returned',
  'adjustment',
  'write_off',
  'payment',
] as const
export type JournalKind = (typeof JOURNAL_KINDS)[number]

export type Posting = { readonly account: Account; readonly owner: string; readonly amount: bigint }

/** The parts of a gross reward in minor units. Excludes any discount, which is given at checkout. */
export type Shares = { readonly user: bigint; readonly publisher: bigint; readonly fee: bigint }

export type Journal = {
  readonly journalId: string
  readonly userId: UserId
  readonly kind: JournalKind
  readonly cause: Cause
  readonly postings: readonly Posting[]
}

/**
 * The cause of an entry: the natural key that prevents it from being booked twice, its currency and its effective time.
 */
export type Cause = {
  readonly id: string
  readonly version: number
  readonly currency: string
  readonly effectiveAt: Date
}

export const ALLOWED: Readonly<Record<JournalKind, readonly Account[]>> = {
  accrual: ['advertiser_receivable', 'user_pending', 'publisher_pending', 'fee_pending'],
  reassignment: ['advertiser_receivable'],
  maturity: [
    'user_pending',
    'user_available',
    'user_debt',
    'publisher_pending',
    'publisher_payable',
    'fee_pending',
    'fee_earned',
  ],
  clawback: ['advertiser_receivable', 'user_available', 'user_debt', 'publisher_payable', 'fee_earned'],
  redemption_hold: ['user_available', 'user_held'],
  redemption_paid: ['user_held', 'payout_clearing'],
  redemption_released: ['user_held', 'user_debt', 'user_available'],
  redemption_returned: ['payout_clearing', 'user_debt', 'user_available'],
  adjustment: ['goodwill', 'publisher_payable', 'user_debt', 'user_available'],
  write_off: ['clawback_loss', 'user_debt'],
  payment: ['bank', 'advertiser_receivable', 'publisher_payable', 'payout_clearing', 'fee_earned'],
}

/** The accounts that a payment may settle. */
export type PaidAccount = 'advertiser_receivable' | 'publisher_payable' | 'payout_clearing' | 'fee_earned'

/** The accounts in a user's balance row. All other accounts are shared and folded. */
export const USER_ACCOUNTS: readonly Account[] = ['user_pending', 'user_available', 'user_held', 'user_debt']

/** Settles an account with money received from its counterparty, or paid to it if the amount is negative. */
export function buildPayment(account: PaidAccount, owner: string, amount: bigint): Posting[] {
  return nonZero([
    { account: 'bank', owner: '', amount },
    { account, owner, amount: -amount },
  ])
}

/** Returns the fault in a journal, or null. Any fault is a bug, because no input can cause one. */
export function findFault(kind: JournalKind, postings: readonly Posting[]): string | null {
  const stray = postings.find((posting) => !ALLOWED[kind].includes(posting.account))
  if (stray !== undefined) return `a journal of kind ${kind} may not touch ${stray.account}`
  const sum = postings.reduce((total, posting) => total + posting.amount, 0n)
  return sum === 0n ? null : `the postings sum to ${sum}`
}

/** A user's balances in minor units of one currency. Never negative. */
export type Balances = {
  readonly pending: bigint
  readonly available: bigint
  readonly held: bigint
  readonly debt: bigint
  readonly earnedTotal: bigint
  readonly redeemedTotal: bigint
}
export const noBalances: Balances = {
  pending: 0n,
  available: 0n,
  held: 0n,
  debt: 0n,
  earnedTotal: 0n,
  redeemedTotal: 0n,
}

/** A user's balances by currency. Currencies without any bookings may be missing. */
export type Wallet = ReadonlyMap<string, Balances>

/** Returns a journal's changes to the user's balances. */
export function computeBalanceEffect(kind: JournalKind, postings: readonly Posting[]): Balances {
  const of = (account: Account): bigint =>
    postings.reduce((sum, posting) => (posting.account === account ? sum + posting.amount : sum), 0n)
  const [pending, available, held, debt] = [
    -of('user_pending'),
    -of('user_available'),
    -of('user_held'),
    of('user_debt'),
  ]
  // Only rewards count toward the earned total. Otherwise a negative adjustment followed by a refund could make it
  // negative.
  const earns = kind === 'accrual' || kind === 'clawback'
  return {
    pending,
    available,
    held,
    debt,
    earnedTotal: earns ? pending + available - debt : 0n,
    redeemedTotal: -of('payout_clearing'),
  }
}

/** Credits the user with available money, repaying debt first. */
export function creditPostings(amount: bigint, debt: bigint): Posting[] {
  const repaid = smaller(amount, debt)
  return [
    { account: 'user_debt', owner: '', amount: -repaid },
    { account: 'user_available', owner: '', amount: repaid - amount },
  ]
}

export function nonZero(postings: readonly Posting[]): Posting[] {
  return postings.filter((posting) => posting.amount !== 0n)
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
