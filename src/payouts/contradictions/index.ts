/**
 * Contradictions: reports of payers and suppliers that contradict what is recorded. Guarantees that each is kept until
 * an operator acknowledges it, and that none changes a balance.
 */
export { contradictionRoutes } from './operator-routes.ts'
export { countWaitingContradictions, recordContradictions, showContradictions } from './queries.ts'
