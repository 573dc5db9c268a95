import type { Static } from 'typebox'
import type { Tx } from '../../platform/db/database.ts'
import { matches } from '../../platform/http/index.ts'
import { encodeId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { eraseReference } from '../../users/users/index.ts'
import { recordContradictions } from '../contradictions/index.ts'
import { lockOne, parseRedemptionId } from './approve.ts'
import { removeDestinations } from './destination-queries.ts'
import { announceDestinations } from './destinations.ts'
import type { RedemptionRefusal } from './errors.ts'
import { findCodeMeaning, isDestinationFault } from './files/return-codes.ts'
import { changeState, type Locked, lockRedemptions, recordPaths } from './record.ts'
import type { DestinationId, Redemption, RedemptionId } from './redemption.ts'
import { deriveStatusAfter, type Reason, type RedemptionStatus, type ReportedOutcome } from './rules.ts'
import { OutcomeAnswerSchema } from './schema.ts'

/** The payer's report about one redemption. */
export type PayoutReport = {
  readonly redemptionId: RedemptionId
  readonly outcome: ReportedOutcome
  readonly reason?: Extract<Reason, 'destination_invalid' | 'not_paid'> | null
  /** The bank's own code, from which the reason is derived if none is given. */
  readonly code?: string | null
  readonly text?: string | null
  /** The payer's own payment reference. */
  readonly reference?: string | null
}

type AppliedReport = {
  readonly report: PayoutReport
  readonly redemption: Redemption
  /** `unchanged` if the outcome is already recorded, and `contradicted` if the redemption's status rules it out. */
  readonly result: 'changed' | 'unchanged' | 'contradicted'
}

/**
 * Applies reported payout outcomes in the given order. Ignores unknown redemptions and those of other publishers.
 * Removes destinations that the bank reports as wrong, so that they are not paid again. Reports that contradict the
 * books are stored for a person to review.
 */
export async function applyOutcomes(
  tx: Tx,
  publisher: Publisher,
  reported: readonly PayoutReport[],
  actor: string,
  now: Date,
): Promise<AppliedReport[]> {
  const ids = [...new Set(reported.map(({ redemptionId }) => redemptionId))]
  const applied = await recordOutcomes(tx, await lockRedemptions(tx, publisher, ids), reported, actor, now)
  await keepContradicted(tx, publisher, applied, actor)
  return applied
}

function keepContradicted(tx: Tx, publisher: Publisher, applied: readonly AppliedReport[], by: string): Promise<void> {
  const contradicted = applied.filter(({ result }) => result === 'contradicted')
  return recordContradictions(
    tx,
    publisher.id,
    contradicted.map(({ redemption: { redemptionId, userId, status }, report }) => ({
      userId,
      subject: encodeId('rdm', redemptionId),
      known: status,
      reported: report.outcome,
      reportedBy: by,
      code: report.code ?? null,
      text: report.text ?? null,
      reference: report.reference ?? null,
    })),
  )
}

async function recordOutcomes(
  tx: Tx,
  { redemptions, salts, ...locked }: Locked,
  reported: readonly PayoutReport[],
  actor: string,
  now: Date,
): Promise<AppliedReport[]> {
  const paths = new Map(redemptions.map((before) => [before.redemptionId, { before, states: [] as Redemption[] }]))
  const applied = reported.flatMap((said): AppliedReport[] => {
    const path = paths.get(said.redemptionId)
    if (path === undefined) return []
    const present = path.states.at(-1) ?? path.before
    const one = withoutIdentity(said, salts.get(present.userId))
    const status = deriveStatusAfter(present.status, one.outcome)
    if (status === null) return [{ report: one, redemption: present, result: 'contradicted' }]
    if (status === present.status) return [{ report: one, redemption: present, result: 'unchanged' }]
    const state = changeState(present, { status, ...explanation(present, status, one) }, now)
    path.states.push(state)
    return [{ report: one, redemption: state, result: 'changed' }]
  })
  const changed = applied.filter(({ result }) => result === 'changed').map(({ redemption }) => redemption)
  // Must come before the changes are recorded, so that the details are destroyed as soon as the last payout to the
  // destination ends.
  await removeWrong(tx, locked.book.publisher, changed, now)
  await recordPaths(tx, locked.book, [...paths.values()], actor, now)
  return applied
}

/**
 * Removes the text from a late report about an erased user, because it might name the account holder, and pseudonymizes
 * the reference.
 */
function withoutIdentity(report: PayoutReport, salt: Buffer | undefined): PayoutReport {
  if (salt === undefined) return report
  const { reference = null } = report
  return { ...report, text: null, reference: reference === null ? null : eraseReference(salt, reference) }
}

/**
 * Applies a publisher's report about a redemption that it pays itself.
 * @throws Refusal redemption_not_found, redemption_status
 */
export async function reportOutcome(
  tx: Tx,
  publisher: Publisher,
  reported: PayoutReport,
  now: Date,
): Promise<Redemption> {
  const { redemption: before, ...locked } = await lockOne(tx, publisher, reported.redemptionId)
  if (before.method !== 'publisher')
    throw new Refusal<RedemptionRefusal>(
      'redemption_status',
      'This redemption is paid by a bank, which reports the outcome itself.',
    )
  const [applied] = await recordOutcomes(tx, { ...locked, redemptions: [before] }, [reported], 'publisher', now)
  if (applied !== undefined && applied.result !== 'contradicted') return applied.redemption
  throw new Refusal<RedemptionRefusal>(
    'redemption_status',
    `The redemption is ${before.status}, so it cannot be ${reported.outcome}.`,
    { members: { status: before.status } },
  )
}

/**
 * Applies a publisher's response to the webhook that requests the payment. The response can be the body of `POST
 * /redemptions/{id}/outcome` plus the redemption's ID. Any other response is ignored, and the redemption keeps waiting
 * for its outcome.
 */
export async function applyWebhookAnswer(
  tx: Tx,
  publisher: Publisher,
  { data, answer }: { readonly data: string; readonly answer: string },
  now: Date,
): Promise<void> {
  const asked: unknown = JSON.parse(data).redemption_id
  const body = answerIn(answer)
  if (body === null || body.redemption_id !== asked) return
  const { status: outcome, reason = null, message: text = null, payout_reference: reference = null } = body
  const report = { redemptionId: parseRedemptionId(body.redemption_id), outcome, reason, text, reference }
  const { redemption, ...locked } = await lockOne(tx, publisher, report.redemptionId)
  // If the publisher is not the payer, or the response contradicts an earlier report, a person must investigate,
  // because no caller is waiting for a refusal.
  const applied =
    redemption.method === 'publisher'
      ? await recordOutcomes(tx, { ...locked, redemptions: [redemption] }, [report], 'publisher', now)
      : [
          {
            report: withoutIdentity(report, locked.salts.get(redemption.userId)),
            redemption,
            result: 'contradicted',
          } as const,
        ]
  await keepContradicted(tx, publisher, applied, 'publisher')
}

/** Applies the outcome of a gift card order to its redemption. A refunded card makes the redemption `returned`. */
export async function applyCardOutcome(
  tx: Tx,
  publisher: Publisher,
  payload: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  const { redemptionId, outcome, reference = null, code = null, text = null } = payload
  const reported = { redemptionId: redemptionId as RedemptionId, outcome: outcome as ReportedOutcome, reference }
  const [applied] = await applyOutcomes(tx, publisher, [{ ...reported, code, text }], 'laurel', now)
  // Facts can arrive out of order. The error makes a card's refund wait until its delivery has been applied.
  if (applied?.result === 'contradicted')
    throw new Error(`a redemption that is ${applied.redemption.status} cannot be ${outcome}`)
}

function answerIn(text: string): Static<typeof OutcomeAnswerSchema> | null {
  try {
    const body: unknown = JSON.parse(text)
    return matches(OutcomeAnswerSchema, body) ? body : null
  } catch {
    return null
  }
}

function explanation(
  present: Redemption,
  status: RedemptionStatus,
  { reason, code = null, text = null, reference }: PayoutReport,
) {
  const payoutReference = reference ?? present.payoutReference
  if (status === 'paid') return { payoutReference }
  const implied = code !== null && isDestinationFault(code) ? 'destination_invalid' : 'not_paid'
  return {
    payoutReference,
    reason: reason ?? implied,
    reasonCode: code,
    reasonText: text ?? (code === null ? null : findCodeMeaning(code)),
  }
}

async function removeWrong(tx: Tx, publisher: Publisher, changed: readonly Redemption[], now: Date): Promise<void> {
  const wrong = changed.filter(({ reason }) => reason === 'destination_invalid')
  const destinationIds = wrong.flatMap(({ destinationId }): DestinationId[] => (destinationId ? [destinationId] : []))
  if (destinationIds.length === 0) return
  const userIds = [...new Set(wrong.map(({ userId }): UserId => userId))]
  const removed = await removeDestinations(tx, publisher.id, userIds, destinationIds, now)
  await announceDestinations(tx, publisher, 'payout_destination.removed', removed, now)
}
