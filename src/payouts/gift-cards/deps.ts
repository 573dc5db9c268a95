import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { CardReportDeps } from './source-events.ts'
import type { GiftCardSupplier } from './supplier/supplier.ts'

export type GiftCardDeps = CardReportDeps & {
  readonly db: Database
  readonly log: Log
  readonly giftCardSupplier: GiftCardSupplier
}
