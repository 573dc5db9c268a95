import type { Fault, Path } from './file-schema.ts'

export type FeedItem = {
  readonly of: 'category' | 'brand'
  readonly path: Path
  /** As read, of any shape. */
  readonly value: unknown
}
export type FeedBatch = { readonly items: readonly FeedItem[]; readonly faults: readonly Fault[] }
/** A catalog in batches, from its beginning at each call. */
export type Feed = {
  batches(): AsyncIterable<FeedBatch>
  lineOf(path: Path): number
}

// Brands that are looked up and written together: some thousand offers, so that round trips are cheap, in few
// megabytes.
export const BATCH_BRANDS = 500
