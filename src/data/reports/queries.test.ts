import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startTestApp } from '../../../test/support/app.ts'
import { toUserId } from '../../platform/ids.ts'
import { cancelStatement, copyRows, findBackend } from './queries.ts'

const app = await startTestApp()
after(app.close)

const { db } = app.service
const { id } = app.publisher
const SPAN = { from: new Date('2026-01-01'), until: new Date('2026-12-31') }
// Long enough for the driver to fill its buffers.
const RECEIVED_MS = 50

async function addTransactions(count: number): Promise<void> {
  const userId = toUserId(id, 'reader')
  await db.transaction(async (tx) => {
    await tx`
      insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
      values (${userId}, ${id}, 'reader', now(), now()) on conflict do nothing`
    await tx`
      insert into transactions (user_id, transaction_id, publisher_id, source, external_id, merchant_descriptor, currency, amount,
        authorized_at, status, status_reason, created_at, updated_at)
      select ${userId}, gen_random_uuid(), ${id}, 'CARD', gen_random_uuid()::text, 'Corner Market', 'USD', 1999,
        '2026-03-01'::timestamptz + number * interval '1 minute', 'CANCELLED', 'unmatched', now(), now()
      from generate_series(1, ${count}::int) as number`
  })
}

// A row takes 289 bytes, the stream buffers 64 KiB, and PostgreSQL sends 8 KiB at a time, so with 230 to 250 rows, the
// last packet fills the buffer.
test('a connection stays usable after a copy, regardless of where a slow reader pauses it', {
  timeout: 30_000,
}, async () => {
  for (let rows = 210; rows <= 270; rows += 10) {
    await addTransactions(rows === 210 ? 210 : 10)
    const [copied, next] = await db.transaction(async (tx) => {
      const stream = await copyRows(tx, 'transactions', id, SPAN, [])
      await setTimeout(RECEIVED_MS)
      let lines = 0
      for await (const chunk of stream) lines += String(chunk).split('\n').length - 1
      return [lines, (await tx<{ one: number }[]>`select 1 as one`)[0]?.one]
    })
    assert.deepEqual([copied, next], [rows, 1])
  }
})

test('a connection stays usable after a canceled copy', { timeout: 30_000 }, async () => {
  await addTransactions(20_000)
  for (let round = 0; round < 5; round++)
    await assert.rejects(
      db.transaction(async (tx) => {
        const backend = await findBackend(tx)
        const stream = await copyRows(tx, 'transactions', id, SPAN, [])
        await setTimeout(RECEIVED_MS)
        await cancelStatement(db.reader, backend)
        for await (const chunk of stream) assert(chunk.length > 0)
      }),
      /canceling/,
    )
})
