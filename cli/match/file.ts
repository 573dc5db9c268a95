import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Band, BrandMatch, MerchantFacts } from '../../src/matching/index.ts'
import { UserError } from '../errors.ts'
import { linesOf } from './lines.ts'
import { answerOf, rowOf } from './rows.ts'

export type Counts = Record<Band, number> & { rows: number }

type Job = {
  readonly from: string
  readonly to: string
  /** Of rows that do not say theirs. */
  readonly country: string
  readonly match: (facts: MerchantFacts) => BrandMatch
}

/**
 * Answers a file line by line, in its order. The answers are written beside the wanted file and take its place when
 * all are there, so that a broken line never leaves a half result (what was piped on is gone, of course).
 */
export async function matchFile({ from, to, country, match }: Job): Promise<Counts> {
  const draft = to === '-' ? null : `${to}.${process.pid}.draft`
  const out = draft === null ? process.stdout : createWriteStream(draft)
  const counts: Counts = { rows: 0, automatic: 0, review: 0, none: 0 }
  try {
    if (draft !== null) await once(out, 'open')
    for await (const lines of linesOf(from)) {
      let texts = ''
      for (const line of lines) {
        const { id, facts } = rowOf(from, line, country)
        const found = match(facts)
        counts.rows++
        counts[found.band]++
        texts += `${JSON.stringify({ id, ...answerOf(found) })}\n`
      }
      if (texts !== '' && !out.write(texts)) await once(out, 'drain')
    }
    if (draft === null) return counts
    out.end()
    await finished(out)
    await rename(draft, to)
    return counts
  } catch (error) {
    if (draft === null) throw error
    out.destroy()
    await rm(draft, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new UserError(`${to} cannot be written (${code}).`)
  }
}
