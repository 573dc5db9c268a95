import type { Band, BrandMatch, MerchantFacts } from '../../src/catalog/merchants/index.ts'
import { writeWhole } from '../files.ts'
import { printOut } from '../terminal.ts'
import { readLines } from './lines.ts'
import { formatAnswer, parseRow } from './rows.ts'

type Counts = Record<Band, number> & { rows: number }

type Job = {
  readonly from: string
  readonly to: string
  /** The default country for rows that specify none. */
  readonly country: string
  readonly match: (facts: MerchantFacts) => BrandMatch
}

/**
 * Matches a file line by line, in order. A malformed line leaves no partial output file, but lines already printed to
 * stdout stay.
 */
export async function matchFile({ to, ...job }: Job): Promise<Counts> {
  const counts: Counts = { rows: 0, automatic: 0, review: 0, none: 0 }
  const texts = answersTo(job, counts)
  await (to === '-' ? printOut(texts) : writeWhole(to, texts))
  return counts
}

async function* answersTo({ from, country, match }: Omit<Job, 'to'>, counts: Counts): AsyncGenerator<string> {
  for await (const lines of readLines(from)) {
    let texts = ''
    for (const line of lines) {
      const { id, facts } = parseRow(from, line, country)
      const found = match(facts)
      counts.rows++
      counts[found.band]++
      texts += `${JSON.stringify({ id, ...formatAnswer(found) })}\n`
    }
    if (texts !== '') yield texts
  }
}
