import type { RetentionDays } from '../platform/config.ts'
import type { OperationDeps } from '../publishers/index.ts'
import type { Egress } from './egress.ts'

/** What routes and jobs of this room need. */
export type EventDeps = OperationDeps & {
  readonly egress: Egress
  readonly retentionDays: RetentionDays
}
