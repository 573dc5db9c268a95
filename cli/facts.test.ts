import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../src/platform/db/database.ts'
import { decodeId } from '../src/platform/ids.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const { url } = await testDatabase('cli_facts')
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: await dataFolder() }
const db = openDatabase(url)
after(() => db.close())

type Check = { readonly name: string; readonly ok: boolean; readonly detail: string }
async function findCheck(name: string): Promise<Check | undefined> {
  const { checks } = JSON.parse((await laurel(['doctor', '--json'], env)).stdout) as { checks: Check[] }
  return checks.find((check) => check.name === name)
}

test('doctor and facts list show why a fact failed, and it can be retried by id or with --all', async () => {
  const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)
  assert.deepEqual([(await findCheck('facts'))?.ok, (await findCheck('clock'))?.ok], [true, true])
  await db.reader`
    insert into facts (publisher_id, name, payload, attempts, due_at, error, failed_at)
    values (${decodeId('pub', publisher_id)}, 'sale.reported', '{}', 20, 'infinity', 'the offer is unknown', now())`
  const found = await findCheck('facts')
  assert.equal(found?.ok, false)
  assert.match(found?.detail ?? '', /^1 fact .* sale\.reported: the offer is unknown$/)
  const [{ fact_id, error }] = (await laurelJson(['facts', 'list'], env)).facts
  assert.equal(error, 'the offer is unknown')
  assert.equal((await laurel(['facts', 'retry'], env)).code, 2)
  assert.deepEqual(await laurelJson(['facts', 'retry', fact_id], env), { retried: 1 })
  assert.match((await laurel(['facts', 'retry', fact_id], env)).stderr, /no failed fact with this id/)
  assert.deepEqual(await laurelJson(['facts', 'retry', '--all'], env), { retried: 0 })
  assert.equal((await findCheck('facts'))?.ok, true)
})
