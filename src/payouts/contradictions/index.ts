/**
 * Contradictions: reports by payers and suppliers that contradict our records. Guarantees that each one stays listed
 * until an operator acknowledges it, and that none changes a balance.
 */
export { contradictionRoutes } from './operator-routes.ts'
export { countWaitingContradictions, recordContradictions, showContradictions } from './queries.ts'
