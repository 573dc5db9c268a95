import assert from 'node:assert/strict'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { renderMetrics } from '../../../platform/telemetry/metrics.ts'
import { type Provider, ProviderFault } from '../provider.ts'
import type { CallSlot } from '../schedule/pacing-queries.ts'
import { openPlaid, type PlaidOptions } from './provider.ts'

const servers: ReturnType<typeof createServer>[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a provider that returns these answers one after another and then repeats the last one. */
async function providerThat(answers: readonly RequestListener[], options: Partial<PlaidOptions> = {}) {
  const seen = { paths: [] as string[], sockets: 0 }
  const server = createServer((request, response) => {
    const answer = answers[Math.min(seen.paths.length, answers.length - 1)]
    seen.paths.push(request.url ?? '')
    request.resume().on('end', () => answer?.(request, response))
  })
  server.on('connection', () => seen.sockets++)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = {
    clientId: 'id',
    secret: 'planted-secret',
    isSimulator: false,
    environment: 'sandbox' as const,
  }
  return { provider: openPlaid({ address, ...account, ...options }), seen }
}

const send = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const answering =
  (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void send(response, status, body, headers)
const hangUp: RequestListener = (request) => void request.socket.destroy()
const fails = answering(500, { error_type: 'API_ERROR', error_code: 'INTERNAL_SERVER_ERROR' })
const broken = answering(400, { error_type: 'ITEM_ERROR', error_code: 'ITEM_LOGIN_REQUIRED' })
const bankDown = answering(400, { error_type: 'INSTITUTION_ERROR', error_code: 'INSTITUTION_DOWN' })
const limits = (headers: Record<string, string> = {}) =>
  answering(429, { error_type: 'RATE_LIMIT_EXCEEDED', error_code: 'TRANSACTIONS_SYNC_LIMIT' }, headers)
const accounts = answering(200, {
  accounts: [{ account_id: 'a', name: 'Card', mask: null, type: 'credit', subtype: null }],
})
const page = answering(200, { accounts: [], added: [], modified: [], removed: [], next_cursor: 'c', has_more: false })

const catchFault = (call: Promise<unknown>): Promise<ProviderFault> =>
  call.then(
    () => assert.fail('the call went well'),
    (error) => {
      assert(error instanceof ProviderFault, String(error))
      return error
    },
  )

const wish = {
  clientUserId: 'u',
  webhook: null,
  redirectUri: null,
  androidPackageName: null,
  client: { name: 'Corner Shop', language: 'en', countries: ['US'], products: ['transactions'], accountFilters: {} },
  hosted: null,
  accessToken: null,
}
const repeated: readonly [what: string, call: (provider: Provider) => Promise<unknown>, times: number][] = [
  ['an exchange, which works once', (provider) => provider.exchangePublicToken('public'), 1],
  ['a link token', (provider) => provider.createLinkToken(wish), 3],
  ['a removal', (provider) => provider.removeItem('access'), 3],
  ['a webhook address', (provider) => provider.setWebhook('access', 'https://laurel.example'), 3],
  ['a reading', (provider) => provider.readFeed('access', null), 3],
]
for (const [what, call, times] of repeated) {
  test(`a call without a response is tried ${times === 1 ? 'once' : `${times} times`}: ${what}`, async () => {
    for (const answer of [hangUp, fails]) {
      const { provider, seen } = await providerThat([answer])
      const fault = await catchFault(call(provider))
      assert.equal(fault.kind, 'unavailable')
      assert.equal(seen.paths.length, times)
    }
  })
}

test('a rejected call is never retried', async () => {
  const { provider, seen } = await providerThat([broken])
  assert.equal((await catchFault(provider.listAccounts('access'))).code, 'ITEM_LOGIN_REQUIRED')
  assert.equal(seen.paths.length, 1)
})

test('a removal whose response was lost counts as done if the item is unknown', async () => {
  const gone = answering(400, { error_type: 'ITEM_ERROR', error_code: 'ITEM_NOT_FOUND' })
  const { provider, seen } = await providerThat([hangUp, gone])
  await provider.removeItem('access')
  assert.equal(seen.paths.length, 2)
})

test('a short Retry-After is honored, and a long one is passed on to the caller', async () => {
  const short = await providerThat([limits({ 'retry-after': '1' }), page])
  assert.equal((await short.provider.patient.readFeed('access', null)).nextCursor, 'c')
  for (const [header, seconds] of [
    ['60', 60],
    ['999999', 3_600],
    ['soon', null],
  ] as const) {
    const { provider, seen } = await providerThat([limits({ 'retry-after': header })])
    const fault = await catchFault(provider.patient.readFeed('access', null))
    assert.deepEqual([fault.symptom, fault.retryAfterSeconds, seen.paths.length], ['limited', seconds, 1])
  }
})

test('a call that a user is waiting for is retried after a rate limit without Retry-After', async () => {
  const { provider, seen } = await providerThat([limits({}), page])
  assert.equal((await provider.readFeed('access', null)).nextCursor, 'c')
  assert.equal(seen.paths.length, 2)
})

test('one deadline covers all attempts of a call', async () => {
  const { provider, seen } = await providerThat([hangUp, () => undefined], { deadlineMs: 3_000 })
  assert.equal((await catchFault(provider.listAccounts('access'))).kind, 'timeout')
  assert.deepEqual(seen.paths, ['/accounts/get', '/accounts/get'])
})

test('a response without a required field is reported as garbled', async () => {
  const calls: readonly [(provider: Provider) => Promise<unknown>, object][] = [
    [(provider) => provider.createLinkToken(wish), { expiration: 'x' }],
    [(provider) => provider.exchangePublicToken('public'), { item_id: 'x' }],
    [(provider) => provider.getItem('access'), { item: {} }],
    [(provider) => provider.listAccounts('access'), { accounts: [{}] }],
    [(provider) => provider.getInstitution('ins', ['US']), {}],
    [
      (provider) => provider.readFeed('access', null),
      { accounts: [], added: [], modified: [], removed: [], next_cursor: 'c' },
    ],
    [
      (provider) => provider.readFeed('access', null),
      { accounts: [], added: [{}], modified: [], removed: [], has_more: false },
    ],
    [(provider) => provider.getWebhookKey('key'), {}],
  ]
  for (const [call, body] of calls) {
    const { provider } = await providerThat([answering(200, body)])
    const fault = await catchFault(call(provider))
    assert.deepEqual([fault.kind, fault.code], ['garbled', 'NOT_THE_CONTRACT'], JSON.stringify(body))
  }
})

test('calls stop while the provider is down, report when to retry, and resume once it is up', async () => {
  const breaker = { failuresMax: 2, firstPauseMs: 3_600_000 }
  const { provider, seen } = await providerThat([fails], { breaker, label: 'down-for-an-hour' })
  for (let count = 0; count < 2; count++) await catchFault(provider.exchangePublicToken('public'))
  const spared = await catchFault(provider.patient.readFeed('access', null))
  assert.deepEqual([spared.kind, spared.code, spared.symptom], ['unavailable', 'CIRCUIT_OPEN', 'spared'])
  assert.equal(spared.retryAfterSeconds, 3_600)
  assert.equal(seen.paths.length, 2, 'a call was made while the breaker was open')
  // Another account of the same provider has its own breaker.
  const own = provider.under({ clientId: 'own', secret: 'own', account: 'own', label: 'own' })
  assert.equal((await catchFault(own.exchangePublicToken('public'))).code, 'INTERNAL_SERVER_ERROR')
  const { text } = await renderMetrics()
  assert.match(text, /laurel_linker_breaker_state\{environment="sandbox",account="publishers"\} 2/)
  assert(!text.includes('down-for-an-hour'), 'a label names a publisher')
  assert.match(
    text,
    /laurel_linker_calls_total\{environment="sandbox",operation="transactions\/sync",outcome="spared"\} 1/,
  )
  assert(!text.includes('planted-secret'))

  const back = await providerThat([hangUp, hangUp, accounts], { breaker: { failuresMax: 2, firstPauseMs: 0 } })
  for (let count = 0; count < 2; count++) await catchFault(back.provider.exchangePublicToken('public'))
  assert.equal((await back.provider.listAccounts('access')).length, 1)
})

test('rejections, bank outages and rate limits never open the circuit breaker', async () => {
  for (const answer of [broken, bankDown, limits()]) {
    const { provider, seen } = await providerThat([answer], { breaker: { failuresMax: 2, firstPauseMs: 3_600_000 } })
    for (let count = 0; count < 6; count++) await catchFault(provider.patient.readFeed('access', null))
    assert.equal(seen.paths.length, 6)
  }
})

test('calls share sockets, but an exchange, which cannot be repeated, gets its own', async () => {
  const { provider, seen } = await providerThat([accounts])
  for (let count = 0; count < 20; count++) await provider.listAccounts('access')
  assert.equal(seen.sockets, 1)
  await catchFault(provider.exchangePublicToken('public'))
  assert.equal(seen.sockets, 2)
})

test('only patient calls wait for a slot, and they are skipped if no slot is free soon', async () => {
  const asked: string[] = []
  const postponed: string[] = []
  const pacing = {
    reserve: async (account: string, operation: string, perMinute: number): Promise<CallSlot> => {
      asked.push(`${account} ${operation} ${perMinute}`)
      return operation === 'item/get' ? { isReserved: false, inMs: 7_001 } : { isReserved: true, inMs: 0 }
    },
    postpone: async (account: string, operation: string, pauseMs: number) => {
      postponed.push(`${account} ${operation} ${pauseMs}`)
    },
  }
  const pace = { perMinute: { 'transactions/sync': 2_500, 'item/get': 100 }, pacing }
  const answers = [page, limits(), limits(), limits({ 'retry-after': '30' }), fails]
  const breaker = { failuresMax: 3, firstPauseMs: 3_000 }
  const { provider, seen } = await providerThat(answers, { pace, breaker })
  await provider.patient.readFeed('access', null)
  assert.deepEqual(asked, ['sandbox transactions/sync 2500'])
  const none = await catchFault(provider.patient.getItem('access'))
  assert.deepEqual([none.code, none.symptom, none.retryAfterSeconds], ['OWN_LIMIT', 'spared', 8])
  assert.equal(seen.paths.length, 1)
  // The operation is paused, for longer after each rate limit without Retry-After.
  for (let count = 0; count < 3; count++) await catchFault(provider.exchangePublicToken('public'))
  assert.deepEqual(postponed.splice(0), [
    'sandbox item/public_token/exchange 5000',
    'sandbox item/public_token/exchange 10000',
    'sandbox item/public_token/exchange 30000',
  ])
  assert.equal(asked.length, 2, 'a prompt call waited for a slot')
  // An open breaker pauses the entire account, which also stops every process from claiming its work.
  await catchFault(provider.readFeed('access', null))
  assert.deepEqual(postponed, ['sandbox * 3000'])
})
