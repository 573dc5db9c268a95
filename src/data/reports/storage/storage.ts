import type { Readable } from 'node:stream'
import { describeNetworkFault } from '../../../platform/network-fault.ts'

/** Storage for report files. */
export type ReportStorage = {
  /**
   * Stores the chunks as a file with this name, completely or not at all.
   * @throws StorageError if the file cannot be stored. Errors from reading the chunks are rethrown unchanged.
   */
  store(name: string, chunks: AsyncIterable<Uint8Array>, mediaType: string): Promise<void>
  /**
   * Removes the file. Succeeds even if it does not exist.
   * @throws StorageError
   */
  remove(name: string): Promise<void>
  readonly serving: Serving
}

/** Files are served either by this service or by the storage itself, through its own links. */
type Serving =
  | {
      readonly by: 'service'
      /** Returns null if there is no such file. */
      open(name: string): Promise<{ readonly stream: Readable; readonly bytes: number } | null>
    }
  | { readonly by: 'storage'; link(name: string, asked: LinkTerms): Promise<string> }

/** The parameters of a link: its lifetime, and the file's name and type. */
type LinkTerms = { readonly seconds: number; readonly fileName: string; readonly mediaType: string }

/** Thrown if the storage is full or unreachable, or refuses the request. */
export class StorageError extends Error {}

export async function tryStoring<T>(what: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    // The HTTP client's own message is just "fetch failed".
    const reason = describeNetworkFault(error) ?? (error instanceof Error ? error.message : String(error))
    throw new StorageError(`${what} failed: ${reason}`, { cause: error })
  }
}
