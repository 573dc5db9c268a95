import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import type { Adjustment } from '../../users/adjustments/index.ts'

/** Records an action on an adjustment in the audit log. */
export async function auditAdjustment(tx: Tx, row: Adjustment, action: string, actor: Actor, now: Date): Promise<void> {
  const { kind, paidBy, amount, currency, reason, status } = row
  const after = { kind, paid_by: paidBy, amount_minor: String(amount), currency, reason, status }
  await audit(tx, { actor, action, subject: encodeId('adj', row.adjustmentId), after }, now)
}
