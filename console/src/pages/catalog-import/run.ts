import { put, Refused, type Schemas } from '../../api/client.ts'
import { type Fault, locate, type ReadFile, splitIntoBatches } from './read-file.ts'

type Import = Schemas['CatalogImport']
export type Progress = { readonly done: number; readonly of: number }

/** The combined result of all batches of a file, whether from an import or a dry run. */
export type Outcome = {
  readonly brands: Import['brands']
  readonly offers: Import['offers']
  readonly effects: { readonly rates: number; readonly dates: number; readonly conditions: number }
  readonly changes: readonly Schemas['CatalogChange'][]
  readonly faults: readonly Fault[]
  readonly cancelled: boolean
}

type Options = {
  readonly dryRun: boolean
  readonly replace: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

const NOTHING: Import['brands'] = { added: 0, changed: 0, retired: 0, unchanged: 0 }
// More than anyone would read. The totals include every change.
const CHANGES_SHOWN = 200

/**
 * Sends a file in batches, each of which is imported completely or not at all. An import stops at a batch with errors,
 * but a dry run continues, to report them all. Replacing requires a single batch, because it retires everything that is
 * not in the batch.
 * @throws Refused for anything other than errors in the file
 */
export async function runImport(file: ReadFile, { dryRun, replace, signal, onProgress }: Options): Promise<Outcome> {
  const batches = splitIntoBatches(file, replace)
  let outcome: Outcome = {
    brands: NOTHING,
    offers: NOTHING,
    changes: [],
    faults: [],
    cancelled: false,
    effects: { rates: 0, dates: 0, conditions: 0 },
  }
  for (const [index, batch] of batches.entries()) {
    onProgress({ done: index, of: batches.length })
    if (signal.aborted) return { ...outcome, cancelled: true }
    const query = { dry_run: dryRun ? ('true' as const) : undefined, replace: replace ? ('true' as const) : undefined }
    try {
      outcome = added(outcome, await put('/operator/catalog', { query, body: batch }))
    } catch (error) {
      if (!(error instanceof Refused) || error.errors.length === 0) throw error
      const faults = error.errors.map(({ field, message }) => ({ where: locate(file, index, field, replace), message }))
      outcome = { ...outcome, faults: [...outcome.faults, ...faults] }
      if (!dryRun) return outcome
    }
  }
  onProgress({ done: batches.length, of: batches.length })
  return outcome
}

function added(outcome: Outcome, { brands, offers, diff }: Import): Outcome {
  const sum = (a: Import['brands'], b: Import['brands']) => ({
    added: a.added + b.added,
    changed: a.changed + b.changed,
    retired: a.retired + b.retired,
    unchanged: a.unchanged + b.unchanged,
  })
  const effects = diff?.effects ?? { rates: 0, dates: 0, conditions: 0 }
  return {
    ...outcome,
    brands: sum(outcome.brands, brands),
    offers: sum(outcome.offers, offers),
    effects: {
      rates: outcome.effects.rates + effects.rates,
      dates: outcome.effects.dates + effects.dates,
      conditions: outcome.effects.conditions + effects.conditions,
    },
    changes: [...outcome.changes, ...(diff?.brands ?? []), ...(diff?.offers ?? [])].slice(0, CHANGES_SHOWN),
  }
}
