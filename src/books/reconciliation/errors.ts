/** Status and title are in src/refusals.ts. Occurs only on the command line. */
export type ReconciliationRefusal = 'statement_unreadable'
