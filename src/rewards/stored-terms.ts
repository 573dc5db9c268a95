import type { Terms } from '../offers/index.ts'
import type { Transaction } from './transaction.ts'

type Row = Pick<Transaction, 'brandUid' | 'offerUid' | 'offerType' | 'rewardType' | 'currency' | 'terms'>

const NO_GROUP_LIMITS = { name: null, ratePpm: null, amount: null, minAmount: null, maxAmount: null }
const NO_CONDITIONS = { minSpend: null, maxSpend: null, oneTimeUse: false, newCustomerDays: null }

/** The terms as they are stored: without what is null or false, and without members that are columns of the row. */
export function leanTerms(row: Row): object | null {
  const { terms } = row
  if (terms === null) return null
  const columns: Readonly<Record<string, unknown>> = row
  const members = said(terms).filter(([name, value]) => columns[name] !== value)
  return { ...Object.fromEntries(members), groups: terms.groups.map((group) => Object.fromEntries(said(group))) }
}

/** The terms of a stored row, lean or, in older rows, whole. */
export function wholeTerms({ brandUid, offerUid, offerType, rewardType, currency, terms }: Row): Terms | null {
  if (terms === null) return null
  const columns = { brandUid, offerUid, offerType, rewardType, currency } as Terms
  const groups = terms.groups.map((group) => ({ ...NO_GROUP_LIMITS, ...group }))
  return { ...columns, ...NO_CONDITIONS, ...terms, groups }
}

function said(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== null && member !== false && member !== undefined)
}
