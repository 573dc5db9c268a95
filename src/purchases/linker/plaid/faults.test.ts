import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { startSimulator } from '../../../../simulator/index.ts'
import { renderMetrics } from '../../../platform/telemetry/metrics.ts'
import { type FaultKind, ProviderFault } from '../provider.ts'
import { openPlaid } from './provider.ts'

const simulator = await startSimulator({ port: 0, webhookRetryDelaysMs: [] })
after(() => simulator.close())

const account = { clientId: 'faults-test', secret: `planted-${randomBytes(12).toString('hex')}` }
const opened = {
  address: simulator.url,
  ...account,
  isSimulator: true,
  environment: 'sandbox' as const,
  breaker: { failuresMax: 1_000_000 },
}
const healthy = openPlaid(opened)
// Long enough for an answer on a slow machine.
const patient = openPlaid({ ...opened, deadlineMs: 60_000 })
const hasty = openPlaid({ ...opened, deadlineMs: 2_000 })

async function atSimulator(method: string, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${simulator.url}${path}`, {
    method,
    headers: {
      'plaid-client-id': account.clientId,
      'plaid-secret': account.secret,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  assert(answer.ok, `${path} ${answer.status}`)
  return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
}

async function newPublicToken(): Promise<string> {
  const options = { override_username: 'user_good', override_password: 'pass_good' }
  const wanted = { institution_id: 'ins_109508', initial_products: ['transactions'], options }
  return String((await atSimulator('POST', '/sandbox/public_token/create', wanted))['public_token'])
}

// Unlike the service's own log, this log redacts nothing, because no secret may reach a log in the first place.
const logged: string[] = []
const sink = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const log = pino({ level: 'trace' }, sink)

const kinds: readonly [fault: { kind: string; ms?: number; error_code?: string }, expected: readonly FaultKind[]][] = [
  [{ kind: 'latency', ms: 600_000 }, ['timeout']],
  [{ kind: 'rate_limited' }, ['unavailable']],
  [{ kind: 'server_error' }, ['unavailable']],
  [{ kind: 'bad_gateway' }, ['unavailable']],
  [{ kind: 'html' }, ['garbled']],
  // A body shorter than its declared length may look like a broken connection.
  [{ kind: 'truncated' }, ['garbled', 'unavailable']],
  [{ kind: 'stalled' }, ['timeout']],
  [{ kind: 'dropped' }, ['unavailable']],
  [{ kind: 'lost_answer' }, ['unavailable']],
  [{ kind: 'error', error_code: 'ITEM_LOGIN_REQUIRED' }, ['refused']],
]

for (const [fault, expected] of kinds) {
  test(`a call that ends with ${fault.kind} throws a fault that contains no secrets`, async () => {
    const { accessToken } = await healthy.exchangePublicToken(await newPublicToken())
    const publicToken = await newPublicToken()
    const provider = expected.includes('timeout') ? hasty : patient
    const repair = {
      redirectUri: null,
      androidPackageName: null,
      client: {
        name: 'Corner Shop',
        language: 'en',
        countries: ['US'],
        products: ['transactions'],
        accountFilters: {},
      },
      hosted: null,
      webhook: null,
      clientUserId: 'u',
      accessToken,
    }
    await atSimulator('POST', '/_sim/faults', { ...fault, times: 0 })
    const calls: readonly (() => Promise<unknown>)[] = [
      () => provider.listAccounts(accessToken),
      () => provider.getItem(accessToken),
      () => provider.readFeed(accessToken, null),
      () => provider.setWebhook(accessToken, 'https://laurel.example/linker/webhooks'),
      () => provider.createLinkToken(repair),
      () => provider.exchangePublicToken(publicToken),
    ]
    const ended = await Promise.allSettled(calls.map((call) => call()))
    await atSimulator('DELETE', '/_sim/faults')
    const secrets = [account.secret, accessToken, publicToken].flatMap((secret) => [secret, secret.slice(-36)])
    for (const end of ended) {
      assert.equal(end.status, 'rejected')
      const { reason } = end
      assert(reason instanceof ProviderFault, inspect(reason))
      assert(expected.includes(reason.kind), `${reason.kind} ${reason.code}`)
      log.error({ err: reason, whole: reason }, 'a call failed')
      const everything = [inspect(reason, { depth: 20, showHidden: true }), ...logged.splice(0)].join('\n')
      assert(everything.includes('a call failed'))
      for (const secret of secrets) assert(!everything.includes(secret), everything)
    }
    const { text } = await renderMetrics()
    for (const secret of secrets) assert(!text.includes(secret))
  })
}

test('a removal whose response is lost has still taken effect, and one more call confirms it', async () => {
  const { accessToken } = await healthy.exchangePublicToken(await newPublicToken())
  await atSimulator('POST', '/_sim/faults', { kind: 'lost_answer', path: '/item/remove' })
  await patient.removeItem(accessToken)
  const gone = await patient.listAccounts(accessToken).catch((error: unknown) => error)
  assert(gone instanceof ProviderFault && gone.kind === 'refused', inspect(gone))
})

test('an exchange whose response is lost is not retried, because the token would be rejected', async () => {
  await atSimulator('DELETE', '/_sim/calls')
  await atSimulator('POST', '/_sim/faults', { kind: 'lost_answer', path: '/item/public_token/exchange' })
  const fault = await patient.exchangePublicToken(await newPublicToken()).catch((error: unknown) => error)
  assert(fault instanceof ProviderFault && fault.kind === 'unavailable', inspect(fault))
  const { calls } = (await atSimulator('GET', '/_sim/calls')) as { calls: Record<string, number> }
  assert.equal(calls['/item/public_token/exchange'], 1)
})

for (const kind of ['server_error', 'bad_gateway', 'html', 'truncated', 'dropped', 'lost_answer']) {
  test(`a read that fails once with ${kind} succeeds`, async () => {
    const { accessToken } = await healthy.exchangePublicToken(await newPublicToken())
    await atSimulator('POST', '/_sim/faults', { kind, path: '/accounts/get' })
    assert((await healthy.listAccounts(accessToken)).length > 0)
  })
}
