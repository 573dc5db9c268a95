import type { Reader } from '../../platform/database.ts'
import { postponeCalls, reserveSlot, type Slot } from './pacing-queries.ts'

/**
 * The pace of calls under each account at the provider, kept by all processes of one database together. A slot is the instant at
 * which a call may be made: each caller gets the next free one, so nobody polls and none is lost.
 */
export type Pacing = {
  /** Reserves the next slot of an operation, unless it is too far ahead to wait for. */
  reserve(account: string, operation: string, perMinute: number): Promise<Slot>
  /** The provider is down or refuses calls as too many: no slot of the operation before the pause is over. */
  postpone(account: string, operation: string, pauseMs: number): Promise<void>
}

/** Stands for every operation of an account, while the provider is down. */
export const ALL_OPERATIONS = '*'
/** The service's own account; a publisher's own is named by the publisher's id. */
export const SERVICE_ACCOUNT = 'service'
/** A run keeps its place while it waits for a slot; when the next one is further ahead, it is better postponed. */
export const SLOT_WAIT_MAX_MS = 5_000

// The provider counts calls on arrival, a little after they were sent.
const USED_SHARE = 0.95
// Unused time is made up for this far back; more would be too many calls in one of the provider's minutes.
const BURST_MS = 1_000
const MINUTE_MS = 60_000

export function createPacing(reader: Reader): Pacing {
  return {
    reserve: (account, operation, perMinute) => {
      const stepMs = MINUTE_MS / (perMinute * USED_SHARE)
      return reserveSlot(reader, { account, operation, stepMs, burstMs: BURST_MS, waitMaxMs: SLOT_WAIT_MAX_MS })
    },
    postpone: (account, operation, pauseMs) => postponeCalls(reader, account, operation, pauseMs),
  }
}
