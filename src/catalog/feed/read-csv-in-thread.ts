import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import type { CsvResult } from './csv-thread.ts'

/**
 * Converts a CSV catalog to JSON in a worker thread: a file of many short rows would block other requests for too long.
 * @throws Refusal catalog_invalid as csvDocument
 */
export async function readCsvInThread(csv: string): Promise<string> {
  const thread = new Worker(new URL('./csv-thread.ts', import.meta.url), { workerData: csv })
  const [result] = (await once(thread, 'message')) as [CsvResult]
  if ('json' in result) return result.json
  throw new Refusal<CatalogRefusal>('catalog_invalid', result.detail, { members: result.refused })
}
