import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import type { CsvSaid } from './csv-thread.ts'

/**
 * The JSON of a CSV catalog's document, made in a thread of its own: a file of many short rows takes longer than other
 * requests may wait. @throws Refusal catalog_invalid as csvDocument
 */
export async function readCsvApart(csv: string): Promise<string> {
  const thread = new Worker(new URL('./csv-thread.ts', import.meta.url), { workerData: csv })
  const [said] = (await once(thread, 'message')) as [CsvSaid]
  if ('json' in said) return said.json
  throw new Refusal<CatalogRefusal>('catalog_invalid', said.detail, { members: said.refused })
}
