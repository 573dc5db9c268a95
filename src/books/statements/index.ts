/**
 * Settlement: payments, and the monthly statements of advertisers, publishers and the service, derived only from the
 * ledger. Guarantees that a statement never changes, that every journal is in exactly one statement of each party it
 * concerns, and that all statements can be rebuilt from the journals and payments byte for byte.
 */
export { closeMonth, openCut } from './closing/close.ts'
export { verifyStatements } from './closing/verify.ts'
export type { SettlementRefusal } from './errors.ts'
export { operatorStatementRoutes } from './operator-routes.ts'
export { closeMonthAs, presentClosed } from './operators.ts'
export { paymentRoutes } from './payments/operator-routes.ts'
export { selectPaymentsToBook, verifyPayments } from './payments/verify-queries.ts'
export { operatorReceivableRoutes } from './receivable-operator-routes.ts'
export { statementRoutes } from './routes.ts'
export { writeStatement } from './statements/answer.ts'
export { HEADING } from './statements/heading.ts'
export { countStatements, listStatements } from './statements/queries.ts'
