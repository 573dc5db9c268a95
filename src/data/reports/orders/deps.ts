import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Pools } from '../../../platform/db/pools.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import type { ReportStorage } from '../storage/storage.ts'

/** Dependencies for generating reports. */
export type ReportWorkDeps = {
  readonly db: Database
  readonly pools: Pools
  readonly clock: Clock
  readonly log: Log
  readonly reportStorage: ReportStorage
  readonly reportRetentionDays: number
  /** Runs part of the work at a lower priority than API calls. See createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}
