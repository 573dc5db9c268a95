import type { RetentionDays } from '../platform/config/config.ts'
import type { OperationDeps } from '../tenants/access/index.ts'
import type { Egress } from './egress/egress.ts'

/** The dependencies of this module's routes and jobs. */
export type EventDeps = OperationDeps & {
  readonly egress: Egress
  readonly retentionDays: RetentionDays
}
