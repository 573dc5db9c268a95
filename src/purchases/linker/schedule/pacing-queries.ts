import { MINUTE_MS } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'

export type CallSlot = { readonly isReserved: boolean; readonly inMs: number }

/** Represents all operations of an account while the provider is down. */
export const ALL_OPERATIONS = '*'
/** The longest that a run waits for a slot. If the next slot is further ahead, the run is postponed instead. */
export const SLOT_WAIT_MAX_MS = 5_000

// A safety margin, because the provider counts calls when they arrive, which is slightly after they are sent.
const USED_SHARE = 0.95
// Unused slots of the last second may still be used. Reaching further back would exceed the provider's limit per
// minute.
const BURST_MS = 1_000

export type Pacing = ReturnType<typeof createPacing>

/**
 * The pace of calls under each provider account, shared by all processes of one database. A slot is the instant at
 * which a call may be made. Each caller reserves the next free slot, so no process polls and no slot is lost. Slots are
 * timed only by the database's clock, because the clocks of processes differ. A service account is identified by its
 * environment, a publisher's own account by the publisher's id.
 */
export function createPacing(reader: Reader) {
  const inFuture = (ms: number) => reader`clock_timestamp() + ${ms}::float8 * interval '1 ms'`
  return {
    /** Reserves the next slot of an operation, unless it is too far ahead to wait for. */
    reserve: async (account: string, operation: string, perMinute: number): Promise<CallSlot> => {
      const step = reader`${MINUTE_MS / (perMinute * USED_SHARE)}::float8 * interval '1 ms'`
      // all publishers: everyone who calls under an account shares its pace
      const [slot] = await reader<CallSlot[]>`
        with reserved as (
          insert into provider_pacing as p (account, operation, next_at)
          values (${account}, ${operation}, clock_timestamp() + ${step})
          on conflict (account, operation) do update set next_at = greatest(p.next_at, ${inFuture(-BURST_MS)}) + ${step}
          where p.next_at <= ${inFuture(SLOT_WAIT_MAX_MS)}
          returning next_at - ${step} as at
        ),
        slot as (
          select true as is_reserved, at from reserved
          union all
          select false, next_at from provider_pacing
          where account = ${account} and operation = ${operation} and not exists (select from reserved)
        )
        select is_reserved, greatest(0, extract(epoch from at - clock_timestamp()) * 1000)::float8 as in_ms from slot`
      return slot ?? { isReserved: false, inMs: SLOT_WAIT_MAX_MS }
    },
    /**
     * Withholds all slots of the operation for this many milliseconds, because the provider is down or rate-limits our
     * calls.
     */
    postpone: async (account: string, operation: string, pauseMs: number): Promise<void> => {
      // all publishers: everyone who calls under an account shares its pace
      await reader`
        insert into provider_pacing as p (account, operation, next_at)
        values (${account}, ${operation}, ${inFuture(pauseMs)})
        on conflict (account, operation) do update set next_at = greatest(p.next_at, excluded.next_at)`
    },
  }
}
