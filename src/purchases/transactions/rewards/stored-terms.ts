import type { Terms } from '../../../catalog/offers/index.ts'
import type { Transaction } from './transaction.ts'

type Row = Pick<Transaction, 'brandUid' | 'offerUid' | 'offerType' | 'rewardType' | 'currency' | 'terms'>

const NO_GROUP_LIMITS = { name: null, ratePpm: null, amount: null, minAmount: null, maxAmount: null }
const NO_CONDITIONS = { minSpend: null, maxSpend: null, oneTimeUse: false, newCustomerDays: null }

/**
 * Returns the terms for storage, without null or false properties and without properties stored in a column of the row.
 */
export function toStoredTerms(row: Row): object | null {
  const { terms } = row
  if (terms === null) return null
  const columns: Readonly<Record<string, unknown>> = row
  const members = nonEmpty(terms).filter(([name, value]) => columns[name] !== value)
  return { ...Object.fromEntries(members), groups: terms.groups.map((group) => Object.fromEntries(nonEmpty(group))) }
}

/** Restores the terms of a stored row. Older rows contain the terms in full. */
export function restoreTerms({ brandUid, offerUid, offerType, rewardType, currency, terms }: Row): Terms | null {
  if (terms === null) return null
  const columns = { brandUid, offerUid, offerType, rewardType, currency } as Terms
  const groups = terms.groups.map((group) => ({ ...NO_GROUP_LIMITS, ...group }))
  return { ...columns, ...NO_CONDITIONS, ...terms, groups }
}

function nonEmpty(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== null && member !== false && member !== undefined)
}
