import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { runInThread } from '../../../platform/in-thread.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { runInSlices } from '../../../platform/slices.ts'
import type { AffiliateRefusal } from '../errors.ts'
import type { Format } from '../formats/format.ts'
import type { ReadRow } from './read-report.ts'

export type ReportInThread = { readonly text: string; readonly format: Format; readonly blocks: MessagePort }
export type ReportResult = { readonly rows: number } | { readonly refused: string }

/**
 * Reads a report in a worker thread, because 20 MB take seconds. The rows arrive in blocks, because receiving them all
 * in one message would also block the event loop.
 * @throws Refusal report_invalid, as `readReport` does
 */
export async function readReportInThread(text: string, format: Format): Promise<ReadRow[]> {
  const { port1: received, port2: blocks } = new MessageChannel()
  try {
    const file: ReportInThread = { text, format, blocks }
    const result = await runInThread<ReportResult>(new URL('./report-thread.ts', import.meta.url), file, [blocks])
    if ('refused' in result) throw new Refusal<AffiliateRefusal>('report_invalid', result.refused)
    return await runInSlices(rowsFrom(received, result.rows))
  } finally {
    received.close()
  }
}

function* rowsFrom(port: MessagePort, count: number): Generator<undefined, ReadRow[]> {
  const rows: ReadRow[] = []
  while (rows.length < count) {
    const block: { readonly message: readonly ReadRow[] } | undefined = receiveMessageOnPort(port)
    if (block === undefined) throw new Error('the thread that parsed a report lost some of its rows')
    rows.push(...block.message)
    yield
  }
  return rows
}
