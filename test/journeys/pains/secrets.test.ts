import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { FAULT_KINDS, type FaultKind } from '../../../simulator/faults.ts'
import { setAccount } from '../../../src/purchases/linker/index.ts'
import { CATALOG, startTestApp, type Tenant, type TestApp } from '../../support/app.ts'
import {
  ask,
  BANK,
  behave,
  buy,
  control,
  countEvents,
  expectEnd,
  expectRows,
  expectRowsPolling,
  expectValue,
  look,
  type Person,
  personIn,
  provider,
  publicToken,
  standings,
} from './person.ts'

// 14. When a call fails, the official SDK's error contains the client secret and the access token, which ended up in
// logs and error trackers.

const mark = (name: string) => `planted-${name}-${randomBytes(9).toString('hex')}`
const client = { id: mark('client-id'), secret: mark('client-secret') }
const own = { id: mark('own-client-id'), secret: mark('own-secret') }
/** Values that must not appear anywhere, in any encoding. */
const secrets = [client.secret, own.secret]
const logged: string[] = []
const answered: string[] = []
let app: TestApp
let tenant: Tenant

before(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  // Bypasses the service's log redaction, because secrets should not reach a log in the first place.
  app = await startTestApp({
    log: pino({ level: 'trace' }, sink),
    settings: {
      LAUREL_LINKER: 'plaid',
      LAUREL_PLAID_CLIENT_ID: client.id,
      LAUREL_PLAID_SECRET: client.secret,
      LAUREL_PLAID_ENV: 'sandbox',
    },
  })
  await app.catalog(CATALOG)
  const made = await app.tenant()
  const call: Tenant['call'] = async (...asked) => {
    const answer = await made.call(...asked)
    answered.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]))
    return answer
  }
  tenant = { ...made, call }
  const account = { clientId: own.id, secret: own.secret, by: 'test', force: false }
  await app.service.db.transaction((tx) => setAccount(tx, app.service.vault, made.publisher.id, account, new Date()))
})
after(() => app.close())

const fault = (kind: FaultKind, more: object) => ({
  kind,
  times: 0,
  ...(kind === 'error' ? { error_code: 'ITEM_LOGIN_REQUIRED' } : {}),
  ...(kind === 'latency' ? { ms: 10 } : {}),
  // By default, the calls of the entire account would be paused too long for a test.
  ...(kind === 'rate_limited' ? { retry_after: 3 } : {}),
  // Also strikes on the first page.
  ...(kind === 'mutation' ? { skip: 0 } : {}),
  ...more,
})

async function allHaveStruck(): Promise<boolean> {
  const { faults } = await ask(app, 'faults')
  return faults.every((one: { struck: number }) => one.struck > 0)
}

const failures = (what: string) => logged.filter((line) => line.includes(what)).length

let people: Person[] = []

test('logs and responses contain no secrets while calls about logins fail in every possible way', async () => {
  people = await Promise.all(FAULT_KINDS.map((kind) => personIn(app, kind, { tenant, client })))
  await Promise.all(people.map((person) => buy(person, 80)))
  const [first] = people
  assert(first !== undefined)
  await expectRowsPolling(first, 'PENDING 80 4')
  const strike = async (kind: FaultKind) => {
    const item_id = people[FAULT_KINDS.indexOf(kind)]?.itemId
    for (const path of ['/transactions/sync', '/item/get']) await control(app, 'faults', fault(kind, { item_id, path }))
  }
  // These two go last, because every caller then waits for a response or for the account's calls to resume.
  const last: readonly FaultKind[] = ['stalled', 'rate_limited']
  for (const kind of FAULT_KINDS) if (!last.includes(kind)) await strike(kind)
  const seen = failures('a feed could not be read')
  // On a busy machine, a poll may run while a login is still being read. The next poll reads it again.
  const lookAgain = async () => {
    await look(first)
    return allHaveStruck()
  }
  await expectValue(lookAgain, true)
  assert(failures('a feed could not be read') > seen)
  await behave(app)
  for (const kind of last) await strike(kind)
  const looking = look(first)
  await expectValue(allHaveStruck, true)
  await behave(app)
  await looking
  const all = async () => {
    await look(first)
    return Promise.all(people.map(standings))
  }
  await expectValue(
    all,
    people.map(() => ['PENDING 80 4']),
  )
})

