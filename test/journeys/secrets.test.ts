import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { setAccount } from '../../src/purchases/linker/index.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { createApiKey } from '../../src/tenants/access/index.ts'
import { CATALOG, makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// Puts secrets into every input, runs a complete journey, then searches for them in everything stored, displayed or
// sent: in plain text, hexadecimal and base64.

let app: TestApp
let receiver: Server
const logged: string[] = []
const delivered: string[] = []
const answered: string[] = []
const mark = (name: string) => `planted-${name}-${randomBytes(9).toString('hex')}`
/** Values that must not appear anywhere. */
const secrets = new Map<string, string>()
/** Values that may be stored and returned to their publisher, but never logged. */
const personal = new Map<string, string>([
  ['user', mark('user')],
  ['email', `${mark('email')}@example.com`],
  ['attribute', mark('attribute')],
  ['merchant', mark('merchant')],
])
const bank = 'ins_109508'

before(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  // Bypasses the service's log redaction, because secrets should not reach a log in the first place.
  app = await startTestApp({ log: pino({ level: 'trace' }, sink) })
  await app.catalog(CATALOG)
  receiver = createServer(async (request, response) => {
    delivered.push(await text(request))
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})

after(async () => {
  await app.close()
  receiver.close()
})

async function atSimulator(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${app.simulatorUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, string>
}

async function publicToken(name: string): Promise<string> {
  const wish = {
    institution_id: bank,
    initial_products: ['transactions'],
    options: { override_username: 'user_plain', override_password: 'pass_good' },
  }
  const token = (await atSimulator('/sandbox/public_token/create', wish))['public_token'] ?? ''
  secrets.set(name, token)
  return token
}

/** Makes a call and records the response for the search. Calls that legitimately reveal a secret once do not use it. */
async function call(...asked: Parameters<TestApp['call']>): Promise<Awaited<ReturnType<TestApp['call']>>> {
  const answer = await app.call(...asked)
  answered.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]))
  return answer
}

test('a complete journey runs with a secret in every field that accepts one', async () => {
  const { publisher, service } = app
  secrets.set('api key', app.apiKey)
  const second = await service.db.transaction((tx) => createApiKey(tx, publisher, null, new Date()))
  secrets.set('second api key', second.apiKey)
  const user = personal.get('user') ?? ''
  const email = personal.get('email') ?? ''
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const endpoint = await app.call('POST', '/webhooks/endpoints', { url }, { 'Idempotency-Key': 'endpoint' })
  secrets.set('first webhook secret', endpoint.body.secret)
  const rotated = await app.call('POST', `/webhooks/endpoints/${endpoint.body.endpoint_id}/rotate-secret`)
  secrets.set('webhook secret', rotated.body.secret)
  await call('GET', '/webhooks/endpoints')
  await call('POST', '/users', { publisher_user_id: user, email, attributes: { note: personal.get('attribute') } })
  await call('POST', '/terms/accept', { publisher_user_id: user, tnc_id: app.tncId })
  const linking = { institution_id: bank, institution_name: 'Bank' }
  const link = await call('POST', `/linker/public-token/${user}`, {
    ...linking,
    public_token: await publicToken('public token'),
  })
  assert.equal(link.status, 200)
  const account = { clientId: 'laurel', secret: 'laurel', by: 'test', force: false }
  await app.service.db.transaction((tx) => setAccount(tx, app.service.vault, app.publisher.id, account, new Date()))
  const { access_token = '' } = await atSimulator('/item/public_token/exchange', {
    public_token: await publicToken('own public token'),
  })
  secrets.set('access token', access_token)
  const own = { publisher_user_id: user, ...linking, provider_access_token: access_token }
  assert.equal((await call('POST', '/linker/access-token', own, { 'Idempotency-Key': 'own' })).status, 200)
  const account_id = link.body.linked_cards[0].account_id
  const purchase = {
    publisher_user_id: user,
    external_id: 'p-1',
    merchant_name: personal.get('merchant'),
    amount: 50,
    account_id,
  }
  assert.equal((await call('POST', '/transactions', { ...purchase, brand_uid: 'brand-market' })).status, 200)
  for (const path of [
    `/users?email=${email}`,
    `/users/${user}`,
    `/linker/linked-cards/${user}`,
    '/transactions',
    '/reports/transactions',
  ])
    assert.equal((await call('GET', path)).status, 200, path)
  await call('DELETE', `/linker/access-token/${user}/${bank}`)
  await call('POST', '/sandbox/clock', { advance_days: 40 })
})

