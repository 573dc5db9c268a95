import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database, Tx } from './database.ts'

/** How slowly what is streamed may be read. Its snapshot keeps the database from removing old rows. */
export type ReadingBounds = {
  readonly windowMs: number
  /** How much must be read in each window. */
  readonly windowBytesMin: number
  /** How long all of it may take. */
  readonly wholeMs: number
}

// A reader at 10 Mbit/s gets a million transactions in time; one below 0.2 Mbit/s is not really reading.
const BOUNDS: ReadingBounds = { windowMs: 60_000, windowBytesMin: 1024 * 1024, wholeMs: 10 * 60_000 }

/**
 * Streams texts or bytes from one snapshot as they are read: a slow reader slows the statement down, a reader who leaves or is
 * too slow ends the transaction, and a failure destroys the stream, so that half of it never looks like the whole.
 * `begun` is fulfilled when the snapshot is open, or rejected with the refusal; `ended` is fulfilled once the
 * transaction is over, whichever way. The stream ends after it, so that its reader can start the next one at once.
 */
export function streamSnapshot(
  db: Database,
  textsOf: (tx: Tx) => AsyncIterable<string | Uint8Array>,
  bounds = BOUNDS,
): { readonly stream: Readable; readonly begun: Promise<void>; readonly ended: Promise<void> } {
  const stream = new PassThrough()
  const begun = Promise.withResolvers<void>()
  const ended = db
    .snapshot(async (tx) => {
      begun.resolve()
      const tooSlow = () => stream.destroy(new Error('what is streamed was read too slowly'))
      await pipeline(watched(textsOf(tx), bounds, tooSlow), stream, { end: false })
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

/** Passes the texts on, and calls tooSlow if their reader, rather than the database, is slow. */
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
