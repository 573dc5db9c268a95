import { INDIVIDUAL_ID_WIDTH, LINE_WIDTH } from './nacha.ts'
import {
  type AnswerReading,
  cleanMessage,
  gatherReadings,
  type PayoutAnswers,
  quoteLine,
  toDoubt,
  toFault,
  toSkipped,
  unreadable,
} from './payout-answers.ts'

type Line = { readonly line: number; readonly record: string }
type Entry = Line & { readonly rejected: string | null; readonly addenda: readonly Line[] }

/**
 * Reads returns, notifications of change and rejects. A return or notification repeats the original entry, followed by
 * an addenda record that tells the two apart. In a reject, the reason is at the start of the entry's trace number, or
 * in the same columns of the batch or file header. Banks stack files and include entries for their other products,
 * which are skipped. The record count of each file reveals missing parts.
 */
export function readNachaAnswers(text: string): PayoutAnswers {
  const files = filesIn(splitLines(text))
  const header = files[0]?.[0]
  if (header === undefined || !/^1.{33}094101/.test(header.record)) {
    return unreadable(
      header?.line ?? 1,
      'This is not a NACHA file, because it does not begin with a file header record.',
    )
  }
  return gatherReadings(
    files.flatMap((lines) => [
      ...lines.flatMap(findRecordFaults),
      ...findCountFaults(lines),
      ...entriesIn(lines).flatMap((entry) => ('fault' in entry ? [entry] : readEntry(entry))),
    ]),
  )
}

/**
 * Splits the text into numbered lines. Some banks omit line breaks, while others trim or pad lines or leave some empty.
 */
function splitLines(text: string): Line[] {
  const written = text.split(/\r\n?|\n/).map((one) => one.trimEnd())
  const filled = written.flatMap((record, index) => (record === '' ? [] : [{ line: index + 1, record }]))
  const [only] = filled
  const isUnbroken = filled.length === 1 && only !== undefined && only.record.length > LINE_WIDTH
  const lines = isUnbroken ? splitChunks(only.record).map((record, index) => ({ line: index + 1, record })) : filled
  return lines.map(({ line, record }) => ({ line, record: record.padEnd(LINE_WIDTH) }))
}

function splitChunks(records: string): string[] {
  return records.match(new RegExp(`.{1,${LINE_WIDTH}}`, 'g')) ?? []
}

function filesIn(lines: readonly Line[]): Line[][] {
  const files: Line[][] = []
  for (const one of lines) {
    const file = files.at(-1)
    if (file === undefined || one.record.startsWith('1')) files.push([one])
    else file.push(one)
  }
  return files
}

function findRecordFaults({ line, record }: Line): AnswerReading[] {
  if (record.length > LINE_WIDTH)
    return [toFault(line, `The line has ${record.length} characters instead of ${LINE_WIDTH}.`)]
  return /^[156789]/.test(record) ? [] : [toFault(line, `${quoteLine(record.charAt(0))} is not a record type.`)]
}

function findCountFaults(lines: readonly Line[]): AnswerReading[] {
  const filler = '9'.repeat(LINE_WIDTH)
  const control = lines.find(({ record }) => record.startsWith('9') && record !== filler)
  if (control === undefined) return [toFault(lines.at(-1)?.line ?? 1, 'The file ends without a file control record.')]
  const stated = control.record.slice(13, 21)
  const records = lines.filter(({ record }) => /^[67]/.test(record)).length
  if (Number(stated) === records) return []
  const message = `The file control record counts ${quoteLine(stated)} entries and addenda, but the file has ${records}.`
  return [toFault(control.line, message)]
}

/** Groups entries with their addenda records. An addenda record without an entry is an error. */
function entriesIn(lines: readonly Line[]): (Entry | ReturnType<typeof toFault>)[] {
  const entries: (Entry & { addenda: Line[] })[] = []
  const strays: ReturnType<typeof toFault>[] = []
  const ofFile = findReject(lines[0]?.record ?? '')
  let ofBatch: string | null = null
  let entry: (Entry & { addenda: Line[] }) | null = null
  for (const one of lines) {
    const kind = one.record.charAt(0)
    if (kind === '7') {
      if (entry === null) strays.push(toFault(one.line, 'The addenda record follows no entry.'))
      else entry.addenda.push(one)
      continue
    }
    if (kind === '5') ofBatch = findReject(one.record)
    entry = kind === '6' ? { ...one, rejected: findReject(one.record) ?? ofBatch ?? ofFile, addenda: [] } : null
    if (entry !== null) entries.push(entry)
  }
  return [...strays, ...entries]
}

/**
 * Returns the code that marks an entry as rejected by the originating bank: REJ0 followed by four characters of the
 * bank's choice.
 */
function findReject(record: string): string | null {
  return /^REJ0[0-9A-Z]{4}/.exec(record.slice(79))?.[0] ?? null
}

function readEntry({ line, record, rejected, addenda }: Entry): AnswerReading[] {
  const code = record.slice(1, 3)
  // The codes for sending and returning credits to a checking or savings account.
  if (!/^[23][12]$/.test(code))
    return [toSkipped(line, `Transaction code ${quoteLine(code)} is not a response to a credit.`)]
  const reference = record.slice(39, 39 + INDIVIDUAL_ID_WIDTH)
  if (!/^[0-9A-Z]{15}$/.test(reference))
    return [toSkipped(line, `The individual id ${quoteLine(reference)} is not the end of a reference.`)]
  // The individual ID in another product's entry can look like the end of a reference.
  const doubt = (at: number, message: string) => toDoubt(reference, at, message)
  const written = record.slice(29, 39)
  if (!/^\d{10}$/.test(written)) return [doubt(line, `${quoteLine(written)} is not an amount.`)]
  const answered = { reference, amount: BigInt(written), currency: 'USD' }
  const [first, ...others] = addenda.filter(({ record: one }) => /^79[89]/.test(one))
  if (first !== undefined)
    return [readAddenda(first, answered), ...others.map((one) => doubt(one.line, 'The entry already has an answer.'))]
  if (rejected !== null) return [{ answer: { line, ...answered, outcome: 'unpaid', code: rejected, message: null } }]
  const [other] = addenda
  if (other === undefined) return [doubt(line, 'The entry has no addenda record, so it is not a return.')]
  const type = quoteLine(other.record.slice(1, 3))
  return [doubt(other.line, `Addenda type ${type} is neither a return (99) nor a notification of change (98).`)]
}

type Answered = { readonly reference: string; readonly amount: bigint; readonly currency: string }

function readAddenda({ line, record }: Line, answered: Answered): AnswerReading {
  const { reference } = answered
  const code = record.slice(3, 6)
  if (record.startsWith('798')) {
    if (!/^C\d\d$/.test(code)) return toDoubt(reference, line, `${quoteLine(code)} is not a change code.`)
    return { notice: { line, reference, code, corrected: record.slice(35, 64).trim() } }
  }
  if (!/^R\d\d$/.test(code)) return toDoubt(reference, line, `${quoteLine(code)} is not a return code.`)
  if (answersReturn(code))
    return toSkipped(line, `${code} responds to a return, not to a payment. Settle it with the bank.`)
  const message = cleanMessage(record.slice(35, 79))
  return { answer: { line, ...answered, outcome: 'unpaid', code, message } }
}

/** Returns true for dishonored returns (R61 to R70) and contested dishonored returns (R71 to R77). */
function answersReturn(code: string): boolean {
  return code >= 'R61' && code <= 'R77'
}
