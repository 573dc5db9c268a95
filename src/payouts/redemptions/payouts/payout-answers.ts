import type { Tx } from '../../../platform/db/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { RedemptionRefusal } from '../errors.ts'
import { INDIVIDUAL_ID_WIDTH } from '../files/nacha.ts'
import type { PayoutAnswer, PayoutAnswers } from '../files/payout-answers.ts'
import { judgeDoubts } from '../files/read-answers.ts'
import { findCodeMeaning } from '../files/return-codes.ts'
import { applyOutcomes, type PayoutReport } from '../outcomes.ts'
import { listOfFile } from '../queries.ts'
import { type Redemption, toReference } from '../redemption.ts'
import type { AnswerSummary, AskedChange } from './answer-summary.ts'
import { toFileName } from './payout-files.ts'
import type { StoredFile } from './stored-file.ts'

/**
 * Applies the bank's response to a file. Idempotent. Notifications of change are returned and do not change any
 * destination.
 * @throws Refusal payout_answer_unreadable with the unreadable lines, in which case nothing is applied
 */
export async function applyFileAnswer(
  tx: Tx,
  publisher: Publisher,
  { file, answers: read, by }: { readonly file: StoredFile; readonly answers: PayoutAnswers; readonly by: string },
  now: Date,
): Promise<AnswerSummary> {
  const redemptions = await listOfFile(tx, publisher.id, file.fileId)
  const found = new Map(redemptions.flatMap((one) => toNames(one).map((name) => [name, one] as const)))
  const { faults, skipped } = judgeDoubts(read, (reference) => found.has(reference))
  refuseFaults({ ...read, faults }, file)
  const matched = read.answers.map((answer) => ({ answer, redemption: found.get(answer.reference) }))
  const reports = matched.flatMap(({ answer, redemption }) =>
    redemption === undefined || !matches(answer, redemption) ? [] : [toReport(answer, redemption)],
  )
  const answered = new Set(matched.map(({ redemption }) => redemption))
  const changes = read.notices.flatMap(({ reference, code }): AskedChange[] => {
    const redemption = found.get(reference)
    return redemption === undefined ? [] : [{ redemption, code, meaning: findCodeMeaning(code) }]
  })
  const { whole } = read
  const rest = whole === null ? [] : redemptions.filter((one) => !answered.has(one))
  return applyAll(
    tx,
    publisher,
    {
      // A code for the entire file concerns the file or its payer, not individual destinations.
      reports: [...reports, ...rest.map((one) => ({ ...toReport({ ...whole }, one), reason: 'not_paid' as const }))],
      unknown: [
        ...matched
          .filter(({ answer, redemption }) => redemption === undefined || !matches(answer, redemption))
          .map(({ answer }) => answer.reference),
        ...read.notices.map(({ reference }) => reference).filter((reference) => !found.has(reference)),
      ],
      changes,
      skipped,
      by,
    },
    now,
  )
}

/** Marks every payout in a file as paid unless the bank has rejected it, because some banks report only failures. */
export async function settleFile(
  tx: Tx,
  publisher: Publisher,
  { file, by }: { readonly file: StoredFile; readonly by: string },
  now: Date,
): Promise<AnswerSummary> {
  const redemptions = await listOfFile(tx, publisher.id, file.fileId)
  const open = redemptions.filter(({ status }) => status === 'sent')
  const reports = open.map(({ redemptionId }) => ({ redemptionId, outcome: 'paid' as const }))
  return applyAll(tx, publisher, { reports, unknown: [], changes: [], skipped: [], by }, now)
}

async function applyAll(
  tx: Tx,
  publisher: Publisher,
  {
    reports,
    by,
    ...told
  }: { reports: readonly PayoutReport[]; by: string } & Pick<AnswerSummary, 'unknown' | 'changes' | 'skipped'>,
  now: Date,
): Promise<AnswerSummary> {
  const applied = await applyOutcomes(tx, publisher, reports, by, now)
  const became = (status: Redemption['status']): number =>
    applied.filter(({ result, redemption }) => result === 'changed' && redemption.status === status).length
  return {
    paid: became('paid'),
    failed: became('failed'),
    returned: became('returned'),
    unchanged: applied.filter(({ result }) => result === 'unchanged').length,
    contradicted: applied.flatMap(({ result, redemption }) => (result === 'contradicted' ? [redemption] : [])),
    ...told,
  }
}

function refuseFaults({ faults, whole }: PayoutAnswers, file: StoredFile): void {
  const other =
    whole !== null && whole.fileId !== toFileName(file.fileId)
      ? [{ line: whole.line, message: 'This is the response to another file.' }]
      : []
  const all = [...faults, ...other]
  if (all.length === 0) return
  const lines = all.map(({ line, message }) => `line ${line}: ${message}`)
  throw new Refusal<RedemptionRefusal>('payout_answer_unreadable', `Nothing was applied: ${lines.join('; ')}`, {
    members: { faults: all },
  })
}

/**
 * Returns the references that a bank may use for a redemption. NACHA files have room only for the end of the reference.
 */
function toNames({ redemptionId }: Redemption): string[] {
  const reference = toReference(redemptionId)
  return [reference, reference.slice(-INDIVIDUAL_ID_WIDTH)]
}

function matches({ amount, currency }: PayoutAnswer, redemption: Redemption): boolean {
  return amount === null || (amount === redemption.amount && currency === redemption.currency)
}

function toReport(
  { outcome = 'unpaid', code = null, message = null }: Partial<Pick<PayoutAnswer, 'outcome' | 'code' | 'message'>>,
  { redemptionId }: Redemption,
): PayoutReport {
  return { redemptionId, outcome, code, text: message }
}
