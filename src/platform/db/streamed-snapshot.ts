import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database, Tx } from './database.ts'

/**
 * The minimum speed at which a stream must be read, because its open snapshot prevents the database from removing old
 * rows.
 */
export type ReadingBounds = {
  readonly windowMs: number
  /** Bytes that must be read in each window. */
  readonly windowBytesMin: number
  /** Time limit for the entire stream. */
  readonly wholeMs: number
}

// A reader at 10 Mbit/s receives a million transactions in time. One below 0.14 Mbit/s has effectively stalled.
const BOUNDS: ReadingBounds = { windowMs: 60_000, windowBytesMin: 1024 * 1024, wholeMs: 10 * 60_000 }

/**
 * Streams text or bytes from a single snapshot as they are read. Backpressure from a slow reader slows down the
 * statement, and the transaction ends if the reader disconnects or is too slow. A failure destroys the stream, so that
 * a partial result never looks complete. `begun` resolves once the snapshot is open, or rejects with the refusal.
 * `ended` resolves once the transaction is over, however it ended. The stream ends after that, so that its reader can
 * start the next one immediately.
 */
export function streamSnapshot(
  db: Database,
  streamTexts: (tx: Tx) => AsyncIterable<string | Uint8Array>,
  bounds = BOUNDS,
): { readonly stream: Readable; readonly begun: Promise<void>; readonly ended: Promise<void> } {
  const stream = new PassThrough()
  const begun = Promise.withResolvers<void>()
  const ended = db
    .snapshot(async (tx) => {
      begun.resolve()
      const tooSlow = () => stream.destroy(new Error('the stream was read too slowly'))
      await pipeline(watched(streamTexts(tx), bounds, tooSlow), stream, { end: false })
    })
    .then(
      () => void stream.end(),
      (error: Error) => {
        begun.reject(error)
        stream.destroy(error)
      },
    )
  return { stream, begun: begun.promise, ended }
}

/** Passes the chunks on, and calls tooSlow if the reader, rather than the database, is the bottleneck. */
async function* watched(texts: AsyncIterable<string | Uint8Array>, bounds: ReadingBounds, tooSlow: () => void) {
  let [taken, before, isUnread] = [0, 0, false]
  const window = setInterval(() => {
    if (isUnread && taken - before < bounds.windowBytesMin) tooSlow()
    before = taken
  }, bounds.windowMs)
  const whole = setTimeout(tooSlow, bounds.wholeMs)
  try {
    for await (const text of texts) {
      taken += text.length
      isUnread = true
      yield text
      isUnread = false
    }
  } finally {
    clearInterval(window)
    clearTimeout(whole)
  }
}
