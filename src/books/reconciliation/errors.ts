/** Status and title are in src/refusals.ts. Only shown on the command line. */
export type ReconciliationRefusal = 'statement_unreadable'
