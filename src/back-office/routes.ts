import { operatorReceivableRoutes, operatorStatementRoutes, paymentRoutes } from '../books/statements/index.ts'
import { operatorOfferRoutes } from '../catalog/allowances/index.ts'
import {
  assortmentRoutes,
  type CatalogOperatorDeps,
  operatorBrandRoutes,
  operatorCatalogRoutes,
  operatorStoreRoutes,
} from '../catalog/catalog/index.ts'
import { operatorReviewRoutes } from '../catalog/reviews/index.ts'
import { operatorDeliveryRoutes } from '../events/index.ts'
import { operatorLedgerRoutes, trialBalanceRoutes } from '../ledger/index.ts'
import { contradictionRoutes } from '../payouts/contradictions/index.ts'
import { operatorGiftCardRoutes } from '../payouts/gift-cards/index.ts'
import { operatorRedemptionRoutes } from '../payouts/redemptions/index.ts'
import type { App } from '../platform/http/index.ts'
import { operatorAdjustmentRoutes, operatorClaimRoutes } from '../purchases/claims/index.ts'
import { operatorRefundRoutes } from '../purchases/linker/index.ts'
import {
  operatorRematchRoutes,
  operatorTransactionRoutes,
  operatorVoucherRoutes,
} from '../purchases/transactions/index.ts'
import { operatorPostbackRoutes } from '../sources/affiliate/index.ts'
import { operatorLoginRoutes } from '../sources/cards/index.ts'
import { auditRoute, keyRoutes, operatorOperations, operatorRoute, staffRoutes } from '../tenants/access/index.ts'
import { operatorTermsRoutes, operatorUserRoutes } from '../users/users/index.ts'
import { operatorFactRoutes } from './outbox-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { type PublisherRouteDeps, publisherRoutes } from './publishers/routes.ts'
import { operatorSearchRoutes } from './search-routes.ts'
import { workQueueRoutes } from './work-queue-routes.ts'
import { operatorWorkRoutes } from './work-routes.ts'

/** Registers everything under `/operator/`. The app passed in must be guarded by authenticateOperators. */
export function operatorRoutes(app: App, deps: PublisherRouteDeps & CatalogOperatorDeps): void {
  const operation = operatorOperations(app, deps)
  operatorCatalogRoutes(operation, deps)
  assortmentRoutes(operation, deps)
  operatorReviewRoutes(operation, deps)
  operatorRematchRoutes(operation, deps)
  operatorPostbackRoutes(operation, deps)
  operatorFactRoutes(operation, deps)
  operatorRefundRoutes(operation, deps)
  operatorRedemptionRoutes(operation, deps)
  operatorAdjustmentRoutes(operation, deps)
  operatorClaimRoutes(operation, deps)
  workQueueRoutes(operation, deps)
  overviewRoutes(operation, deps)
  operatorLoginRoutes(operation, deps)
  operatorWorkRoutes(operation, deps)
  operatorBrandRoutes(operation, deps)
  operatorOfferRoutes(operation, deps)
  operatorStoreRoutes(operation, deps)
  operatorGiftCardRoutes(operation, deps)
  contradictionRoutes(operation, deps)
  operatorVoucherRoutes(operation, deps)
  trialBalanceRoutes(operation, deps)
  operatorLedgerRoutes(operation, deps)
  operatorReceivableRoutes(operation, deps)
  paymentRoutes(operation, deps)
  operatorStatementRoutes(operation, deps)
  staffRoutes(operation, deps)
  publisherRoutes(operation, deps)
  keyRoutes(operation, deps)
  operatorSearchRoutes(operation, deps)
  operatorDeliveryRoutes(operation, deps)
  operatorTermsRoutes(operation, deps)
  operatorUserRoutes(operation, deps)
  operatorTransactionRoutes(operation, deps)
  auditRoute(operation, deps)
  operatorRoute(operation)
}
