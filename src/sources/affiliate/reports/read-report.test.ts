import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/refusal.ts'
import { buildFormat } from '../formats/index.ts'
import { readReport } from './read-report.ts'
import { readReportInThread } from './read-report-in-thread.ts'

const format = buildFormat('generic', {})
const sale = { sub_id: 'sub', status: 'approved', amount: 12.5, currency: 'USD', date: '2026-11-01T10:00:00Z' }

test('reading a large report in a thread returns the same rows without blocking the event loop', async () => {
  const text = JSON.stringify(Array.from({ length: 5_000 }, (_one, nth) => ({ ...sale, order_id: `order-${nth}` })))
  let [turns, isRead] = [0, false]
  const count = (): void => {
    turns++
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  const rows = await readReportInThread(text, format)
  isRead = true
  // On the event loop itself, reading would take a single turn.
  assert.ok(turns > 100, `${turns} turns`)
  assert.deepEqual(rows, readReport(text, format))
})

test('an unreadable report is rejected in a worker thread exactly as on the event loop', async () => {
  for (const text of ['hello', '[{"sub_id": 1}]', 'sub_id,amount\n"x']) {
    const refusal = (error: unknown): boolean => error instanceof Refusal && error.code === 'report_invalid'
    await assert.rejects(readReportInThread(text, format), refusal)
    const said = await readReportInThread(text, format).catch((error: Error) => error.message)
    assert.throws(() => readReport(text, format), { message: said as string })
  }
})
