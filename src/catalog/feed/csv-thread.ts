import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../platform/refusal.ts'
import { csvDocument } from './csv-document.ts'

/** What the thread of readCsvApart says: the document as JSON, or the members of its refusal. */
export type CsvSaid = { readonly json: string } | { readonly refused: Refusal['members']; readonly detail: string }

parentPort?.postMessage(read(String(workerData)))

function read(csv: string): CsvSaid {
  try {
    return { json: JSON.stringify(csvDocument(csv)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refused: error.members, detail: error.message }
  }
}
