import { findBound } from '../../../catalog/allowances/index.ts'
import { type Amounts, type Bound, noAmounts, plus } from '../../../catalog/offers/index.ts'
import { toCanonicalJson } from '../../../platform/text/canonical-json.ts'
import { isSameTerms } from '../rewards/settle.ts'
import { findStatusReason, type Transaction } from '../rewards/transaction.ts'
import type { SettlementPlan } from '../write/settle-purchases.ts'

/**
 * The parts of a purchase and its adjustments that a re-match can change. Stored as JSON, with amounts as strings in
 * minor units.
 */
export type RematchState = Pick<
  Transaction,
  'brandUid' | 'matchMethod' | 'offerUid' | 'terms' | 'status' | 'statusReason'
> & {
  readonly amounts: Readonly<Record<keyof Amounts, string>>
  /** The currency of the amounts. Missing in re-matches from versions with one currency per publisher. */
  readonly currency?: string
  /** Missing in re-matches stored by earlier versions. */
  readonly judgedIn?: number | null
  /** The bound that kept the reward below its terms; null if none did. Set only in the state before the re-match. */
  readonly bound?: { readonly gross: string; readonly reason: Bound['reason'] } | null
}

export type RematchChange = Pick<Transaction, 'userId' | 'transactionId'> & {
  readonly before: RematchState
  readonly after: RematchState
}

/**
 * Totals of the changed purchases before and after the re-match, by currency. An empty key, found in re-matches from
 * versions that supported only one currency, is the publisher's first currency.
 */
export type RematchSums = Readonly<Record<string, { readonly before: Amounts; readonly after: Amounts }>>
export const noSums: RematchSums = {}

/** Returns the planned changes that are visible or affect later decisions. */
export function collectChanges({ settled, holdsBefore }: SettlementPlan): RematchChange[] {
  const holds = Map.groupBy(holdsBefore, ({ transactionId }) => transactionId)
  return settled.flatMap(({ purchase: { group }, owed, changes }) => {
    if (changes.length === 0) return []
    const { root, former = root, adjustments } = group
    const { userId, transactionId } = root
    const rows = new Map([former, ...adjustments].map((row) => [row.transactionId, row]))
    const bound = findBound(holds.get(transactionId) ?? [])
    const before = {
      ...toState(former, [...rows.values()]),
      bound: bound === null ? null : { ...bound, gross: String(bound.gross) },
    }
    for (const { after } of changes) rows.set(after.transactionId, after)
    const after = { ...toState(rows.get(transactionId) ?? former, [...rows.values()]), statusReason: owed.reason }
    return isChanged(before, after) ? [{ userId, transactionId, before, after }] : []
  })
}

function toState(root: Transaction, rows: readonly Transaction[]): RematchState {
  const { brandUid, matchMethod, offerUid, terms, status, judgedIn, currency } = root
  const amounts = toTexts(rows.reduce((sum, row) => plus(sum, row.amounts), noAmounts))
  return {
    brandUid,
    matchMethod,
    offerUid,
    terms,
    status,
    statusReason: findStatusReason(rows),
    judgedIn,
    currency,
    amounts,
  }
}

/** True if a purchase still has the brand and terms that a re-match gave it. */
export function isStill(state: Pick<RematchState, 'brandUid' | 'terms'>, made: RematchState): boolean {
  return state.brandUid === made.brandUid && isSameTerms(state.terms, made.terms)
}

function isChanged(before: RematchState, after: RematchState): boolean {
  return !(
    isStill(before, after) &&
    before.status === after.status &&
    before.statusReason === after.statusReason &&
    toCanonicalJson(before.amounts) === toCanonicalJson(after.amounts)
  )
}

export function plusChanges(sums: RematchSums, changes: readonly RematchChange[]): RematchSums {
  const all = { ...sums }
  for (const { before, after } of changes) {
    const { currency = '' } = after
    const sum = all[currency] ?? { before: noAmounts, after: noAmounts }
    all[currency] = {
      before: plus(sum.before, parseAmounts(before.amounts)),
      after: plus(sum.after, parseAmounts(after.amounts)),
    }
  }
  return all
}

export function parseAmounts(texts: RematchState['amounts'] | Amounts): Amounts {
  return mapAmounts<string | bigint, bigint>(texts, BigInt)
}

export function toTexts(amounts: Amounts): RematchState['amounts'] {
  return mapAmounts(amounts, String)
}

function mapAmounts<From, To>(amounts: Readonly<Record<keyof Amounts, From>>, to: (amount: From) => To) {
  const { gross, user, publisher, fee, discount } = amounts
  return { gross: to(gross), user: to(user), publisher: to(publisher), fee: to(fee), discount: to(discount) }
}

/** Serializes changes deterministically, regardless of their order. */
export function serializeChanges(changes: readonly RematchChange[]): string {
  return toCanonicalJson(changes.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1)))
}
