import type { RetentionDays } from '../platform/config.ts'
import type { OperationDeps } from '../publishers/index.ts'
import type { Egress } from './egress.ts'

/** The dependencies of this module's routes and jobs. */
export type EventDeps = OperationDeps & {
  readonly egress: Egress
  readonly retentionDays: RetentionDays
}