test('responses contain no secrets while links fail in every possible way', async () => {
  for (const kind of FAULT_KINDS) {
    const user = `link ${kind}`
    await tenant.call('POST', '/users', { publisher_user_id: user })
    const token = await publicToken(app, { username: user, client })
    secrets.push(token)
    await control(app, 'faults', fault(kind, { path: '/item/public_token/exchange' }))
    await control(app, 'faults', fault(kind, { path: '/link/token/create' }))
    const body = { public_token: token, institution_id: BANK, institution_name: 'Bank' }
    const linkToken = () => tenant.call('GET', `/linker/link-token/${encodeURIComponent(user)}`)
    const calls = Promise.all([
      tenant.call('POST', `/linker/public-token/${encodeURIComponent(user)}`, body),
      linkToken(),
    ])
    await expectValue(allHaveStruck, true)
    await behave(app)
    for (const { status } of await calls) assert(status === 200 || status >= 422)
    // A success in between keeps the circuit breaker closed. If it opened, later faults would never strike.
    await expectValue(async () => (await linkToken()).status, 200)
  }
})

test("whether accepted or rejected, a publisher's own provider tokens and secrets do not leak", async () => {
  const { access_token } = await provider(app, '/item/public_token/exchange', own, {
    public_token: await publicToken(app, { username: 'handed over', client: own }),
  })
  const unknown = mark('access-token')
  secrets.push(String(access_token), unknown)
  await tenant.call('POST', '/users', { publisher_user_id: 'handed over' })
  const body = { publisher_user_id: 'handed over', institution_id: BANK, institution_name: 'Bank' }
  const give = (provider_access_token: unknown) =>
    tenant.call('POST', '/linker/access-token', { ...body, provider_access_token })
  assert.equal((await give(unknown)).status, 422)
  await control(app, 'faults', fault('server_error', { path: '/item/get', client_id: own.id }))
  assert.equal((await give(access_token)).status, 503)
  await behave(app)
  assert.equal((await give(access_token)).status, 200)
})

test('logs contain no secrets while removals of logins fail, and every purchase earns one reward', async () => {
  for (const [index, kind] of FAULT_KINDS.entries())
    await control(app, 'faults', fault(kind, { item_id: people[index]?.itemId, path: '/item/remove' }))
  const gone = people.slice(0, 3)
  for (const person of people) await expectRows(person, 'PENDING 80 4')
  for (const { user } of gone)
    assert.equal((await tenant.call('DELETE', `/linker/access-token/${user}/${BANK}`)).status, 200)
  await expectValue(async () => failures('an item could not be removed') > 0, true)
  await behave(app)
  const [first, ...others] = people
  assert(first !== undefined)
  await expectEnd(first, 4)
  for (const person of others) await expectRows(person, 'EARNED 80 4')
  answered.push(JSON.stringify(await countEvents(first)))
})

test('afterward, no log or response contains a secret', async () => {
  const { items } = await ask(app, 'items')
  for (const { item_id } of items) secrets.push(item_id)
  const all = [...logged, ...answered].join('\n')
  assert(all.includes('a feed could not be read'), 'what is searched is there')
  for (const secret of secrets) {
    const bytes = Buffer.from(secret)
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64url'), encodeURIComponent(secret)])
      assert(!all.includes(form), `${secret.slice(0, 20)}… leaks`)
  }
  assert.doesNotMatch(all, /(access|public)-sandbox-/)
})
