import { type AnswerFault, type PayoutAnswer, type PayoutAnswers, unreadable } from './payout-answers.ts'
import type { PayoutFormat } from './payout-file.ts'
import { readCsvAnswers } from './read-csv-answers.ts'
import { readNachaAnswers } from './read-nacha-answers.ts'
import { readPain002 } from './read-pain002.ts'

const READERS: Readonly<Record<PayoutFormat, (text: string) => PayoutAnswers>> = {
  nacha: readNachaAnswers,
  'pain.001': readPain002,
  csv: readCsvAnswers,
}

// The other formats begin with a digit or a pointed bracket.
const TABLE = /^\s*"?(reference|status|code|message)\b/

/** The longest answer: a hundred thousand entries in the wordiest format take about as much. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024
// Who sees these needs no further ones to see what kind of file it is.
const FAULTS_MAX = 100

/** Reads the answer of a bank to files of the format. Payments by pain.001 are answered by pain.002. */
export function readAnswers(format: PayoutFormat, text: string): PayoutAnswers {
  if (Buffer.byteLength(text) > ANSWER_BYTES_MAX) {
    return unreadable(1, `The file is larger than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB.`)
  }
  const plain = text.replace(/^\uFEFF/, '')
  // A bank may refuse a whole file by telephone; an operator then writes a table, whatever the format of the file.
  const read = (TABLE.test(plain) ? readCsvAnswers : READERS[format])(plain)
  const { answers, repeats } = withoutRepeats(read.answers)
  const faults = [...read.faults, ...repeats].sort((one, other) => one.line - other.line)
  return { ...read, answers, faults: shortened(faults) }
}

function withoutRepeats(all: readonly PayoutAnswer[]): { answers: PayoutAnswer[]; repeats: AnswerFault[] } {
  const first = new Map<string, PayoutAnswer>()
  const repeats: AnswerFault[] = []
  for (const answer of all) {
    const { line, reference } = answer
    const earlier = first.get(reference)
    if (earlier === undefined) first.set(reference, answer)
    else repeats.push({ line, message: `${reference} is answered already on line ${earlier.line}.` })
  }
  return { answers: [...first.values()], repeats }
}

function shortened(faults: readonly AnswerFault[]): readonly AnswerFault[] {
  const next = faults[FAULTS_MAX]
  if (next === undefined) return faults
  const more = { line: next.line, message: `${faults.length - FAULTS_MAX} more faults follow.` }
  return [...faults.slice(0, FAULTS_MAX), more]
}