test('secrets that are rejected or sent to the wrong place are never echoed', async () => {
  const { service } = app
  const user = personal.get('user') ?? ''
  for (const name of [
    'refused access token',
    'refused public token',
    'misplaced key',
    'network secret',
    'wrong network secret',
  ])
    secrets.set(name, mark(name.replaceAll(' ', '-')))
  const secret = (name: string) => secrets.get(name) ?? ''
  const linking = { institution_id: bank, institution_name: 'Bank' }
  const refused = [
    await call('POST', '/linker/access-token', {
      publisher_user_id: user,
      ...linking,
      provider_access_token: secret('refused access token'),
    }),
    await call('POST', `/linker/public-token/${user}`, { ...linking, public_token: secret('refused public token') }),
    await call('POST', '/linker/access-token', {
      publisher_user_id: user,
      ...linking,
      provider_access_token: [secret('refused access token')],
    }),
    await call('POST', `/linker/public-token/${user}`, {
      ...linking,
      public_token: secret('refused public token').repeat(40),
    }),
    await call('POST', '/users', `{"publisher_user_id":"${secret('misplaced key')}`),
    await call('GET', `/users?api_key=${secret('misplaced key')}`),
    await call('GET', '/users', undefined, { Authorization: `Bearer ${secret('misplaced key')}` }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [422, 422, 400, 400, 400, 400, 401],
  )
  await service.db.transaction((tx) =>
    setNetworkSecret(tx, service.vault, 'default', secret('network secret'), new Date()),
  )
  const stranger = makeCaller(service.url, null)
  for (const [name, status] of [
    ['network secret', 200],
    ['wrong network secret', 401],
  ] as const) {
    const inQuery = await stranger(
      'GET',
      `/postbacks/default?secret=${secret(name)}&sub_id=x&order_id=1&amount=1&status=approved`,
    )
    const inBody = await stranger('POST', '/postbacks/default', {
      secret: secret(name),
      sub_id: 'x',
      order_id: '2',
      amount: 1,
      status: 'approved',
    })
    assert.deepEqual([inQuery.status, inBody.status], [status, status])
    answered.push(JSON.stringify([inQuery.body, inBody.body]))
  }
})

/** Returns where these values occur in the text, in plain text, hexadecimal or base64. */
function findings(haystack: string, needles: ReadonlyMap<string, string>): string[] {
  return [...needles].flatMap(([name, secret]) =>
    [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
      .filter((written) => written !== '' && haystack.includes(written))
      .map((written) => `${name}: …${haystack.slice(Math.max(0, haystack.indexOf(written) - 60)).slice(0, 160)}`),
  )
}

// The service obtains some tokens itself, so the test never sees them and recognizes them by their format.
const TOKEN = /(access|public|link)-sandbox-[0-9a-f]{8}/

test('the log contains no secrets, personal data or card data, even at its most verbose level', async () => {
  const whole = logged.join('')
  assert.ok(logged.length >= 20)
  assert.deepEqual(findings(whole, new Map([...secrets, ...personal])), [])
  assert.doesNotMatch(whole, TOKEN)
  assert.doesNotMatch(whole, /"mask"|whsec_|lrl_sandbox_/)
})

test('no response or delivery contains a secret', async () => {
  await eventually(async () => delivered.some((body) => body.includes('card.unlinked')))
  const feed = await app.call('GET', '/events?limit=100')
  const shown = [...answered, ...delivered, JSON.stringify(feed.body)].join('\n')
  assert.deepEqual(findings(shown, secrets), [])
  assert.doesNotMatch(shown, /(access|public)-sandbox-[0-9a-f]{8}/)
})

test('no row in any table contains a usable secret', async () => {
  const { reader } = app.service.db
  const tables = await reader<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await reader<{ row: string }[]>`select t::text as row from ${reader(name)} t`
    const whole = rows.map(({ row }) => row).join('\n')
    found.push(...findings(whole, secrets).map((finding) => `${name}: ${finding}`))
    if (TOKEN.test(whole)) found.push(`${name}: a token`)
  }
  assert.deepEqual(found, [])
})
