import type { Tx } from '../../platform/db/database.ts'
import { decodeId, encodeId, type PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher } from '../../tenants/publishers/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import { assignReport, dismissReport } from './sales/unmatched.ts'

type Decided = { readonly postbackId: string; readonly by: Actor; readonly reason: string }
type Assigned = Decided & {
  readonly publisherId: PublisherId
  readonly publisherUserId: string
  readonly offerUid: string
}

/**
 * Credits a reported sale to a user's click and records this in the audit log.
 * @throws Refusal publisher_not_found, and the same refusals as assignReport
 */
export async function assignPostbackAs(tx: Tx, { by, ...assigned }: Assigned, now: Date): Promise<void> {
  const { postbackId, publisherId, publisherUserId, offerUid, reason } = assigned
  const publisher = await getPublisher(tx, publisherId)
  await assignReport(tx, { ...assigned, postbackId: parsePostbackId(postbackId), publisher, by: toName(by) }, now)
  const user = { publisher_id: encodeId('pub', publisherId), publisher_user_id: publisherUserId, offer_uid: offerUid }
  await audit(tx, { actor: by, action: 'postback.assigned', subject: postbackId, after: { ...user, reason } }, now)
}

/**
 * Dismisses a reported sale and records this in the audit log.
 * @throws the same refusals as dismissReport
 */
export async function dismissPostbackAs(tx: Tx, { postbackId, by, reason }: Decided, now: Date): Promise<void> {
  await dismissReport(tx, { postbackId: parsePostbackId(postbackId), by: toName(by), reason }, now)
  await audit(tx, { actor: by, action: 'postback.dismissed', subject: postbackId, after: { reason } }, now)
}

function toName(actor: Actor): string {
  return actor.name ?? actor.id
}

function parsePostbackId(postbackId: string): string {
  const uuid = decodeId<'postback'>('pbk', postbackId)
  if (uuid === null) throw new Refusal<AffiliateRefusal>('postback_not_found', 'The list has no report with this id.')
  return uuid
}
