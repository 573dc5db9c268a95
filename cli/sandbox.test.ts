import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../src/platform/config/config.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { readSandboxKey, settleSandbox } from './sandbox.ts'
import { dataFolder } from './test-support.ts'

const dataDir = await dataFolder()
const config = readConfig({ LAUREL_DATA_DIR: dataDir })
const db = openDatabase((await testDatabase('sandbox')).url)
// Stands in for the service, which accepts a key until it is revoked.
let isRevoked = false
const service = createServer((_, response) => response.writeHead(isRevoked ? 401 : 200).end()).listen(0, '127.0.0.1')
await once(service, 'listening')
after(async () => {
  service.close()
  await db.close()
})

const settle = () =>
  settleSandbox({ config, db, address: `http://127.0.0.1:${(service.address() as AddressInfo).port}` }, new Date())
const countKeys = async () => {
  const [row] = await db.reader<{ keys: number; entries: number }[]>`
    select (select count(*) from api_keys)::int as keys,
      (select count(*) from audit_log where action = 'key.created' and actor like 'local:%')::int as entries`
  return row
}

test('a restart creates no second key while the key file exists, and each key has an audit entry', async () => {
  const key = await settle()
  assert.deepEqual([await settle(), await readSandboxKey(dataDir)], [key, key])
  assert.deepEqual(await countKeys(), { keys: 1, entries: 1 })
  await rm(join(dataDir, 'sandbox.key'))
  assert.notEqual(await settle(), key)
  assert.deepEqual(await countKeys(), { keys: 2, entries: 2 })
})

test('a restart does not replace a revoked key', async () => {
  isRevoked = true
  assert.equal(await settle(), null)
  assert.deepEqual(await countKeys(), { keys: 2, entries: 2 })
})
