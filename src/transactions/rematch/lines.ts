import { type Amounts, type Bound, noAmounts } from '../../offers/index.ts'
import { isSameTerms, type Transaction } from '../../rewards/index.ts'

/** A purchase with all that adjusts it, as far as a re-match can change it. Kept as JSON: amounts are texts of minor units. */
export type PurchaseState = Pick<
  Transaction,
  'brandUid' | 'matchMethod' | 'offerUid' | 'terms' | 'status' | 'statusReason'
> & {
  readonly amounts: Readonly<Record<keyof Amounts, string>>
  /** Absent in re-matches of former versions. */
  readonly judgedIn?: number | null
  /** What kept it below its terms; null: nothing. Absent in what a purchase came to. */
  readonly bound?: { readonly gross: string; readonly reason: Bound['reason'] } | null
}

export type Line = Pick<Transaction, 'userId' | 'transactionId'> & {
  readonly before: PurchaseState
  readonly after: PurchaseState
}

/** What users, publisher and service had and have of the changed purchases. */
export type Sums = { readonly before: Amounts; readonly after: Amounts }
export const noSums: Sums = { before: noAmounts, after: noAmounts }

export function stateOf(root: Omit<PurchaseState, 'amounts'>, amounts: Amounts): PurchaseState {
  const { brandUid, matchMethod, offerUid, terms, status, statusReason, judgedIn = null } = root
  return { brandUid, matchMethod, offerUid, terms, status, statusReason, judgedIn, amounts: textsOf(amounts) }
}

/** Whether a purchase still is what a re-match made of it: nothing was decided about it since. */
export function isStill(state: Pick<PurchaseState, 'brandUid' | 'terms'>, made: PurchaseState): boolean {
  return state.brandUid === made.brandUid && isSameTerms(state.terms, made.terms)
}

/** Whether anything of it changed that anybody sees or that will count later. */
export function isChanged({ before, after }: Line): boolean {
  return !(
    isStill(before, after) &&
    before.status === after.status &&
    before.statusReason === after.statusReason &&
    Object.entries(before.amounts).every(([name, amount]) => after.amounts[name as keyof Amounts] === amount)
  )
}

export function addLines(sums: Sums, lines: readonly Line[]): Sums {
  return lines.reduce(
    (sum, { before, after }) => ({ before: added(sum.before, before), after: added(sum.after, after) }),
    sums,
  )
}

function added(sum: Amounts, { amounts }: PurchaseState): Amounts {
  const of = (name: keyof Amounts): bigint => sum[name] + BigInt(amounts[name])
  return { gross: of('gross'), user: of('user'), publisher: of('publisher'), fee: of('fee'), discount: of('discount') }
}

export function amountsOf(texts: PurchaseState['amounts'] | undefined): Amounts {
  const of = (name: keyof Amounts): bigint => BigInt(texts?.[name] ?? 0)
  return { gross: of('gross'), user: of('user'), publisher: of('publisher'), fee: of('fee'), discount: of('discount') }
}

export function textsOf({ gross, user, publisher, fee, discount }: Amounts): PurchaseState['amounts'] {
  return {
    gross: String(gross),
    user: String(user),
    publisher: String(publisher),
    fee: String(fee),
    discount: String(discount),
  }
}

/** What lines say, in one order of lines and members: two runs that come to the same have the same text. */
export function contentOf(lines: readonly Line[]): string {
  const sorted = lines.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1))
  return JSON.stringify(sorted.map((line) => [line.transactionId, members(line.before), members(line.after)]))
}

function members({ amounts, terms, ...state }: PurchaseState): unknown {
  return [inOrder(state), inOrder(amounts), inOrder(terms)]
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, inOrder(one)] as const)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
