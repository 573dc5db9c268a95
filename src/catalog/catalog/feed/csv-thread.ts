import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../platform/refusal.ts'
import { readCsvDocument } from './csv-document.ts'

/** The result of the CSV thread: the document as UTF-8 JSON, or the members of its refusal. */
export type CsvResult =
  | { readonly json: Uint8Array<ArrayBuffer> }
  | { readonly refused: Refusal['members']; readonly detail: string }

const result = read(String(workerData))
// Transferred rather than copied, because the document is about ten times the size of its file.
parentPort?.postMessage(result, 'json' in result ? [result.json.buffer] : [])

function read(csv: string): CsvResult {
  try {
    return { json: new TextEncoder().encode(JSON.stringify(readCsvDocument(csv))) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refused: error.members, detail: error.message }
  }
}
