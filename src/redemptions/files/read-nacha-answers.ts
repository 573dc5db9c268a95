import { INDIVIDUAL_ID_WIDTH, LINE_WIDTH } from './nacha.ts'
import {
  type AnswerReading,
  faulty,
  gathered,
  messageOf,
  type PayoutAnswers,
  quoted,
  unreadable,
} from './payout-answers.ts'

/**
 * Reads returns and notifications of change. Both are an entry that repeats the original one, followed by an addenda
 * record that says what it is. The file's own count of these records shows whether a part is missing.
 */
export function readNachaAnswers(text: string): PayoutAnswers {
  const lines = linesOf(text)
  if (!/^1.{33}094101/.test(lines[0] ?? '')) {
    return unreadable(1, 'This is not a NACHA file: it does not begin with a file header record.')
  }
  const readings: (AnswerReading | null)[] = []
  let entry: string | null = null
  let records = 0
  let isComplete = false
  for (const [index, written] of lines.entries()) {
    const line = index + 1
    if (written.length > LINE_WIDTH) {
      readings.push(faulty(line, `The line has ${written.length} columns instead of ${LINE_WIDTH}.`))
      continue
    }
    const record = written.padEnd(LINE_WIDTH)
    const kind = record.charAt(0)
    if (entry !== null && kind !== '7')
      readings.push(faulty(line - 1, 'The entry has no addenda record: it is no return.'))
    if (kind === '7') readings.push(readAddenda(line, entry, record))
    entry = kind === '6' ? record : null
    if (kind === '6' || kind === '7') records++
    if (kind === '9' && !isFiller(record)) {
      isComplete = true
      readings.push(faultOfCount(line, record, records))
    }
    if (!/[156789]/.test(kind)) readings.push(faulty(line, `No record begins with ${quoted(kind)}.`))
  }
  if (!isComplete) readings.push(faulty(lines.length, 'The file ends without a file control record.'))
  return gathered(readings)
}

/** Some banks write no ends of lines, others lose the blanks before them. */
function linesOf(text: string): string[] {
  const lines = text.trimEnd().split(/\r?\n/)
  const [only = ''] = lines
  if (lines.length > 1 || only.length <= LINE_WIDTH) return lines
  return only.match(new RegExp(`.{1,${LINE_WIDTH}}`, 'g')) ?? []
}

function isFiller(record: string): boolean {
  return record === '9'.repeat(LINE_WIDTH)
}

function faultOfCount(line: number, control: string, records: number): AnswerReading | null {
  const stated = control.slice(13, 21)
  if (Number(stated) === records) return null
  return faulty(line, `The file says that it has ${quoted(stated)} entries and addenda, and it has ${records}.`)
}

function readAddenda(line: number, entry: string | null, addenda: string): AnswerReading {
  if (entry === null) return faulty(line, 'The addenda record follows no entry.')
  // Of credits to a checking and a savings account.
  if (!/^6(21|31)/.test(entry)) {
    return faulty(line - 1, `Transaction code ${quoted(entry.slice(1, 3))} does not answer a credit.`)
  }
  const reference = entry.slice(39, 39 + INDIVIDUAL_ID_WIDTH)
  if (!/^[0-9A-Z]{15}$/.test(reference)) {
    return faulty(line - 1, `The individual id ${quoted(reference)} is not the end of a reference.`)
  }
  const type = addenda.slice(1, 3)
  const code = addenda.slice(3, 6)
  if (type === '98') {
    if (!/^C\d\d$/.test(code)) return faulty(line, `${quoted(code)} is not a code of a change.`)
    return { notice: { line, reference, code, corrected: addenda.slice(35, 64).trim() } }
  }
  if (type !== '99') {
    return faulty(line, `Addenda type ${quoted(type)} is neither a return (99) nor a notification of change (98).`)
  }
  const amount = entry.slice(29, 39)
  if (!/^\d{10}$/.test(amount)) return faulty(line - 1, `${quoted(amount)} is not an amount.`)
  if (!/^R\d\d$/.test(code)) return faulty(line, `${quoted(code)} is not a code of a return.`)
  if (answersReturn(code)) return faulty(line, `${code} answers a return, not a payment: settle it with the bank.`)
  const message = messageOf(addenda.slice(35, 79))
  return { answer: { line, reference, outcome: 'unpaid', code, message, amount: BigInt(amount), currency: 'USD' } }
}

/** R61 to R70 dishonor a return, R71 to R77 contest that. */
function answersReturn(code: string): boolean {
  return code >= 'R61' && code <= 'R77'
}
