import type { Tx } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { countLiveActors } from '../../tenants/access/index.ts'
import { getLimits, type Publisher } from '../../tenants/publishers/index.ts'
import type { RedemptionRefusal } from './errors.ts'
import { insertApproval } from './queries.ts'
import { changeState, type Locked, lockRedemptions, recordPaths } from './record.ts'
import type { Redemption, RedemptionId } from './redemption.ts'
import { countApprovals, listApprovalStates, mayBecome, type Reason } from './rules.ts'

/**
 * Records a person's approval of a redemption. The last required approval starts the payout.
 * @throws Refusal redemption_not_found, redemption_status, redemption_approved_by_you
 */
export async function approveRedemption(
  tx: Tx,
  publisher: Publisher,
  { redemptionId, approver }: { readonly redemptionId: RedemptionId; readonly approver: string },
  now: Date,
): Promise<Redemption> {
  const { redemption, ...locked } = await lockOne(tx, publisher, redemptionId)
  refuseStatus(redemption, 'approved')
  const approvals = await insertApproval(tx, redemption, approver, now)
  if (approvals === null)
    throw new Refusal<RedemptionRefusal>(
      'redemption_approved_by_you',
      'You have already approved this redemption. Another person must approve it too.',
    )
  // Also applies a limit that was lowered after the request.
  const needed = Math.max(
    redemption.approvalsNeeded,
    countApprovals(redemption.amount, getLimits(publisher, redemption.currency)),
  )
  // Approvals by people who have since left do not count.
  if ((await countLiveActors(tx, approvals)) < needed) return redemption
  const states: Redemption[] = []
  for (const status of listApprovalStates(redemption.method))
    states.push(changeState(states.at(-1) ?? redemption, { status }, now))
  await recordPaths(tx, locked.book, [{ before: redemption, states }], approver, now)
  return states.at(-1) ?? redemption
}

/**
 * Cancels a redemption that has not been sent and releases its money.
 * @throws Refusal redemption_not_found, redemption_status
 */
export async function cancelRedemption(
  tx: Tx,
  publisher: Publisher,
  {
    redemptionId,
    reason,
    text = null,
    actor,
  }: {
    readonly redemptionId: RedemptionId
    readonly reason: Extract<Reason, 'cancelled' | 'declined'>
    readonly text?: string | null
    readonly actor: string
  },
  now: Date,
): Promise<Redemption> {
  const { redemption, ...locked } = await lockOne(tx, publisher, redemptionId)
  if (redemption.status === 'cancelled' && redemption.reason === reason) return redemption
  refuseStatus(redemption, 'cancelled')
  const state = changeState(redemption, { status: 'cancelled', reason, reasonText: text }, now)
  await recordPaths(tx, locked.book, [{ before: redemption, states: [state] }], actor, now)
  return state
}

/**
 * Parses a redemption ID.
 * @throws Refusal redemption_not_found if it is malformed
 */
export function parseRedemptionId(text: string): RedemptionId {
  const id = decodeId<'redemption'>('rdm', text)
  if (id === null) throw redemptionNotFound()
  return id
}

export function redemptionNotFound(): Refusal<RedemptionRefusal> {
  return new Refusal<RedemptionRefusal>('redemption_not_found', 'There is no such redemption.', {
    field: 'redemption_id',
  })
}

export async function lockOne(
  tx: Tx,
  publisher: Publisher,
  redemptionId: RedemptionId,
): Promise<Omit<Locked, 'redemptions'> & { readonly redemption: Redemption }> {
  const {
    redemptions: [redemption],
    ...locked
  } = await lockRedemptions(tx, publisher, [redemptionId])
  if (redemption === undefined) throw redemptionNotFound()
  return { ...locked, redemption }
}

function refuseStatus(redemption: Redemption, to: Redemption['status']): void {
  if (!mayBecome(redemption.status, to))
    throw new Refusal<RedemptionRefusal>(
      'redemption_status',
      `The redemption is ${redemption.status}, so it can no longer be ${to}.`,
      { members: { status: redemption.status } },
    )
}
