import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { laurel } from '../../cli/test-support.ts'
import { startSimulator } from '../../simulator/index.ts'
import { startService } from '../../src/main.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { setAccount } from '../../src/purchases/linker/index.ts'
import { changeSettings, createPublisher } from '../../src/tenants/publishers/index.ts'
import { CATALOG, startTestApp, type Tenant } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { asService, testDatabase } from '../support/postgres.ts'

// Sandbox and production publishers side by side, with a simulator for each provider environment.

const BANK = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' }
const LIVE = { clientId: 'live-client', secret: 'live-secret' }
const SANDBOX = { clientId: 'laurel', secret: 'laurel' }

/** Starts a proxy that forwards every request and records it. */
async function record(address: string) {
  const sent: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    sent.push(`${incoming.url} ${JSON.stringify(incoming.headers)} ${body}`)
    const { 'content-length': _length, host: _host, connection: _connection, ...headers } = incoming.headers
    const { method = 'POST' } = incoming
    const answer = await fetch(address + incoming.url, { method, headers: headers as Record<string, string>, body })
    outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    outgoing.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, sent, close }
}

const production = await startSimulator({ port: 0, environment: 'production', webhookRetryDelaysMs: [] })
const sandbox = await startSimulator({ port: 0, webhookRetryDelaysMs: [] })
const [toProduction, toSandbox] = [await record(production.url), await record(sandbox.url)]
const app = await startTestApp({
  settings: {
    LAUREL_LINKER: 'plaid',
    LAUREL_PLAID_ENV: 'production',
    LAUREL_PLAID_CLIENT_ID: LIVE.clientId,
    LAUREL_PLAID_SECRET: LIVE.secret,
  },
  linkerUrls: { sandbox: toSandbox.url, production: toProduction.url },
})
const live = await app.tenant({ environment: 'production' })
after(async () => {
  await app.close()
  for (const opened of [toProduction, toSandbox, production, sandbox]) await opened.close()
})
await app.catalog(CATALOG)

async function tell(url: string, path: string, body: object, { clientId, secret } = SANDBOX) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': clientId, 'plaid-secret': secret },
    body: JSON.stringify(body),
  })
  const told = (await answer.json()) as Record<string, string>
  assert.equal(answer.status, 200, JSON.stringify(told))
  return told
}

async function publicToken(url: string, username: string, account = SANDBOX): Promise<string> {
  const options = { override_username: username, override_password: 'pass_good' }
  const wanted = { institution_id: BANK.institution_id, initial_products: ['transactions'], options }
  return String((await tell(url, '/sandbox/public_token/create', wanted, account))['public_token'])
}

async function register({ call }: Tenant, publisher_user_id: string): Promise<void> {
  await call('POST', '/users', { publisher_user_id })
  assert.equal((await call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })).status, 200)
}

const bring = ({ call }: Tenant, user: string, public_token: string) =>
  call('POST', `/linker/public-token/${user}`, { public_token, ...BANK })

/** Links a card for this publisher and buys with it. A webhook from the simulator announces the purchase. */
async function purchase(tenant: Tenant, simulator: string, account: typeof SANDBOX) {
  await register(tenant, 'ada')
  const { status, body } = await tenant.call('GET', '/linker/link-token/ada?hosted=true')
  assert.equal(status, 200, JSON.stringify(body))
  const linked = await bring(tenant, 'ada', await publicToken(simulator, 'ada', account))
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  const account_id = linked.body.linked_cards[0].account_id
  const bought = { account_id, merchant: 'Corner Market', amount: 40, pending: false }
  await tell(simulator, '/_sim/purchases', bought)
  await eventually(async () => {
    const { body: page } = await tenant.call('GET', '/transactions?publisher_user_id=ada')
    return page.content.length === 1 && page.content[0].user_cashback > 0
  })
  return body
}

