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

// The other formats begin with a digit or an angle bracket.
const TABLE = /^\s*"?(reference|status|code|message)\b/

/** The longest response accepted: about a hundred thousand entries in the most verbose format. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024
// Enough notes to recognize what kind of file it is.
const NOTES_MAX = 100

/** Reads a bank's response to a file of this format. The response to a pain.001 file is a pain.002 message. */
export function readAnswers(format: PayoutFormat, text: string): PayoutAnswers {
  if (Buffer.byteLength(text) > ANSWER_BYTES_MAX) {
    return unreadable(1, `The file is larger than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB.`)
  }
  // DOS-style programs end a file with Ctrl-Z, so it also appears between stacked files.
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\u001A', ' ')
  // A bank might reject an entire file by phone. An operator then enters the answer as a table, regardless of the
  // file's format.
  const read = (TABLE.test(plain) ? readCsvAnswers : READERS[format])(plain)
  const { answers, repeats, contradictions } = withoutRepeats(read.answers)
  const skipped = [...read.skipped, ...repeats].sort(byLine)
  const faults = shortened(read.faults, 'more errors')
  const doubts = [...read.doubts, ...contradictions].sort(byLine)
  return { ...read, answers, skipped: shortened(skipped, 'more lines'), faults, doubts }
}

/**
 * Returns the faults and skipped lines of a response to a file, resolving each doubt into a fault or a skipped line.
 * `isOfFile` returns true for references in the file.
 */
export function judgeDoubts(
  { doubts, faults, skipped }: PayoutAnswers,
  isOfFile: (reference: string) => boolean,
): Pick<PayoutAnswers, 'faults' | 'skipped'> {
  const { own = [], others = [] } = Object.groupBy(doubts, ({ reference }) => (isOfFile(reference) ? 'own' : 'others'))
  const foreign = others.map(({ line, reference }) => ({ line, message: `${reference} is not in the payout file.` }))
  return {
    faults: [
      ...faults,
      ...shortened(
        own.map(({ line, message }) => ({ line, message })),
        'more errors',
      ),
    ].sort(byLine),
    skipped: [...skipped, ...shortened(foreign, 'more lines')].sort(byLine),
  }
}

/**
 * Dedupes answers, because banks stack overlapping files. A repeated answer is skipped, and one that contradicts the
 * first is a doubt.
 */
function withoutRepeats(all: readonly PayoutAnswer[]) {
  const first = new Map<string, PayoutAnswer>()
  const [repeats, contradictions]: [LineNote[], EntryNote[]] = [[], []]
  for (const answer of all) {
    const { line, reference } = answer
    const earlier = first.get(reference)
    const repeated = { line, message: `${reference} already has an answer on line ${earlier?.line}.` }
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
