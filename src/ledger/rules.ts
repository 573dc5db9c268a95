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

/** Accrues a reward, or changes it by a signed difference before maturity. */
export function buildAccrual(brandUid: string, split: Shares): Posting[] {
  return nonZero([
    { account: 'advertiser_receivable', owner: brandUid, amount: split.user + split.publisher + split.fee },
    { account: 'user_pending', owner: '', amount: -split.user },
    { account: 'publisher_pending', owner: '', amount: -split.publisher },
    { account: 'fee_pending', owner: '', amount: -split.fee },
  ])
}

/** Moves a receivable from one advertiser to another. */
export function buildReassignment(fromUid: string, toUid: string, amount: bigint): Posting[] {
  return nonZero([
    { account: 'advertiser_receivable', owner: toUid, amount },
    { account: 'advertiser_receivable', owner: fromUid, amount: -amount },
  ])
}

/** Makes a pending reward available, repaying the user's debt first. */
export function buildMaturity(split: Shares, debt: bigint): Posting[] {
  return nonZero([
    { account: 'user_pending', owner: '', amount: split.user },
    ...creditPostings(split.user, debt),
    { account: 'publisher_pending', owner: '', amount: split.publisher },
    { account: 'publisher_payable', owner: '', amount: -split.publisher },
    { account: 'fee_pending', owner: '', amount: split.fee },
    { account: 'fee_earned', owner: '', amount: -split.fee },
  ])
}

/** Claws back a matured reward, from the available balance first. The rest becomes debt. No part may be negative. */
export function buildClawback(brandUid: string, taken: Shares, available: bigint): Posting[] {
  const fromAvailable = smaller(taken.user, available)
  return nonZero([
    { account: 'user_available', owner: '', amount: fromAvailable },
    { account: 'user_debt', owner: '', amount: taken.user - fromAvailable },
    { account: 'publisher_payable', owner: '', amount: taken.publisher },
    { account: 'fee_earned', owner: '', amount: taken.fee },
    { account: 'advertiser_receivable', owner: brandUid, amount: -(taken.user + taken.publisher + taken.fee) },
  ])
}

/** Sets available money aside for a redemption. */
export function holdPostings(amount: bigint): Posting[] {
  return move('user_available', 'user_held', amount)
}

/** Pays out held money by the given method. From then on, the amount is owed to whoever pays out by that method. */
export function buildPayout(amount: bigint, method: string): Posting[] {
  return nonZero([
    { account: 'user_held', owner: '', amount },
    { account: 'payout_clearing', owner: method, amount: -amount },
  ])
}

/** Makes held money available again if it will not be paid out, repaying the user's debt first. */
export function releasePostings(amount: bigint, debt: bigint): Posting[] {
  return nonZero([{ account: 'user_held', owner: '', amount }, ...creditPostings(amount, debt)])
}

/** Makes a returned payout available again, repaying the user's debt first. */
export function buildReturn(amount: bigint, method: string, debt: bigint): Posting[] {
  return nonZero([{ account: 'payout_clearing', owner: method, amount }, ...creditPostings(amount, debt)])
}

/**
 * Credits the user with money from the service or the publisher, repaying debt first. A negative amount is taken from
 * the available balance.
 */
export function buildAdjustment(amount: bigint, paidBy: 'service' | 'publisher', debt: bigint): Posting[] {
  const payer = paidBy === 'service' ? 'goodwill' : 'publisher_payable'
  const taken = { account: 'user_available', owner: '', amount: -amount } as const
  return nonZero([{ account: payer, owner: '', amount }, ...(amount < 0n ? [taken] : creditPostings(amount, debt))])
}

/** Writes off, as a loss, a debt that will not be repaid. */
export function writeOffPostings(amount: bigint): Posting[] {
  return move('user_debt', 'clawback_loss', -amount)
}

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
function creditPostings(amount: bigint, debt: bigint): Posting[] {
  const repaid = smaller(amount, debt)
  return [
    { account: 'user_debt', owner: '', amount: -repaid },
    { account: 'user_available', owner: '', amount: repaid - amount },
  ]
}

/** Debits the first account and credits the second. */
function move(from: Account, to: Account, amount: bigint): Posting[] {
  return nonZero([
    { account: from, owner: '', amount },
    { account: to, owner: '', amount: -amount },
  ])
}

function nonZero(postings: readonly Posting[]): Posting[] {
  return postings.filter((posting) => posting.amount !== 0n)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
