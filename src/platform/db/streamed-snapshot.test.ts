import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { streamSnapshot } from './streamed-snapshot.ts'

const db = await openTestDatabase('streamed_snapshot', { connections: 2 })

test('a stream ends only after its transaction, so its reader can start another transaction immediately', async () => {
  const order: string[] = []
  const slowly: typeof db = {
    ...db,
    snapshot: async (work) => {
      const result = await db.snapshot(work)
      await db.reader`select pg_sleep(0.05)`
      order.push('transaction')
      return result
    },
  }
  const { stream, ended } = streamSnapshot(slowly, async function* () {
    yield 'all of it'
  })
  const counted = ended.then(() => order.push('ended'))
  assert.equal(await text(stream), 'all of it')
  order.push('stream')
  await counted
  assert.deepEqual(order, ['transaction', 'ended', 'stream'])
})

test('a failure after the last chunk destroys the stream', async () => {
  const failing: typeof db = {
    ...db,
    snapshot: async (work) => {
      await db.snapshot(work)
      throw new Error('the connection is lost')
    },
  }
  const { stream } = streamSnapshot(failing, async function* () {
    yield 'all of it'
  })
  await assert.rejects(text(stream), { message: 'the connection is lost' })
})
