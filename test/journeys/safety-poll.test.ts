import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { linkItems } from '../../bench/support/linked-items.ts'
import { writeSimulatedItems } from '../../bench/support/simulated-items.ts'
import { addFaults, enforceLimits, readCalls } from '../../bench/support/simulator-control.ts'
import { createTenant } from '../../bench/support/tenant.ts'
import { buildFaults, isBroken, isSound } from '../../bench/support/unwell-items.ts'
import { dataFolder } from '../../cli/test-support.ts'
import { startSimulator } from '../../simulator/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/postgres.ts'
import { endProcesses, startProcess } from './processes.ts'

// Many feeds come due together. Several worker processes read them with one provider account, whose rate limits are
// enforced, and some logins cannot be read.

const ITEMS = 250
const UNREAD = 2
const WORKERS = 2
const SYNC = '/transactions/sync'
// Scales down the provider's limits so that a few items are enough to reach them.
const SCALE = 0.6
const PER_MINUTE = 2_500 * SCALE
// One second's worth of calls, because unused calls may be made up for.
const BURST = PER_MINUTE / 60
// The number of feeds that a process reads concurrently.
const AT_ONCE = 32

const { url } = await testDatabase('safety_poll')
const db = openDatabase(url)
const dataDir = await dataFolder()
const client = { clientId: 'laurel-tests', secret: randomBytes(12).toString('hex') }
const masterKey = randomBytes(32).toString('base64')
const baseUrl = 'http://127.0.0.1:9'
const dataFile = join(dataDir, 'items.json')
const items = await writeSimulatedItems(dataFile, {
  count: ITEMS,
  rows: 5,
  client,
  webhook: `${baseUrl}/linker/webhooks`,
  countUnread: () => UNREAD,
  isBroken,
})
const simulator = await startSimulator({ port: 0, dataFile })
const readAt = new Date(Date.now() - 86_400_000)
await linkItems(db, await createTenant(db), items, { masterKey, dataDir, readAt })

after(async () => {
  await endProcesses()
  await simulator.close()
  await db.close()
})

const settings = {
  DATABASE_URL: url,
  LAUREL_ROLE: 'worker',
  LAUREL_DATA_DIR: dataDir,
  LAUREL_MASTER_KEY: masterKey,
  LAUREL_BASE_URL: baseUrl,
  LAUREL_LINKER: 'plaid',
  LAUREL_LINKER_URL: simulator.url,
  LAUREL_LINKER_SYNCS_PER_MINUTE: String(PER_MINUTE),
  LAUREL_PLAID_CLIENT_ID: client.clientId,
  LAUREL_PLAID_SECRET: client.secret,
}

type Look = { readonly read: number; readonly underWay: number }

async function look(): Promise<Look> {
  const [seen] = await db.reader<[Look]>`
    select count(*) filter (where synced_at > ${readAt})::int as read,
      count(*) filter (where sync_lease_until > now())::int as "underWay"
    from linker_items`
  return seen
}

test("all working feeds are read, and all workers together stay within the provider's limits", async () => {
  await enforceLimits(simulator.url, SCALE)
  await addFaults(
    simulator.url,
    buildFaults(items).map((fault) => ({ ...fault, path: SYNC })),
  )
  const sound = items.filter((_, number) => isSound(number)).length
  assert.ok(sound < ITEMS)
  for (let count = 0; count < WORKERS; count++) await startProcess(settings)
  let quietUntilMs = Date.now()
  let mostUnderWay = 0
  await eventually(async () => {
    const askedMs = Date.now()
    const { calls } = await readCalls(simulator.url)
    const answeredMs = Date.now()
    const made = calls[SYNC] ?? 0
    if (made === 0) quietUntilMs = askedMs
    // A slow machine makes fewer calls in that time, but never more.
    const allowed = ((answeredMs - quietUntilMs) / 60_000) * PER_MINUTE + BURST + 1
    assert.ok(made <= allowed, `${made} calls were made where ${allowed} are allowed`)
    const { read, underWay } = await look()
    mostUnderWay = Math.max(mostUnderWay, underWay)
    assert.ok(read <= sound, 'what answers with an error has not been read')
    return read === sound
  })
  assert.deepEqual((await readCalls(simulator.url)).refused, {})
  assert.ok(mostUnderWay <= WORKERS * AT_ONCE, `${mostUnderWay} feeds were read at once`)
})

test('each feed is read once, and feeds that cannot be read are retried', async () => {
  const unsound = items.filter((_, number) => !isSound(number)).length
  await eventually(async () => (await listRead()).filter(({ failures }) => failures > 0).length === unsound)
  for (const { number, events, failures } of await listRead()) {
    assert.equal(events, isSound(number) ? UNREAD : 0, `item ${number}`)
    assert.equal(failures > 0, !isSound(number), `item ${number} has failed ${failures} times`)
  }
  assert.deepEqual((await readCalls(simulator.url)).refused, {})
})

async function listRead() {
  const rows = await db.reader<{ number: number; events: number; failures: number }[]>`
    select substring(publisher_user_id from 6)::int as number, count(event_id)::int as events, sync_failures as failures
    from linker_items join users using (user_id) left join source_events using (user_id)
    group by publisher_user_id, sync_failures`
  assert.equal(rows.length, ITEMS)
  return rows
}
