/**
 * Allowances: offers' uses, user limits, budgets and voucher codes, activations, and the holds that purchases take.
 * Guarantees that nothing is held twice, that no purchase takes more than is left, and that purchases that earn nothing
 * hold nothing.
 */
export { listActivations } from './activation-queries.ts'
export { countNearlySpentBudgets } from './budget-paces.ts'
export { listBudgetDifferences, listBudgets } from './budget-queries.ts'
export { NEARLY_SPENT_PERCENT, warnAboutBudgets } from './budget-warnings.ts'
export { type BudgetKey, nameBudget, type OfferBudget, toBudgets } from './budgets.ts'
export { listCodes, listCodesByFingerprint } from './code-queries.ts'
export type { AllowanceRefusal } from './errors.ts'
export type { Hold } from './hold-index.ts'
export { listHolds, writeHolds } from './hold-queries.ts'
export { type AllowanceState, type Allowances, type Claimant, findBound, openAllowances } from './holds.ts'
export { operatorOfferRoutes } from './operator-routes.ts'
export { offerRoutes } from './routes.ts'
export {
  activateOffer,
  deactivateOffer,
  fingerprintCode,
  handOutCode,
  type ImportedCode,
  importCodes,
  refingerprintCodes,
} from './service.ts'
export { lockWholeBudgets, takeFromBudgets } from './take-budgets.ts'
export { createOffersOfUser, listBudgetsOnDay } from './used-up.ts'
