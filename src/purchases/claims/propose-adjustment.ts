import { startOfDay, toDay } from '../../platform/calendar.ts'
import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import {
  type Adjustment,
  lockGiver,
  openProposal,
  type ProposedAdjustment,
  recordProposal,
  sumBookedAloneSince,
} from '../../users/adjustments/index.ts'
import { sumGrantedByEventsSince } from './queries.ts'

/**
 * Proposes an adjustment, and books it immediately unless another person must approve it. Returns the existing
 * adjustment if `externalRef` was used before.
 * @throws Refusal user_not_found, adjustment_conflict, adjustment_invalid, adjustment_too_large
 */
export async function proposeAdjustment(
  tx: Tx,
  publisher: Publisher,
  proposal: ProposedAdjustment,
  now: Date,
): Promise<Adjustment> {
  const opened = await openProposal(tx, publisher, proposal, now)
  if (!opened.isNew) return opened.adjustment
  return recordProposal(tx, opened, await sumGivenToday(tx, publisher, proposal, now), now)
}

/**
 * Sums what a person has granted today in a currency without approval, across all the publisher's users, so that the
 * limit cannot be circumvented by spreading grants across users or by creating users. Blocks the person's other grants
 * until the transaction ends.
 */
export async function sumGivenToday(
  tx: Tx,
  publisher: Publisher,
  { currency, by }: { readonly currency: string; readonly by: string },
  now: Date,
): Promise<bigint> {
  await lockGiver(tx, publisher.id, { currency, by })
  const given = { currency, by, since: startOfDay(toDay(now, publisher.timeZone), publisher.timeZone) }
  const [booked, granted] = [
    await sumBookedAloneSince(tx, publisher.id, given),
    await sumGrantedByEventsSince(tx, publisher.id, given),
  ]
  return booked + granted
}

/** Records an action on an adjustment in the audit log. */
export async function auditAdjustment(tx: Tx, row: Adjustment, action: string, actor: Actor, now: Date): Promise<void> {
  const { kind, paidBy, amount, currency, reason, status } = row
  const after = { kind, paid_by: paidBy, amount_minor: String(amount), currency, reason, status }
  await audit(tx, { actor, action, subject: encodeId('adj', row.adjustmentId), after }, now)
}
