import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { CatalogInput } from '../../src/catalog/catalog/index.ts'
import { UserError } from '../errors.ts'
import { readText, unreadable } from '../files.ts'
import { readLines } from './lines.ts'

type OpenedCatalog = {
  readonly input: CatalogInput
  /** The fraction of the file read so far, from 0 to 1. */
  progress(): number
}

/**
 * Opens a catalog file for the importer. JSON Lines (.jsonl, .ndjson) is streamed, whatever its size; JSON and CSV are
 * loaded into memory. A file without an extension is JSON if it starts with `{`, and CSV otherwise.
 */
export async function openCatalogFile(file: string, encoding?: string): Promise<OpenedCatalog> {
  const extension = extname(file).toLowerCase()
  if (extension === '.jsonl' || extension === '.ndjson') return openLines(file)
  const text = await readText(file, encoding).catch((error: unknown) => {
    throw error instanceof UserError && /larger/.test(error.message)
      ? new UserError(`${error.message} JSON Lines (.jsonl, one brand with its offers per line) can be any size.`)
      : error
  })
  const format = extension === '.json' || (extension === '' && /^\s*\{/.test(text)) ? 'json' : 'csv'
  return { input: { format, text }, progress: () => 1 }
}

async function openLines(file: string): Promise<OpenedCatalog> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
  let bytes = 0
  const lines = (): AsyncIterable<string> => {
    bytes = 0
    return readLines(file, (count) => {
      bytes += count
    })
  }
  return { input: { format: 'jsonl', lines }, progress: () => (size === 0 ? 1 : bytes / size) }
}
