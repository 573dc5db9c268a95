import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { dataFolder, laurel, laurelJson, PROGRAM } from '../../cli/test-support.ts'
import { startSimulator } from '../../simulator/index.ts'
import { importCatalog } from '../../src/catalog/catalog/index.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { createApiKey } from '../../src/tenants/access/index.ts'
import { changeSettings, createPublisher } from '../../src/tenants/publishers/index.ts'
import { publishTerms } from '../../src/users/terms/index.ts'
import { CATALOG, type Call, makeCaller } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { databaseEnvironment, testDatabase } from '../support/postgres.ts'
import { endProcesses, type Process, startProcess } from './processes.ts'

// Replaces the master key while the API and the worker run in separate processes and publishers keep calling. The
// rotation is killed halfway and started twice, and the key is in the data folder or in the settings.

type Simulator = Awaited<ReturnType<typeof startSimulator>>
let db: Database
let simulator: Simulator
let receiver: Server
let call: Call
let api: Process
let worker: Process
let tncId: number
let settings: Record<string, string>
const dataDir = await dataFolder()
const delivered: string[] = []
const bank = 'ins_109508'

before(async () => {
  const { url } = await testDatabase('master_key')
  db = openDatabase(url)
  simulator = await startSimulator({ port: 0 })
  // The receiver runs on this machine, which a worker may not call by default.
  settings = {
    DATABASE_URL: url,
    LAUREL_DATA_DIR: dataDir,
    LAUREL_LINKER_URL: simulator.url,
    LAUREL_WEBHOOK_PRIVATE_ADDRESSES: '1',
  }
  receiver = createServer(async (request, response) => {
    delivered.push(await text(request))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  api = await startProcess({ ...settings, LAUREL_ROLE: 'api' })
  worker = await startProcess({ ...settings, LAUREL_ROLE: 'worker' })
  const now = new Date()
  await importCatalog(db, { format: 'json', text: JSON.stringify(CATALOG) })
  const apiKey = await db.transaction(async (tx) => {
    const made = await createPublisher(tx, { name: 'Rotating', environment: 'sandbox' }, now)
    const open = await changeSettings(tx, made.id, {
      readsPerSecond: 100_000,
      writesPerSecond: 100_000,
      eventsPerSecond: 100_000,
    })
    const terms = { url: 'https://example.com/terms', revision: '1', requiredFrom: new Date(0) }
    tncId = (await publishTerms(tx, terms, now)).documentId
    return (await createApiKey(tx, open, null, now)).apiKey
  })
  call = makeCaller(api.url ?? '', apiKey)
})

after(async () => {
  await endProcesses()
  receiver.closeAllConnections()
  receiver.close()
  await simulator.close()
  await db.close()
})

/** Stops the service gracefully, which lets the rotation know immediately that the service has stopped. */
async function stopService(): Promise<void> {
  await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')])
}

async function ok(...asked: Parameters<Call>) {
  const answer = await call(...asked)
  assert.equal(answer.status, 200, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function atSimulator(path: string, body: object) {
  const response = await fetch(`${simulator.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, string>
}

/** Creates a user with a linked card, and returns the account ID. */
async function link(publisher_user_id: string): Promise<string> {
  await ok('POST', '/users', { publisher_user_id })
  await ok('POST', '/terms/accept', { publisher_user_id, tnc_id: tncId })
  // A separate login, because an account can be linked for only one user.
  const options = { override_username: `login_${publisher_user_id}`, override_password: 'pass_good' }
  const wish = { institution_id: bank, initial_products: ['transactions'], options }
  const { public_token } = await atSimulator('/sandbox/public_token/create', wish)
  const arrived = { public_token, institution_id: bank, institution_name: 'Bank' }
  await ok('POST', `/linker/public-token/${publisher_user_id}`, arrived)
  const { linked_institutions } = await ok('GET', `/linker/linked-cards/${publisher_user_id}`)
  return linked_institutions[0].linked_cards[0].account_id
}

const makePurchase = (publisher_user_id: string, external_id: string) => ({
  publisher_user_id,
  external_id,
  source: 'GIFT_CARD',
  offer_uid: 'offer-gadgets-gift',
  amount: 25,
})

// Leaves CPU time for the processes under test.
const PAUSE_MS = 50

/**
 * Starts callers that constantly seal and open secrets: stored responses, webhook secrets and tokens of linked cards.
 * None of their calls may fail.
 */
function startWork(endpointId: string) {
  let stopped = false
  const done = { answers: 0, secrets: 0, links: 0 }
  const run = randomBytes(4).toString('hex')
  const answers = async (caller: number): Promise<void> => {
    await ok('POST', '/users', { publisher_user_id: `${run}-${caller}` })
    await ok('POST', '/terms/accept', { publisher_user_id: `${run}-${caller}`, tnc_id: tncId })
    for (let count = 0; !stopped; count++) {
      const headers = { 'Idempotency-Key': `${run}-${caller}-${count}` }
      const sent = [
        'POST',
        '/transactions',
        makePurchase(`${run}-${caller}`, `${run}-${caller}-${count}`),
        headers,
      ] as const
      assert.deepEqual(await ok(...sent), await ok(...sent))
      done.answers++
      await setTimeout(PAUSE_MS)
    }
  }
  const secrets = async (): Promise<void> => {
    for (; !stopped; done.secrets++) {
      await ok('POST', `/webhooks/endpoints/${endpointId}/rotate-secret`)
      await setTimeout(PAUSE_MS)
    }
  }
  const links = async (): Promise<void> => {
    for (; !stopped; done.links++) {
      await link(`${run}-link-${done.links}`)
      await ok('GET', `/linker/auth-token/${bank}/${run}-link-${done.links}`)
      await setTimeout(PAUSE_MS)
    }
  }
  const running = Promise.all([answers(1), answers(2), answers(3), secrets(), links()])
  let failure: unknown = null
  running.catch((error: unknown) => {
    failure = error
  })
  return {
    done,
    reach: (answers: number, links: number) =>
      eventually(async () => {
        if (failure !== null) throw failure
        return done.answers >= answers && done.links >= links
      }),
    stop: async () => {
      stopped = true
      await running
    },
  }
}

/**
 * Runs the command in a separate process, and returns once a line of its progress output matches, so that it can be
 * killed at that point.
 */
async function rotateUntil(line: RegExp, ...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'secrets', 'rotate', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], ...databaseEnvironment(), ...settings },
  })
  const ended = once(child, 'exit')
  process.once('exit', () => child.kill('SIGKILL'))
  const lines: string[] = []
  const reached = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (heard) => {
      lines.push(heard)
      if (line.test(heard)) resolve()
    })
    ended.then(() => reject(new Error(`it ended before:\n${lines.join('\n')}`)))
  })
  await reached
  return { child, ended }
}

type Status = { keys: { key_id: string; state: string; records: number }[]; columns: { key_id: string }[] }
const findByState = ({ keys }: Status, state: string) => keys.find((key) => key.state === state)
const QUICK = ['--pages', '4', '--settle', '3000']

test('a key rotation that is killed and resumed causes no failed requests and retires the old key', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const endpoint = await ok('POST', '/webhooks/endpoints', { url })
  const account_id = await link('ada')
  const oldFile = await readFile(join(dataDir, 'master.key'), 'utf8')
  const before: Status = await laurelJson(['secrets', 'status'], settings)
  const old = findByState(before, 'sealing')?.key_id ?? ''
  const work = startWork(endpoint.endpoint_id)
  await work.reach(12, 1)

  const killed = await rotateUntil(/^wrap/, '--settle', '3000', '--pages', '1', '--pause', '600000')
  const second = await laurel(['secrets', 'rotate'], settings)
  assert.deepEqual([second.code, /Another rotation is in progress/.test(second.stderr)], [1, true])
  killed.child.kill('SIGKILL')
  await killed.ended
  const between: Status = await laurelJson(['secrets', 'status'], settings)
  assert.equal(findByState(between, 'closing')?.key_id, old)
  assert((findByState(between, 'closing')?.records ?? 0) > 0, 'it was killed before it was done')
  const next = findByState(between, 'sealing')?.key_id ?? ''
  await work.reach(work.done.answers + 8, work.done.links + 1)

  const resumed = await laurelJson(['secrets', 'rotate', ...QUICK], settings)
  assert.deepEqual([resumed.resumed, resumed.key_id, resumed.wrapped > 0], [true, next, true])
  await work.stop()
  const after: Status = await laurelJson(['secrets', 'status'], settings)
  assert.deepEqual([findByState(after, 'retired')?.key_id, findByState(after, 'retired')?.records], [old, 0])
  assert.deepEqual([...new Set(after.columns.map((column) => column.key_id))], [next])
  const newFile = await readFile(join(dataDir, 'master.key'), 'utf8')
  assert.equal(newFile.trim().split('\n').length, 1)
  assert.notEqual(newFile, oldFile)

  // Secrets sealed before the rotation still work, even in the worker.
  const bought = await atSimulator('/_sim/purchases', {
    account_id,
    amount: 12.5,
    merchant: 'Corner Market',
    pending: false,
  })
  assert(bought['transaction_id'] !== undefined, JSON.stringify(bought))
  await eventually(async () => delivered.some((body) => body.includes('"ada"') && body.includes('transaction.created')))
})

test('rotating a key in the settings takes two restarts: with both keys, then with only the new one', async () => {
  await stopService()
  // The killed rotation would count as running for half a minute after its last heartbeat.
  await db.reader`delete from key_holders`
  const old = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim()
  const next = randomBytes(32).toString('base64')
  settings = { ...settings, LAUREL_DATA_DIR: join(dataDir, 'other'), LAUREL_MASTER_KEY: old }
  const unready = await laurel(['secrets', 'rotate'], settings)
  assert.deepEqual([unready.code, /LAUREL_MASTER_KEY=NEW,OLD/.test(unready.stderr)], [1, true])

  settings = { ...settings, LAUREL_MASTER_KEY: `${next},${old}` }
  const url = new URL(api.url ?? '')
  api = await startProcess({ ...settings, LAUREL_ROLE: 'api', PORT: url.port })
  worker = await startProcess({ ...settings, LAUREL_ROLE: 'worker' })
  const endpoint = (await ok('GET', '/webhooks/endpoints')).content[0]
  const work = startWork(endpoint.endpoint_id)
  await work.reach(10, 1)
  const rotation = await laurelJson(['secrets', 'rotate', ...QUICK], settings)
  await work.reach(work.done.answers + 10, work.done.links + 1)
  await work.stop()
  assert.deepEqual([...new Set((rotation as Status).columns.map((column) => column.key_id))], [rotation.key_id])

  const refused = await laurel(['publishers', 'list'], { ...settings, LAUREL_MASTER_KEY: old })
  assert.deepEqual([refused.code, /is not the one that this database/.test(refused.stderr)], [2, true])
  const report = JSON.parse((await laurel(['doctor', '--json'], { ...settings, LAUREL_MASTER_KEY: old })).stdout)
  const check = report.checks.find((one: { name: string }) => one.name === 'secrets')
  assert.deepEqual([check.ok, check.detail], [false, 'a master key is missing'])
  const running = report.checks.find((one: { name: string }) => one.name === 'worker')
  assert.match(running.detail, /^worker \(process \d+ on [^,]+\)$/)

  await stopService()
  settings = { ...settings, LAUREL_MASTER_KEY: next }
  api = await startProcess({ ...settings, LAUREL_ROLE: 'api', PORT: url.port })
  await ok('GET', `/linker/auth-token/${bank}/ada`)
})
