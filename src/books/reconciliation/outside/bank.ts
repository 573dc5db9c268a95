import {
  INDIVIDUAL_ID_WIDTH,
  type PayoutAnswers,
  type PayoutFormat,
  readAnswers,
} from '../../../payouts/redemptions/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import type { Comparison } from '../comparisons.ts'
import { formatAmount } from '../read-rows.ts'
import { type BookRow, sortRows } from '../rules.ts'
import type { ComparedSpan } from '../span.ts'
import { readStatement, unreadable } from './file-statement.ts'
import { type KnownRedemption, listPayouts } from './queries.ts'

type Line = {
  readonly reference: string
  readonly outcome: string
  readonly amount: bigint | null
  readonly currency: string | null
}
type BankFile = {
  readonly lines: readonly Line[]
  /** The outcome of all entries of a payout file that are not listed individually. */
  readonly whole: { readonly fileId: string; readonly outcome: string } | null
  /** Unreadable entries, which are errors if they turn out to be our payouts. */
  readonly doubts: PayoutAnswers['doubts']
}

/**
 * Compares a bank's file with the redemptions paid by file. A file without any successful payments is assumed to list
 * only failures, so paid redemptions may be missing from it.
 * @throws Refusal statement_unreadable
 */
export function compareBankFile(text: string): Comparison {
  const file = readBankFile(text)
  const endings = new Set(file.lines.map(({ reference }) => toEnding(reference)))
  if (endings.size < file.lines.length) throw unreadable(['two of its lines refer to the same payout'])
  return {
    left: 'redemptions',
    right: 'bank',
    hint: "read the bank's response with `laurel payouts answer`, or ask the bank",
    sides: (tx, span) => readSides(tx, span, file),
  }
}

function readBankFile(text: string): BankFile {
  const plain = text.replace(/^\uFEFF/, '').trimStart()
  if (/^(<|1\d\d)/.test(plain)) return answersIn(plain.startsWith('<') ? 'pain.001' : 'nacha', plain)
  const lines = readStatement(text, ['paid', 'failed', 'returned'])
  return {
    lines: lines.map((line) => ({ ...line, outcome: line.status === 'paid' ? 'paid' : 'unpaid' })),
    whole: null,
    doubts: [],
  }
}

function answersIn(format: PayoutFormat, text: string): BankFile {
  const { answers, whole, faults, doubts } = readAnswers(format, text)
  refuseFaults(faults)
  return { lines: answers, whole, doubts }
}

function refuseFaults(faults: PayoutAnswers['faults']): void {
  if (faults.length === 0) return
  throw unreadable(faults.map(({ line, message }) => `line ${line}: ${message.replace(/\.$/, '')}`))
}

async function readSides(
  tx: Tx,
  span: ComparedSpan,
  { lines, whole, doubts }: BankFile,
): Promise<readonly [BookRow[], BookRow[]]> {
  const fileId = whole === null ? null : decodeId('pof', `pof_${whole.fileId.toLowerCase()}`)
  const endings = [...lines, ...doubts].flatMap(({ reference }) => toHexEnding(reference) ?? [])
  const all = await listPayouts(tx, span, { endings, fileId })
  const known = all.filter(({ isOwn }) => isOwn)
  const foreign = new Set(
    all.filter(({ isOwn }) => !isOwn).map(({ redemptionId }) => toEnding(encodeId('rdm', redemptionId))),
  )
  const listed = new Set(all.map(({ redemptionId }) => toEnding(encodeId('rdm', redemptionId))))
  refuseFaults(doubts.filter(({ reference }) => listed.has(toEnding(reference))))
  const byEnding = new Map(known.map((one) => [toEnding(encodeId('rdm', one.redemptionId)), one]))
  const named = new Set(lines.map(({ reference }) => toEnding(reference)))
  const said = lines
    .filter(({ reference }) => !foreign.has(toEnding(reference)))
    .map((line) => lineRow(line, byEnding.get(toEnding(line.reference))))
  const others = known.filter((one) => !named.has(toEnding(encodeId('rdm', one.redemptionId))))
  const ofWhole = others.filter((one) => whole !== null && one.fileId === fileId)
  const isWholeStatement = [...lines, ...(whole === null ? [] : [whole])].some(({ outcome }) => outcome === 'paid')
  const expected = known.filter(
    (one) => one.status !== 'paid' || isWholeStatement || named.has(toEnding(encodeId('rdm', one.redemptionId))),
  )
  return [
    sortRows(expected.map(redemptionRow)),
    sortRows([
      ...said,
      ...ofWhole.map((one) => ({
        ...redemptionRow(one),
        waits: false,
        values: { ...redemptionRow(one).values, outcome: whole?.outcome ?? '' },
      })),
    ]),
  ]
}

function redemptionRow({ redemptionId, amount, currency, status }: KnownRedemption): BookRow {
  const outcome = status === 'failed' || status === 'returned' ? 'unpaid' : status
  return {
    key: encodeId('rdm', redemptionId),
    values: { amount: formatAmount(amount, currency), outcome },
    waits: status === 'sent',
  }
}

/**
 * Returns the row for a line. Values that the file omits are taken from the recorded redemption, so they never differ.
 */
function lineRow({ reference, outcome, amount, currency }: Line, known: KnownRedemption | undefined): BookRow {
  const said = amount ?? known?.amount ?? null
  const values = said === null ? {} : { amount: formatAmount(said, currency ?? known?.currency ?? null) }
  return { key: known === undefined ? reference : encodeId('rdm', known.redemptionId), values: { ...values, outcome } }
}

function toEnding(reference: string): string {
  return reference.toLowerCase().slice(-INDIVIDUAL_ID_WIDTH)
}

/** Returns the hexadecimal ID digits encoded at the end of a reference; null if it cannot be one of ours. */
function toHexEnding(reference: string): string | null {
  const id = decodeId('rdm', `rdm_${toEnding(reference).padStart(26, '0')}`)
  return id === null ? null : id.replaceAll('-', '').slice(-HEX_LENGTH)
}
// The number of complete hexadecimal digits in 15 characters of 5 bits each.
const HEX_LENGTH = 18
