/**
 * Reconciliation: compares a publisher's books for the same days with each other and with an external file, record by
 * record. Guarantees that all books are read as of one instant, that nothing is changed and that every difference is
 * reported. Memory does not grow with the number of days, but an external file is loaded in full.
 */
export type { Comparison } from './comparisons.ts'
export type { ReconciliationRefusal } from './errors.ts'
export { compareBankFile } from './outside/bank.ts'
export { compareNetworkReport } from './outside/network.ts'
export { compareSupplierFile } from './outside/supplier.ts'
export { type Listener, reconcile } from './reconcile.ts'
export type { RowDifference, Values } from './rules.ts'
export { type ComparedSpan, toComparedSpan } from './span.ts'
