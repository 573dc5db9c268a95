import type { Day } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { countCodesByStatus } from './queries.ts'
import type { CodeStatus } from './rules.ts'

const ENVIRONMENTS = ['production', 'sandbox'] as const
const NONE: Readonly<Record<CodeStatus, number>> = {
  free: 0,
  assigned: 0,
  reported: 0,
  redeemed: 0,
  returned: 0,
  expired: 0,
}

type VoucherPool = Readonly<Record<CodeStatus, number>> & {
  /** The environment whose users get these codes. */
  readonly environment: (typeof ENVIRONMENTS)[number]
}

/** Counts an offer's codes by status in each environment. */
export function countPools(reader: Reader, offerUid: string, today: Day): Promise<VoucherPool[]> {
  return Promise.all(
    ENVIRONMENTS.map(async (environment) => {
      const counted = await countCodesByStatus(reader, { offerUid, environment }, today)
      const counts = Object.fromEntries(counted.map(({ status, codes }) => [status, codes]))
      return { environment, ...NONE, ...counts }
    }),
  )
}
