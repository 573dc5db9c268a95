import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findFreePort } from '../../cli/ports.ts'
import { startService } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/postgres.ts'

const { url } = await testDatabase('readiness')
const beside = openDatabase(url)
after(() => beside.close())

test('a starting service reports that it is alive, lists what is not ready, and queues other requests', async (context) => {
  const port = await findFreePort('127.0.0.1', 0)
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const unlock = await lockCatalog()
  const seeding = Promise.withResolvers<void>()
  // A failed test must not leave the service stuck in startup.
  context.after(() => [unlock(), seeding.resolve()])
  const config = readConfig({
    DATABASE_URL: url,
    PORT: String(port),
    LAUREL_MASTER_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
  })
  const starting = startService(config, {
    log: createLog('silent'),
    drainMs: 0,
    seed: () => seeding.promise,
  })
  await eventually(() =>
    ask('/healthz').then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  const notReady = (...parts: string[]) => ({
    status: 503,
    body: { status: 'starting', database: 'ok', not_ready: parts },
  })
  assert.deepEqual(await ask('/readyz'), notReady('catalog', 'sandbox'))
  // The request has no key, so it gets a 401, but only once the catalog is loaded.
  const terms = ask('/terms')
  assert.equal(await Promise.race([terms, ask('/readyz').then(() => null)]), null)
  unlock()
  assert.equal((await terms).status, 401)
  await eventually(async () => !(await ask('/readyz')).body.not_ready.includes('catalog'))
  assert.deepEqual(await ask('/readyz'), notReady('sandbox'))
  seeding.resolve()
  const service = await starting
  after(service.close)
  assert.deepEqual(await ask('/readyz'), { status: 200, body: { status: 'ready', database: 'ok' } })
})

/** Blocks reads of the catalog until the returned function is called. */
async function lockCatalog(): Promise<() => void> {
  const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = beside.transaction(async (tx) => {
    await tx`lock table catalog_version in access exclusive mode`
    locked.resolve()
    await unlocked.promise
  })
  await Promise.race([locked.promise, holding])
  return unlocked.resolve
}
