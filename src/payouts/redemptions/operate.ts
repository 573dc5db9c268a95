import type { Clock } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import { approveRedemption, cancelRedemption, parseRedemptionId, redemptionNotFound } from './approve.ts'
import type { PayoutAnswers } from './files/payout-answers.ts'
import type { Payer } from './files/payout-file.ts'
import { readAnswersInThread } from './files/read-answers-in-thread.ts'
import type { AnswerSummary } from './payouts/answer-summary.ts'
import { applyFileAnswer, settleFile } from './payouts/payout-answers.ts'
import { findPayer, storePayer } from './payouts/payout-file-queries.ts'
import { type CreatedFile, createPayoutFile, getFile, type NewFile, regenerateFile } from './payouts/payout-files.ts'
import { findForOperators, type OpenRedemption } from './queries.ts'

/**
 * Approves or declines a redemption and records it in the audit log.
 * @throws Refusal redemption_not_found, redemption_status, redemption_approved_by_you
 */
export async function decideRedemptionAs(
  tx: Tx,
  clock: Clock,
  {
    redemptionUid,
    verdict,
    reason = null,
    by,
  }: {
    readonly redemptionUid: string
    readonly verdict: 'approve' | 'decline'
    readonly reason?: string | null
    readonly by: Actor
  },
): Promise<OpenRedemption> {
  const redemptionId = parseRedemptionId(redemptionUid)
  const found = await findForOperators(tx, redemptionId)
  if (found === null) throw redemptionNotFound()
  const publisher = await getPublisher(tx, found.publisherId)
  const now = publisherNow(publisher, clock)
  const redemption =
    verdict === 'approve'
      ? await approveRedemption(tx, publisher, { redemptionId, approver: by.id }, now)
      : await cancelRedemption(tx, publisher, { redemptionId, reason: 'declined', text: reason, actor: by.id }, now)
  const { status, version } = redemption
  const entry = { actor: by, action: `redemption.${verdict}d`, subject: encodeId('rdm', redemptionId) }
  await audit(tx, { ...entry, after: { status, version, ...(reason === null ? {} : { reason }) } }, clock.now())
  return { ...found, ...redemption }
}

/** @throws Refusal publisher_not_found, payer_missing, payout_file_empty, payout_file_invalid */
export async function createPayoutFileAs(
  tx: Tx,
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  publisher: Publisher,
  { by, ...asked }: Omit<NewFile, 'by'> & { readonly by: Actor },
): Promise<CreatedFile> {
  const made = await createPayoutFile(tx, vault, publisher, { ...asked, by: by.id }, publisherNow(publisher, clock))
  const { fileId, format, entries, total } = made.file
  const after = { publisher_id: encodeId('pub', publisher.id), format, entries, total_minor: String(total) }
  await audit(tx, { actor: by, action: 'payout_file.created', subject: encodeId('pof', fileId), after }, clock.now())
  return made
}

/**
 * Returns a file's content and records the access in the audit log, because the file contains account numbers.
 * @throws Refusal payout_file_not_found, payout_file_gone
 */
export async function openPayoutFileAs(
  tx: Tx,
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  { fileUid, by }: { readonly fileUid: string; readonly by: Actor },
): Promise<string> {
  const file = await getFile(tx, fileUid)
  const content = await regenerateFile(tx, vault, await getPublisher(tx, file.publisherId), file)
  const subject = encodeId('pof', file.fileId)
  await audit(tx, { actor: by, action: 'payout_file.opened', subject, after: { entries: file.entries } }, clock.now())
  return content
}

/**
 * Reads the bank's response to a file. Must be called before the transaction that applies the response.
 * @throws Refusal payout_file_not_found
 */
export async function readAnswerTo(reader: Reader, fileUid: string, text: string): Promise<PayoutAnswers> {
  const { format } = await getFile(reader, fileUid)
  return readAnswersInThread({ format, text })
}

/**
 * Applies the bank's response to a file. If `answers` is null, marks everything still open in the file as paid.
 * @throws Refusal payout_file_not_found, payout_answer_unreadable
 */
export async function answerPayoutFileAs(
  tx: Tx,
  clock: Clock,
  { fileUid, answers, by }: { readonly fileUid: string; readonly answers: PayoutAnswers | null; readonly by: Actor },
): Promise<AnswerSummary> {
  const file = await getFile(tx, fileUid)
  const publisher = await getPublisher(tx, file.publisherId)
  const now = publisherNow(publisher, clock)
  const summary =
    answers === null
      ? await settleFile(tx, publisher, { file, by: by.id }, now)
      : await applyFileAnswer(tx, publisher, { file, answers, by: by.id }, now)
  const { contradicted, unknown, changes, skipped, ...counts } = summary
  const asked = changes.map(({ redemption, code }) => ({
    redemption_id: encodeId('rdm', redemption.redemptionId),
    code,
  }))
  const after = {
    ...counts,
    contradicted: contradicted.length,
    unknown: unknown.length,
    skipped: skipped.length,
    changes: asked,
  }
  const action = answers === null ? 'payout_file.settled' : 'payout_file.answered'
  await audit(tx, { actor: by, action, subject: encodeId('pof', file.fileId), after }, clock.now())
  return summary
}

/** Sets the operating company's details as a bank customer and records the change in the audit log. */
export async function setPayerAs(tx: Tx, clock: Clock, payer: Payer, by: Actor): Promise<void> {
  const before = await findPayer(tx)
  await storePayer(tx, payer)
  const states = { ...(before === null ? {} : { before }), after: payer }
  await audit(tx, { actor: by, action: 'payer.changed', subject: 'payer', ...states }, clock.now())
}
