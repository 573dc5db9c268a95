import type { App } from '../platform/http/index.ts'
import { operatorAdjustmentRoutes } from './adjustment-routes.ts'
import { assortmentRoutes } from './assortment-routes.ts'
import { auditRoute } from './audit-routes.ts'
import { operatorBrandRoutes } from './brand-routes.ts'
import type { CatalogOperatorDeps } from './catalog-deps.ts'
import { operatorCatalogRoutes } from './catalog-routes.ts'
import { operatorClaimRoutes } from './claim-routes.ts'
import { contradictionRoutes } from './contradiction-routes.ts'
import { operatorDeliveryRoutes } from './delivery-routes.ts'
import { deskRoutes } from './desk-routes.ts'
import { operatorFactRoutes } from './fact-routes.ts'
import { operatorGiftCardRoutes } from './gift-card-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { operatorLedgerRoutes } from './ledger-routes.ts'
import { operatorLoginRoutes } from './login-routes.ts'
import { operatorRoute } from './me-routes.ts'
import { operatorOfferRoutes } from './offer-routes.ts'
import { operatorOperations } from './operations.ts'
import { overviewRoutes } from './overview-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { operatorPostbackRoutes } from './postback-routes.ts'
import { type PublisherRouteDeps, publisherRoutes } from './publisher-routes.ts'
import { operatorReceivableRoutes } from './receivable-routes.ts'
import { operatorRedemptionRoutes } from './redemption-routes.ts'
import { operatorRefundRoutes } from './refund-routes.ts'
import { operatorRematchRoutes } from './rematch-routes.ts'
import { operatorReviewRoutes } from './review-routes.ts'
import { operatorSearchRoutes } from './search-routes.ts'
import { staffRoutes } from './staff-routes.ts'
import { operatorStatementRoutes } from './statement-routes.ts'
import { operatorStoreRoutes } from './store-routes.ts'
import { operatorTermsRoutes } from './terms-routes.ts'
import { operatorTransactionRoutes } from './transaction-routes.ts'
import { trialBalanceRoutes } from './trial-balance-routes.ts'
import { operatorUserRoutes } from './user-routes.ts'
import { operatorVoucherRoutes } from './voucher-routes.ts'
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
  deskRoutes(operation, deps)
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
