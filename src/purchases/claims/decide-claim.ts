import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher, publisherNow, resolveCurrency } from '../../tenants/publishers/index.ts'
import type { Adjustment } from '../../users/adjustments/index.ts'
import type { TransactionRefusal, UserEventBody } from '../transactions/index.ts'
import type { Claim } from './claim.ts'
import { type ClaimAdjustment, declineClaim, grantByAdjustment, grantByEvent } from './decide.ts'
import { auditAdjustment } from './propose-adjustment.ts'
import { type ClaimWithBrand, findClaim } from './queries.ts'
import { claimNotFound } from './record.ts'
import type { PersonsReason } from './rules.ts'
import { addNote, claimIdIn } from './service.ts'

type Named = { readonly claimUid: string; readonly by: Actor }

/**
 * Returns a claim from any publisher.
 * @throws Refusal claim_not_found
 */
export async function getClaim(reader: Reader, claimUid: string): Promise<ClaimWithBrand> {
  const claim = await findClaim(reader, null, claimIdIn(claimUid))
  if (claim === null) throw claimNotFound()
  return claim
}

async function getWithPublisher(reader: Reader, claimUid: string) {
  const claim = await getClaim(reader, claimUid)
  return { claim, publisher: await getPublisher(reader, claim.publisherId) }
}

type GrantDeps = Pick<CatalogOperatorDeps, 'catalog' | 'vault' | 'clock'>

/**
 * Grants a claim with a source event and records that in the audit log.
 * @throws the same refusals as grantByEvent
 */
export async function grantByEventAs(
  tx: Tx,
  { catalog, vault, clock }: GrantDeps,
  { claimUid, by, event }: Named & { readonly event: UserEventBody },
): Promise<Claim> {
  const { claim, publisher } = await getWithPublisher(tx, claimUid)
  const now = (): Date => publisherNow(publisher, clock)
  const deps = { catalog, vault, findsRefunded: true, nowUnderLock: now } as const
  const { claimId } = claim
  const granted = await grantByEvent(tx, deps, publisher, { claimId, by: by.id, event }, now())
  const transaction = encodeId('txn', granted.grantedTransactionId ?? '')
  const after = { status: granted.status, granted_transaction_uid: transaction, external_id: event.external_id }
  await audit(tx, { actor: by, action: 'claim.granted', subject: claimUid, after }, clock.now())
  return granted
}

type AskedAdjustment = Omit<ClaimAdjustment, 'amount' | 'currency'> & {
  readonly amount: number
  readonly currency?: string | undefined
}

/**
 * Grants a claim with an adjustment and records both in the audit log.
 * @throws Refusal amount_invalid, and the same refusals as grantByAdjustment
 */
export async function grantByAdjustmentAs(
  tx: Tx,
  clock: Clock,
  { claimUid, by, adjustment: asked }: Named & { readonly adjustment: AskedAdjustment },
): Promise<Claim> {
  const { claim, publisher } = await getWithPublisher(tx, claimUid)
  const currency = resolveCurrency(publisher, asked.currency ?? claim.currency ?? undefined, 'adjustment.currency')
  const amount = toMinor(asked.amount, currency)
  if (amount === null)
    throw new Refusal<TransactionRefusal>(
      'amount_invalid',
      `adjustment.amount must have no more decimal places than ${currency} allows.`,
      { field: 'adjustment.amount' },
    )
  const order = { claimId: claim.claimId, by: by.id, adjustment: { ...asked, currency, amount } }
  const made = await grantByAdjustment(tx, publisher, order, publisherNow(publisher, clock))
  await auditAdjustment(tx, made.adjustment, 'adjustment.proposed', by, clock.now())
  await audit(tx, { actor: by, ...toEntry(made), subject: claimUid }, clock.now())
  return made.claim
}

function toEntry({ claim, adjustment }: { readonly claim: Claim; readonly adjustment: Adjustment }) {
  const action = claim.status === 'granted' ? 'claim.granted' : 'claim.grant_proposed'
  return { action, after: { status: claim.status, adjustment_id: encodeId('adj', adjustment.adjustmentId) } }
}

/**
 * Declines a claim and records that in the audit log.
 * @throws the same refusals as declineClaim
 */
export async function declineClaimAs(
  tx: Tx,
  clock: Clock,
  { claimUid, by, reason, text }: Named & { readonly reason: PersonsReason; readonly text: string },
): Promise<Claim> {
  const { claim, publisher } = await getWithPublisher(tx, claimUid)
  const order = { claimId: claim.claimId, by: by.id, reason, text }
  const declined = await declineClaim(tx, publisher, order, publisherNow(publisher, clock))
  const after = { status: declined.status, reason, text }
  await audit(tx, { actor: by, action: 'claim.declined', subject: claimUid, after }, clock.now())
  return declined
}

/**
 * Adds an operator's note to a claim and records that in the audit log.
 * @throws the same refusals as addNote
 */
export async function addClaimNoteAs(
  tx: Tx,
  clock: Clock,
  { claimUid, by, text }: Named & { readonly text: string },
): Promise<Claim> {
  const { claim, publisher } = await getWithPublisher(tx, claimUid)
  const note = { claimId: claim.claimId, author: by.id, text }
  const noted = await addNote(tx, publisher, note, publisherNow(publisher, clock))
  await audit(tx, { actor: by, action: 'claim.noted', subject: claimUid, after: { length: text.length } }, clock.now())
  return noted
}
