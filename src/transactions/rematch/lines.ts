import { type Amounts, type Bound, noAmounts, plus } from '../../offers/index.ts'
import { canonicalJson } from '../../platform/canonical-json.ts'
import { isSameTerms, type Transaction } from '../../rewards/index.ts'

/** What a re-match can change of a purchase and its adjustments. Stored as JSON, amounts as text in minor units. */
export type PurchaseState = Pick<
  Transaction,
  'brandUid' | 'matchMethod' | 'offerUid' | 'terms' | 'status' | 'statusReason'
> & {
  readonly amounts: Readonly<Record<keyof Amounts, string>>
  /** Missing in re-matches that earlier versions stored. */
  readonly judgedIn?: number | null
  /** What kept the reward below the terms; null: nothing. Only in the state before the re-match. */
  readonly bound?: { readonly gross: string; readonly reason: Bound['reason'] } | null
}

export type Line = Pick<Transaction, 'userId' | 'transactionId'> & {
  readonly before: PurchaseState
  readonly after: PurchaseState
}

/** The sums of the changed purchases before and after the re-match. */
export type Sums = { readonly before: Amounts; readonly after: Amounts }
export const noSums: Sums = { before: noAmounts, after: noAmounts }

export function stateOf(root: Omit<PurchaseState, 'amounts'>, amounts: Amounts): PurchaseState {
  const { brandUid, matchMethod, offerUid, terms, status, statusReason, judgedIn = null } = root
  return { brandUid, matchMethod, offerUid, terms, status, statusReason, judgedIn, amounts: textsOf(amounts) }
}

/** Whether a purchase is still as a re-match left it. */
export function isStill(state: Pick<PurchaseState, 'brandUid' | 'terms'>, made: PurchaseState): boolean {
  return state.brandUid === made.brandUid && isSameTerms(state.terms, made.terms)
}

/** Whether anything changed that is visible or affects later decisions. */
export function isChanged({ before, after }: Line): boolean {
  return !(
    isStill(before, after) &&
    before.status === after.status &&
    before.statusReason === after.statusReason &&
    canonicalJson(before.amounts) === canonicalJson(after.amounts)
  )
}

export function addLines(sums: Sums, lines: readonly Line[]): Sums {
  return lines.reduce(
    (sum, { before, after }) => ({
      before: plus(sum.before, amountsOf(before.amounts)),
      after: plus(sum.after, amountsOf(after.amounts)),
    }),
    sums,
  )
}

export function amountsOf(texts: PurchaseState['amounts']): Amounts {
  return mapAmounts(texts, BigInt)
}

export function textsOf(amounts: Amounts): PurchaseState['amounts'] {
  return mapAmounts(amounts, String)
}

function mapAmounts<From, To>(amounts: Readonly<Record<keyof Amounts, From>>, to: (amount: From) => To) {
  const { gross, user, publisher, fee, discount } = amounts
  return { gross: to(gross), user: to(user), publisher: to(publisher), fee: to(fee), discount: to(discount) }
}

/** The same text for the same changes, in any order. */
export function contentOf(lines: readonly Line[]): string {
  return canonicalJson(lines.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1)))
}
