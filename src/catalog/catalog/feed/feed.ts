import type { Fault, Path } from './file-schema.ts'

export type FeedItem = {
  readonly of: 'category' | 'brand'
  readonly path: Path
  /** The parsed value, not yet validated. */
  readonly value: unknown
}
export type FeedBatch = { readonly items: readonly FeedItem[]; readonly faults: readonly Fault[] }
/** A catalog, read in batches. Each call of `batches` starts from the beginning. */
export type Feed = {
  batches(): AsyncIterable<FeedBatch>
  findLine(path: Path): number
}

// The number of brands looked up and written together. A batch contains a few thousand offers, which keeps round trips
// few but takes only a few megabytes.
export const BATCH_BRANDS = 500
