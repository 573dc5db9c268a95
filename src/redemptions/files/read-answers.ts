import { isDeepStrictEqual } from 'node:util'
import { type EntryNote, type LineNote, type PayoutAnswer, type PayoutAnswers, unreadable } from './payout-answers.ts'
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
const NOTES_MAX = 100

/** Reads the answer of a bank to files of the format. Payments by pain.001 are answered by pain.002. */
export function readAnswers(format: PayoutFormat, text: string): PayoutAnswers {
  if (Buffer.byteLength(text) > ANSWER_BYTES_MAX) {
    return unreadable(1, `The file is larger than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB.`)
  }
  // Programs in the tradition of DOS end a file with Ctrl-Z, which is then also between stacked files.
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\u001A', ' ')
  // A bank may refuse a whole file by telephone; an operator then writes a table, whatever the format of the file.
  const read = (TABLE.test(plain) ? readCsvAnswers : READERS[format])(plain)
  const { answers, repeats, contradictions } = withoutRepeats(read.answers)
  const skipped = [...read.skipped, ...repeats].sort(byLine)
  const faults = shortened(read.faults, 'more faults')
  const doubts = [...read.doubts, ...contradictions].sort(byLine)
  return { ...read, answers, skipped: shortened(skipped, 'more lines'), faults, doubts }
}

/** The faults and skipped lines of an answer to a file, of which `isOfFile` knows the references. */
export function judgeDoubts(
  { doubts, faults, skipped }: PayoutAnswers,
  isOfFile: (reference: string) => boolean,
): Pick<PayoutAnswers, 'faults' | 'skipped'> {
  const { own = [], others = [] } = Object.groupBy(doubts, ({ reference }) => (isOfFile(reference) ? 'own' : 'others'))
  const foreign = others.map(({ line, reference }) => ({ line, message: `${reference} is not in the answered file.` }))
  return {
    faults: [
      ...faults,
      ...shortened(
        own.map(({ line, message }) => ({ line, message })),
        'more faults',
      ),
    ].sort(byLine),
    skipped: [...skipped, ...shortened(foreign, 'more lines')].sort(byLine),
  }
}

/** Banks stack overlapping files. A repeated answer is skipped; one that contradicts the first is in doubt. */
function withoutRepeats(all: readonly PayoutAnswer[]) {
  const first = new Map<string, PayoutAnswer>()
  const [repeats, contradictions]: [LineNote[], EntryNote[]] = [[], []]
  for (const answer of all) {
    const { line, reference } = answer
    const earlier = first.get(reference)
    const repeated = { line, message: `${reference} is answered already on line ${earlier?.line}.` }
    if (earlier === undefined) first.set(reference, answer)
    else if (isDeepStrictEqual({ ...earlier, line }, answer)) repeats.push(repeated)
    else contradictions.push({ ...repeated, reference })
  }
  return { answers: [...first.values()], repeats, contradictions }
}

function byLine(one: LineNote, other: LineNote): number {
  return one.line - other.line
}

function shortened(notes: readonly LineNote[], rest: string): readonly LineNote[] {
  const next = notes[NOTES_MAX]
  if (next === undefined) return notes
  const more = { line: next.line, message: `${notes.length - NOTES_MAX} ${rest} follow.` }
  return [...notes.slice(0, NOTES_MAX), more]
}
