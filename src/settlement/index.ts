/**
 * Settlement: payments, and the monthly statements of advertisers, publishers and the service, derived only from the
 * ledger. Guarantees that a statement never changes and that every journal is in exactly one statement of each party it
 * concerns. All statements can be rebuilt from the journals byte for byte.
 */
export { type ClosedMonth, closeDryRun, closeMonth, openCut } from './closing/close.ts'
export { verifyStatements } from './closing/verify.ts'
export type { SettlementRefusal } from './errors.ts'
export type { Payment } from './payments/payment.ts'
export { type PaymentRequest, recordPayment } from './payments/payments.ts'
export { countPayments, listPayments, PAYMENT_SORTS } from './payments/queries.ts'
export {
  NewPaymentSchema,
  PaymentQuery,
  PaymentSchema,
  paymentExample,
  paymentOf,
  presentPayment,
} from './payments/schema.ts'
export { paymentsToBook, verifyPayments } from './payments/verify-queries.ts'
export { listReceivables, type Receivable } from './receivables.ts'
export { RECEIVABLE_SORTS } from './receivables-queries.ts'
export { headersOf, STATEMENT_CONTENT, statementRoutes } from './routes.ts'
export { writeStatement } from './statements/answer.ts'
export { countStatements, listStatements, STATEMENT_SORTS } from './statements/queries.ts'
export {
  booksText,
  ClosedSchema,
  CloseQuery,
  CloseSchema,
  HeadingSchema,
  headingExample,
  presentHeading,
  StatementFormatQuery,
  StatementParams,
  StatementQuery,
} from './statements/schema.ts'
