import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../src/platform/db/database.ts'
import { createPublisher } from '../src/tenants/publishers/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const db = openDatabase((await testDatabase('cli_events')).url)
after(() => db.close())
await db.transaction((tx) => createPublisher(tx, { name: 'A publisher', environment: 'sandbox' }, new Date()))
const env = { DATABASE_URL: db.url, LAUREL_DATA_DIR: folder }

test('each restore begins a new feed epoch, even within the same second, and is audited', async () => {
  const first = await laurelJson(['events', 'restored'], env)
  const second = await laurelJson(['events', 'restored'], env)
  assert.ok(second.epoch > first.epoch)
  const audited = await db.reader`select subject from audit_log where action = 'feed.restored' order by at, subject`
  assert.deepEqual(
    audited.map(({ subject }) => Number(subject)),
    [first.epoch, second.epoch],
  )
})
