import { parentPort, workerData } from 'node:worker_threads'
import { FAULTS_MAX } from './file-schema.ts'
import { readCsvFile } from './read-csv.ts'

/** The result of the CSV thread: the document as UTF-8 JSON, or the line and column of the first errors. */
export type CsvResult =
  | { readonly json: Uint8Array<ArrayBuffer> }
  | { readonly faults: readonly { readonly path: string; readonly message: string }[] }

const result = read(String(workerData))
// Transferred rather than copied, because the document is about ten times the size of its file.
parentPort?.postMessage(result, 'json' in result ? [result.json.buffer] : [])

/** Converts a CSV catalog to a document that can be imported. The import itself validates the content of brands. */
function read(csv: string): CsvResult {
  const { value, findLine, faults } = readCsvFile(csv)
  if (faults.length > 0) {
    const first = faults.slice(0, FAULTS_MAX).map(({ path, message }) => ({
      path: ['lines', findLine(path), ...path.slice(-1)].join('.'),
      message,
    }))
    return { faults: first }
  }
  const { categories = [], brands } = value as { categories?: object[]; brands: { offers: object[] }[] }
  // For each brand, the line numbers of its first row and of its offers.
  const lines = brands.map(({ offers }, index) => ({
    line: findLine(['brands', index]),
    offers: offers.map((_offer, at) => findLine(['brands', index, 'offers', at])),
  }))
  return { json: new TextEncoder().encode(JSON.stringify({ categories, brands, lines })) }
}
