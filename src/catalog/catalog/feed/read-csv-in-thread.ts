import { runInThread } from '../../../platform/in-thread.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import type { CsvResult } from './csv-thread.ts'

/**
 * Converts a CSV catalog to UTF-8 JSON in a worker thread, because a file with many short rows would block the event
 * loop.
 * @throws Refusal catalog_invalid with the line and column of the first errors
 */
export async function readCsvInThread(csv: string): Promise<Buffer> {
  const result = await runInThread<CsvResult>(new URL('./csv-thread.ts', import.meta.url), csv)
  if ('json' in result) return Buffer.from(result.json.buffer)
  throw new Refusal<CatalogRefusal>('catalog_invalid', 'The file is not a CSV catalog.', { members: result })
}
