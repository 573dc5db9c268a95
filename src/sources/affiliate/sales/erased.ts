import { eraseReference } from '../../../users/users/index.ts'
import type { Sale } from './read-sale.ts'

/** A network's identifiers for a sale, its items and its reports. */
export type SaleNames = Pick<Sale, 'orderId' | 'transactionId' | 'reportId'>

/**
 * Returns the identifiers to store for a report. Replaces an erased user's identifiers and leaves all others unchanged.
 */
export function eraseNames({ orderId, transactionId, reportId }: SaleNames, salt: Buffer | null): SaleNames {
  const named = (name: string | null) => (name === null || salt === null ? name : eraseReference(salt, name))
  return { orderId: named(orderId), transactionId: named(transactionId), reportId: named(reportId) }
}
