import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { listTables } from './scope-queries.ts'
import { travelling } from './tables.ts'

const tables = await listTables((await openTestDatabase('takeouts')).reader)
const order = travelling(tables)
const names = order.map(({ name }) => name)
const added = { name: 'new_things', columns: ['id'], generated: [], key: ['id'], needs: [] }

test('a table with a publisher_id is exported, and any other table must be listed', () => {
  assert(order.length > 60)
  for (const name of ['users', 'journals', 'closings', 'postback_answers', 'offers']) assert(names.includes(name), name)
  for (const name of ['audit_log', 'master_keys', 'webhook_queues', 'verified_balances']) assert(!names.includes(name))
  assert.throws(() => travelling([...tables, added]), /nothing says whether the table new_things travels/)
  const ofPublisher = { ...added, columns: ['publisher_id', 'id'] }
  assert(travelling([...tables, ofPublisher]).includes(ofPublisher))
  const without = (left: string) => tables.filter(({ name }) => name !== left)
  assert.throws(() => travelling(without('operators')), /there is no table operators/)
})

test('a table is exported after the tables that its foreign keys reference', () => {
  for (const [place, { name, needs }] of order.entries())
    for (const needed of needs) assert(names.indexOf(needed) < place, `${name} after ${needed}`)
})