test('users in both environments link and earn side by side, each environment with its own provider', async () => {
  const atProduction = await purchase(live, production.url, LIVE)
  const atSandbox = await purchase(app, sandbox.url, SANDBOX)
  assert.match(atProduction.link_token, /^link-production-/)
  assert.match(atProduction.link_url, /\/link\?token=link-production-/)
  assert.match(atSandbox.link_token, /^link-sandbox-/)
  assert.match(atSandbox.link_url, /\/link\?token=link-sandbox-/)
  for (const [sent, own, foreign] of [
    [toProduction.sent, /"access-production-/, /-sandbox-|"plaid-secret":"laurel"/],
    [toSandbox.sent, /"access-sandbox-/, /-production-|live-secret/],
  ] as const) {
    assert(sent.some((request) => own.test(request)))
    assert.deepEqual(
      sent.filter((request) => foreign.test(request)),
      [],
    )
  }
})

test('a token from one environment is rejected in the other and never sent to its provider', async () => {
  const [own, theirs] = [
    { clientId: 'own', secret: 'own-sandbox' },
    { clientId: 'own', secret: 'own-production' },
  ]
  for (const [tenant, account] of [
    [app, own],
    [live, theirs],
  ] as const)
    await app.service.db.transaction((tx) =>
      setAccount(tx, app.service.vault, tenant.publisher.id, { ...account, by: 'test', force: false }, new Date()),
    )
  const cases = [
    { tenant: live, foreign: sandbox.url, account: own, sent: toProduction.sent },
    { tenant: app, foreign: production.url, account: theirs, sent: toSandbox.sent },
  ]
  for (const { tenant, foreign, account, sent } of cases) {
    const first = await publicToken(foreign, 'eve', account)
    const { access_token = '' } = await tell(foreign, '/item/public_token/exchange', { public_token: first }, account)
    const second = await publicToken(foreign, 'eve', account)
    const answers = [
      await bring(tenant, 'ada', second),
      await tenant.call('POST', '/linker/access-token', {
        publisher_user_id: 'ada',
        provider_access_token: access_token,
        ...BANK,
      }),
    ]
    for (const { status, body } of answers)
      assert.deepEqual([status, body.code], [422, 'linker_token_rejected'], JSON.stringify(body))
    assert.equal(
      sent.some((request) => request.includes(access_token) || request.includes(second)),
      false,
    )
  }
})

const quiet = { log: createLog('silent'), drainMs: 0 }
const { url } = await testDatabase('environments')
const env = {
  DATABASE_URL: asService(url),
  PORT: '0',
  LAUREL_DEMO: '0',
  LAUREL_MASTER_KEY: 'MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=',
}
const plaid = { ...env, LAUREL_LINKER: 'plaid', LAUREL_PLAID_CLIENT_ID: 'id', LAUREL_PLAID_SECRET: 'secret' }

test('`start` and `doctor` reject production publishers that only a simulator or the sandbox would serve', async () => {
  const db = openDatabase(url, { connections: 1 })
  const start = async (settings: Record<string, string>) => (await startService(readConfig(settings), quiet)).close()
  const seen = async (settings: Record<string, string>) => {
    const { stdout } = await laurel(['doctor', '--json'], settings)
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'environments')
  }
  try {
    await start(env)
    assert.equal((await seen(env)).ok, true)
    const { id } = await db.transaction((tx) =>
      createPublisher(tx, { name: 'Going live', environment: 'production' }, systemClock.now()),
    )
    for (const settings of [env, plaid, { ...env, LAUREL_LINKER_URL: sandbox.url }]) {
      await assert.rejects(start(settings), /\(Going live\) need .*LAUREL_PLAID_ENV=production/)
      const { ok, detail, remedy } = await seen(settings)
      assert.deepEqual([ok, detail], [false, 'production publishers cannot link cards: Going live'])
      assert.match(remedy, /LAUREL_PLAID_ENV=production/)
    }
    await start({ ...plaid, LAUREL_PLAID_ENV: 'production' })
    assert.equal((await seen({ ...plaid, LAUREL_PLAID_ENV: 'production' })).ok, true)
    // A card issuer's users link no cards, nor do the users of a publisher that has only affiliate links.
    for (const settings of [{ ownCardFeed: true }, { ownCardFeed: false, linksCards: false }]) {
      await db.transaction((tx) => changeSettings(tx, id, settings))
      await start(env)
      assert.equal((await seen(env)).ok, true)
    }
  } finally {
    await db.close()
  }
})
