/** src/refusals.ts has its status and title. Shown on the command line only. */
export type ReconciliationRefusal = 'statement_unreadable'
