/**
 * Reconciliation: what the books of a publisher say about the same days, compared thing by thing, and with a file from
 * outside. Promises that all are seen at one instant, that nothing is changed, that everything in which two differ is
 * named, and that memory does not grow with the days; a file from outside is held whole.
 */
export type { Comparison } from './comparisons.ts'
export type { ReconciliationRefusal } from './errors.ts'
export { bankComparison } from './outside/bank.ts'
export { networkComparison } from './outside/network.ts'
export { supplierComparison } from './outside/supplier.ts'
export { type Listener, reconcile } from './reconcile.ts'
export type { RowDifference, Values } from './rules.ts'
export { type ComparedSpan, comparedSpan } from './span.ts'
