import { erasedReference } from '../users/index.ts'
import type { Sale } from './read-sale.ts'

/** What a network calls a sale, its items and its reports. */
export type SaleNames = Pick<Sale, 'orderId' | 'transactionId' | 'reportId'>

/** The names by which the reports of an erased user are stored; those of others stay as they are. */
export function withoutNames({ orderId, transactionId, reportId }: SaleNames, salt: Buffer | null): SaleNames {
  const named = (name: string | null) => (name === null || salt === null ? name : erasedReference(salt, name))
  return { orderId: named(orderId), transactionId: named(transactionId), reportId: named(reportId) }
}
