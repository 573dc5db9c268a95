import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'
import { COMPARED_MAX, needsManyRows } from './search.ts'

const app = await startTestApp()
after(app.close)
const { db } = app.service
const { id } = app.publisher
// One purchase every ten minutes. One user has too many to compare, the other only a few.
await addTransactions('many', COMPARED_MAX + 1, '2024-01-01T00:00:00Z')
await addTransactions('few', 5, '2024-01-01T00:00:00Z')

async function addTransactions(publisherUserId: string, count: number, from: string): Promise<void> {
  const userId = toUserId(id, publisherUserId)
  await db.transaction(async (tx) => {
    await tx`
      insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
      values (${userId}, ${id}, ${publisherUserId}, ${from}, ${from})`
    await tx`
      with added as (
        insert into transactions (user_id, transaction_id, publisher_id, source, external_id, merchant_descriptor, currency, amount,
          authorized_at, status, status_reason, created_at, updated_at)
        select ${userId}, gen_random_uuid(), ${id}, 'CARD', ${publisherUserId} || number, 'CORNER MARKET', 'USD', 1999,
          ${from}::timestamptz + number * interval '10 minutes', (array['CANCELLED', 'EARNED'])[1 + number % 2], null, ${from}, ${from}
        from generate_series(0, ${count - 1}::int) as number
        returning authorized_at, status
      )
      insert into list_count_deltas (publisher_id, list, delta)
      select ${id}, 'transactions/' || to_char(authorized_at at time zone 'UTC', 'YYYY-MM-DD') || '/' || status, count(*)
      from added group by 2`
  })
}

test('filtering by a status that may be rare reads many rows, except for a single user', () => {
  const filter = { searchText: null, comparesTexts: false, from: null, until: null }
  const page = { sort: [], offset: 0, size: 20 }
  const userId = toUserId(id, 'few')
  const of = (given: { userId: typeof userId | null; status: string | null }) =>
    needsManyRows({ ...filter, ...given }, page)
  assert.equal(of({ userId: null, status: 'CANCELLED' }), true)
  assert.equal(of({ userId, status: 'CANCELLED' }), false)
  assert.equal(of({ userId: null, status: null }), false)
})

const search = (query: string) => app.call('GET', `/transactions?size=1&search_text=${query}`)

test('a text search that would compare too many transactions is rejected with advice on narrowing it', async () => {
  const { status, body } = await search('corner')
  assert.deepEqual([status, body.errors[0].field], [400, 'search_text'])
  const [, from] = /at most 100000 .*publisher_user_id.*start_date=([\d-]+)$/.exec(body.errors[0].message) ?? []
  const narrower = await search(`corner&start_date=${from}`)
  assert.equal(narrower.status, 200)
  assert(narrower.body.total_elements > COMPARED_MAX - 200, `${narrower.body.total_elements}`)
  assert.equal((await search('corner&publisher_user_id=few')).body.total_elements, 5)
})

test('a complete id finds its transaction regardless of how many transactions exist', async () => {
  const [row] = await db.reader<{ transactionId: string }[]>`
    select transaction_id from transactions where publisher_id = ${id} order by authorized_at limit 1`
  const uuid = row?.transactionId ?? ''
  for (const text of [uuid, encodeId('txn', uuid)]) {
    const { body } = await search(text)
    assert.deepEqual([body.total_elements, body.content[0]?.transaction_uid], [1, encodeId('txn', uuid)])
  }
})

test('totals by day and by status are exact in every time zone', async () => {
  for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
    await db.transaction((tx) => changeSettings(tx, id, { timeZone }))
    for (const [start, end, status] of [
      ['2024-02-03', '2024-02-03', null],
      ['2024-02-03', '2024-03-20', 'EARNED'],
      [null, '2024-02-03', 'CANCELLED'],
      ['2025-11-01', null, null],
      [null, null, 'EARNED'],
    ] as const) {
      const given = Object.entries({ start_date: start, end_date: end, status }).filter(([, value]) => value !== null)
      const query = new URLSearchParams(given as [string, string][])
      const [row] = await db.reader<{ count: bigint }[]>`
        select count(*) from transactions
        where publisher_id = ${id}
          and (${start}::text is null or authorized_at >= ${start}::text::timestamp at time zone ${timeZone})
          and (${end}::text is null or authorized_at < (${end}::text::date + 1)::timestamp at time zone ${timeZone})
          and (${status}::text is null or status = ${status})`
      // The process picks up the new time zone with a short delay.
      await eventually(async () => {
        const { body } = await app.call('GET', `/transactions?size=1&${query}`)
        return body.total_elements === Number(row?.count)
      })
    }
  }
})
