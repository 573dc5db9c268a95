import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../platform/refusal.ts'
import { csvDocument } from './csv-document.ts'

/** The result of the CSV thread: the document as JSON, or the members of its refusal. */
export type CsvResult = { readonly json: string } | { readonly refused: Refusal['members']; readonly detail: string }

parentPort?.postMessage(read(String(workerData)))

function read(csv: string): CsvResult {
  try {
    return { json: JSON.stringify(csvDocument(csv)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refused: error.members, detail: error.message }
  }
}
