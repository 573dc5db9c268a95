import type { Readable } from 'node:stream'
import { networkFault } from '../../platform/network-fault.ts'

/** Where the files of reports are. */
export type ReportStorage = {
  /**
   * Stores the chunks as a file with this name, whole or not at all.
   * @throws StorageError when it cannot be stored, and what reading the chunks throws
   */
  store(name: string, chunks: AsyncIterable<Uint8Array>, mediaType: string): Promise<void>
  /** There need not be such a file. @throws StorageError */
  remove(name: string): Promise<void>
  readonly serving: Serving
}

/** Who serves the files: this service, or the storage itself by links that it understands. */
type Serving =
  | {
      readonly by: 'service'
      /** Null: there is no such file. */
      open(name: string): Promise<{ readonly stream: Readable; readonly bytes: number } | null>
    }
  | { readonly by: 'storage'; link(name: string, asked: LinkTerms): Promise<string> }

/** How a link answers: for how long, and as what. */
type LinkTerms = { readonly seconds: number; readonly fileName: string; readonly mediaType: string }

/** The disk is full, or the storage cannot be reached or refuses. */
export class StorageError extends Error {}

export async function storing<T>(what: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    // The HTTP client's own message is only "fetch failed".
    const reason = networkFault(error) ?? (error instanceof Error ? error.message : String(error))
    throw new StorageError(`${what} failed: ${reason}`, { cause: error })
  }
}
