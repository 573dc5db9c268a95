import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../src/platform/db/database.ts'
import { decodeId, encodeId, newUuid } from '../src/platform/ids.ts'
import { getPublisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const { url } = await testDatabase('cli_refunds')
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: await dataFolder() }
const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)
const db = openDatabase(url)
after(() => db.close())
const publisherId = decodeId<'publisher'>('pub', publisher_id)
assert(publisherId !== null)

const { userId } = await db.transaction(async (tx) => {
  const publisher = await getPublisher(tx, publisherId)
  const input = { publisherUserId: 'mia', email: null, primaryZipCode: null, attributes: null }
  return (await createUser(tx, publisher, input, new Date())).user
})
const linkId = newUuid<'link'>()
await db.reader`
  insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at)
  values (${userId}, ${linkId}, ${publisherId}, 'ins_1', 'Bank', now())`
for (const row of ['row_one', 'row_two'])
  await db.reader`
    insert into feed_rows (user_id, row_id, publisher_id, link_id, generation, external_id, handed_as, amount, peak_amount,
      currency, bought_on, occurred_at, content_hash, merchant_keys, is_orphan)
    values (${userId}, ${row}, ${publisherId}, ${linkId}, 1, ${row}, 'REFUND', 1250, 1250, 'USD', '2026-03-05', now(), '\\x00',
      array['id:m1', 'name:blue kettle'], true)`

test('unmatched refunds are listed with their users; dismissing one requires --by and works only once', async () => {
  const { refunds } = await laurelJson(['refunds', 'unmatched', '--publisher', publisher_id], env)
  const refund = {
    publisher_id,
    svc_user_id: encodeId('usr', userId),
    publisher_user_id: 'mia',
    date: '2026-03-05',
    amount: 12.5,
    currency: 'USD',
    merchant: 'blue kettle',
  }
  assert.deepEqual(
    new Map(refunds.map(({ refund_id, ...rest }: { refund_id: string }) => [refund_id, rest])),
    new Map(['row_one', 'row_two'].map((row) => [row, refund])),
  )
  const table = await laurel(['refunds', 'unmatched'], env)
  assert.match(table.stdout, /row_two +mia +2026-03-05 +12\.50 USD +blue kettle/)
  assert.equal((await laurel(['refunds', 'dismiss', 'row_one'], env)).code, 2)
  const done = await laurel(['refunds', 'dismiss', 'row_one', '--by', 'ada', '--reason', 'gift'], env)
  assert.deepEqual([done.code, done.stdout], [0, 'The refund row_one was dismissed.\n'])
  const again = await laurel(['refunds', 'dismiss', 'row_one', '--by', 'bob'], env)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^This refund was dismissed by ada on \d{4}-\d\d-\d\d\.\n$/)
  const unknown = await laurel(['refunds', 'assign', 'row_two', '--purchase', 'txn_none', '--by', 'ada'], env)
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'This user has no card purchase with this id.\n'])
  const rest = await laurelJson(['refunds', 'unmatched'], env)
  assert.deepEqual(
    rest.refunds.map((one: { refund_id: string }) => one.refund_id),
    ['row_two'],
  )
})

test("a rescan reads a login's feed again from the beginning, and fails if nothing is linked", async () => {
  const of = ['--publisher', publisher_id, '--user']
  const none = await laurel(['linker', 'rescan', ...of, 'mia'], env)
  assert.deepEqual([none.code, none.stderr], [1, 'The user has no linked login there.\n'])
  assert.equal((await laurel(['linker', 'rescan', ...of, 'nobody'], env)).code, 1)
  await db.reader`
    insert into linker_items (user_id, link_id, publisher_id, owner, sealed_token, item_fingerprint, cursor, sync_due_at)
    values (${userId}, ${linkId}, ${publisherId}, 'service', '\\x00', '\\x00', 'here', now() + interval '1 day')`
  assert.deepEqual(await laurelJson(['linker', 'rescan', ...of, 'mia', '--institution', 'ins_1'], env), { logins: 1 })
  const rows = await db.reader`select 1 from linker_items where cursor is null and sync_due_at <= now()`
  assert.equal(rows.length, 1)
})
