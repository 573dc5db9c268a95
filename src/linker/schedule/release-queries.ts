import type { Reader } from '../../platform/database.ts'
import { CALL_TRIES_MAX, CHECK_EVERY_MS, CHECK_PACE_MS, SYNC_GAP_MS, SYNC_PACE_MS } from './bounds.ts'
import type { Run, RunKind } from './claim-queries.ts'

const KINDS = {
  sync: { paceMs: SYNC_PACE_MS, gapMs: SYNC_GAP_MS },
  check: { paceMs: CHECK_PACE_MS, gapMs: 0 },
} as const

export type Release = {
  /** When the next run is due; null for when it is asked for. */
  readonly dueAt: Date | null
  /** Calls of the provider that the run made. */
  readonly calls: number
  /**
   * - done: the run did its work
   * - failed: the item's fault; the last call may have been tried several times
   * - postponed: not the item's fault, so the run counts as not made
   */
  readonly ended: 'done' | 'failed' | 'postponed'
  readonly failures: number
}

/**
 * Gives a lease back and charges the item's pace. The run is due again soon if it was asked for meanwhile; not when it was
 * postponed, because the provider would refuse that, too. A sync also makes the daily check due. Does nothing when the lease was lost.
 */
export async function releaseRun(
  reader: Reader,
  kind: RunKind,
  run: Run,
  { dueAt, calls, ended, failures }: Release,
  now: Date,
): Promise<void> {
  const { paceMs, gapMs } = KINDS[kind]
  const column = (name: string) => reader(`${kind}_${name}`)
  const chargedMs = (ended === 'failed' ? calls + CALL_TRIES_MAX - 1 : calls) * paceMs
  const checkedBefore = new Date(now.getTime() - CHECK_EVERY_MS)
  const dailyCheck = reader`, check_due_at = coalesce(
    check_due_at, case when checked_at is null or checked_at <= ${checkedBefore} then ${now}::timestamptz end)`
  await reader`
    update linker_items set
      ${column('lease')} = null, ${column('lease_until')} = null, ${column('failures')} = ${failures},
      ${column('paced_until')} = greatest(${column('paced_until')}, ${now}) + ${chargedMs} * interval '1 ms',
      ${column('due_at')} = case
        when ${ended !== 'postponed'} and ${column('requests')} <> ${run.requests} then ${new Date(now.getTime() + gapMs)}::timestamptz
        else ${dueAt}::timestamptz end
      ${kind === 'sync' ? dailyCheck : reader``}
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and ${column('lease')} = ${run.lease}`
}
