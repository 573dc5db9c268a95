/** The status and title are in src/refusals-money.ts. Only CLI commands raise this refusal. */
export type ReconciliationRefusal = 'statement_unreadable'
