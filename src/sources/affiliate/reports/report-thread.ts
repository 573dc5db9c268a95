import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../platform/refusal.ts'
import { readReport } from './read-report.ts'
import type { ReportInThread, ReportResult } from './read-report-in-thread.ts'

// The receiver deserializes this many rows in about a millisecond.
const BLOCK_ROWS = 200

const { text, format, blocks } = workerData as ReportInThread
parentPort?.postMessage(read())

function read(): ReportResult {
  try {
    const rows = readReport(text, format)
    for (let from = 0; from < rows.length; from += BLOCK_ROWS) blocks.postMessage(rows.slice(from, from + BLOCK_ROWS))
    return { rows: rows.length }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refused: error.message }
  }
}
