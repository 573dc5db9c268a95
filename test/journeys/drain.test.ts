import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { importCatalog } from '../../src/catalog/catalog/index.ts'
import { verifyLedger } from '../../src/ledger/index.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { createApiKey } from '../../src/tenants/access/index.ts'
import { advanceClock, changeSettings, createPublisher, type Publisher } from '../../src/tenants/publishers/index.ts'
import { publishTerms } from '../../src/users/terms/index.ts'
import { CATALOG, type Call, makeCaller } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/postgres.ts'
import { acknowledged, endProcesses, findFaults, makePurchase, startLoad, startProcess } from './processes.ts'

// Runs real processes, and stops or kills them while they work.

let db: Database
let settings: Record<string, string>
let publisher: Publisher
let apiKey: string
let tncId: number
const CALLERS = 12

before(async () => {
  const { url } = await testDatabase('drain')
  db = openDatabase(url)
  settings = { DATABASE_URL: url, LAUREL_MASTER_KEY: randomBytes(32).toString('base64') }
  const now = new Date()
  await importCatalog(db, { format: 'json', text: JSON.stringify(CATALOG) })
  await db.transaction(async (tx) => {
    const made = await createPublisher(tx, { name: 'Drained', environment: 'sandbox' }, now)
    publisher = await changeSettings(tx, made.id, {
      readsPerSecond: 100_000,
      writesPerSecond: 100_000,
      eventsPerSecond: 100_000,
    })
    apiKey = (await createApiKey(tx, publisher, null, now)).apiKey
    const terms = { url: 'https://example.com/terms', revision: '1', requiredFrom: new Date(0) }
    tncId = (await publishTerms(tx, terms, now)).documentId
  })
})

after(() => db.close())
afterEach(endProcesses)

async function register(call: Call, publisher_user_id: string): Promise<void> {
  assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
  assert.equal((await call('POST', '/terms/accept', { publisher_user_id, tnc_id: tncId })).status, 200)
}

async function recorded(user: string): Promise<Set<string>> {
  const rows = await db.reader<{ name: string }[]>`
    select s.external_id as name from source_events s join users u on u.user_id = s.user_id
    where u.publisher_user_id = ${user}`
  return new Set(rows.map(({ name }) => name))
}

async function booksBalance(): Promise<void> {
  const faults = [
    await verifyLedger(db.reader),
    await verifyRewards(db.reader),
    await verifyTransactions(db.reader, publisher),
  ]
  assert.deepEqual(faults.flat(), [])
}

for (const lines of ['kept open', 'opened each time'] as const) {
  test(`on SIGTERM under load (connections ${lines}), the process answers accepted requests and exits with 0`, async () => {
    const running = await startProcess(settings)
    const url = running.url ?? ''
    const user = `drained ${lines}`
    await register(makeCaller(url, apiKey), user)
    const load = startLoad(url, apiKey, user, { callers: CALLERS, keepAlive: lines === 'kept open' })
    await eventually(async () => load.outcomes.length > 50)
    assert.equal(await running.end('SIGTERM'), 0)
    await load.stop()
    // Callers continue until the server stops listening. The system then resets connections that have not been accepted
    // yet. The service never closes a connection in use.
    for (const fault of findFaults(load)) assert.match(String(fault), /^ECONN(REFUSED|RESET)$/)
    const kept = await recorded(user)
    const answered = acknowledged(load)
    assert.deepEqual(
      answered.filter((name) => !kept.has(name)),
      [],
      'acknowledged and lost',
    )
    assert.equal(kept.size, answered.length, 'done and not acknowledged')
    await booksBalance()
  })
}

test('kill -9 under load loses nothing that was acknowledged, and the next process resumes the work', async () => {
  for (const round of [1, 2]) {
    const user = `killed ${round}`
    const running = await startProcess(settings)
    await register(makeCaller(running.url ?? '', apiKey), user)
    const load = startLoad(running.url ?? '', apiKey, user, { callers: CALLERS, keepAlive: true })
    await eventually(async () => load.outcomes.length > 40 * round)
    assert.equal(await running.end('SIGKILL'), 'SIGKILL')
    await load.stop()
    const kept = await recorded(user)
    assert.deepEqual(
      acknowledged(load).filter((name) => !kept.has(name)),
      [],
    )
    await booksBalance()
    const next = await startProcess(settings)
    const call = makeCaller(next.url ?? '', apiKey)
    // Interrupted requests are resent. Either response is fine, because all that matters is that each purchase counts
    // once.
    for (const { name } of load.outcomes.filter(({ status }) => status === null))
      assert.equal((await call('POST', '/transactions', makePurchase(user, name))).status, 200)
    const { body } = await call('GET', `/users/status/${encodeURIComponent(user)}`)
    assert.equal(body.pending_cashback, load.outcomes.length)
    assert.equal(await next.end('SIGTERM'), 0)
  }
})

test('the API and the worker can run as separate processes on one database', async () => {
  const api = await startProcess({ ...settings, LAUREL_ROLE: 'api' })
  const call = makeCaller(api.url ?? '', apiKey)
  await register(call, 'split')
  const bought = await call('POST', '/transactions', makePurchase('split', 'split-1'))
  assert.deepEqual([bought.status, bought.body.status], [200, 'PENDING'])
  await db.transaction((tx) => advanceClock(tx, publisher, 3 * 86_400_000))
  const standing = async () => (await call('GET', '/users/status/split')).body
  assert.equal((await standing()).available_cashback, 0, 'no worker runs yet')
  const worker = await startProcess({ ...settings, LAUREL_ROLE: 'worker' })
  await eventually(async () => (await standing()).available_cashback === 1)
  await eventually(async () => (await eventTypes(call)).includes('reward.available'))
  assert.equal(await worker.end('SIGTERM'), 0)
  assert.equal(await api.end('SIGTERM'), 0)
  await booksBalance()
})

/** Returns the types of all events that have been numbered. */
async function eventTypes(call: Call): Promise<string[]> {
  const types: string[] = []
  for (let after_ = 0; ; ) {
    const { body } = await call('GET', `/events?after=${after_}&limit=100`)
    types.push(...body.content.map((event: { type: string }) => event.type))
    if (body.next_after === after_) return types
    after_ = body.next_after
  }
}
