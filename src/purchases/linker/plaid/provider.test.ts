import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Refusal } from '../../../platform/refusal.ts'
import { toRefusal } from '../health/login-state.ts'
import { ProviderFault } from '../provider.ts'
import { openPlaid } from './provider.ts'

const SECRET = 'planted-secret'
const TOKEN = 'access-sandbox-planted-token'
// Long enough for an answer on a slow machine.
const PATIENT_MS = 60_000
const HASTY_MS = 1_500

/** Returns the fault that a call throws when the provider behaves like this. */
async function faultFrom(listener: RequestListener, deadlineMs: number): Promise<ProviderFault> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = {
    address,
    clientId: 'id',
    secret: SECRET,
    isSimulator: false,
    environment: 'sandbox' as const,
    deadlineMs,
  }
  try {
    return await openPlaid(options)
      .removeItem(TOKEN)
      .then(
        () => assert.fail('the call went well'),
        (error) => error,
      )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answering = (status: number, body: object): RequestListener => {
  return (_request, answer) =>
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const error = { error_type: 'ITEM_ERROR', error_code: 'ITEM_LOGIN_REQUIRED', error_message: TOKEN, request_id: 'r1' }

const cases: readonly [what: string, listener: RequestListener, kind: string, code: string, refusal: string][] = [
  ['refuses a call', answering(400, error), 'refused', 'ITEM_LOGIN_REQUIRED', 'linker_failed'],
  [
    'rate-limits our calls',
    answering(429, { ...error, error_type: 'RATE_LIMIT_EXCEEDED', error_code: 'TRANSACTIONS_SYNC_LIMIT' }),
    'unavailable',
    'TRANSACTIONS_SYNC_LIMIT',
    'linker_unavailable',
  ],
  [
    'reports an internal failure under any status',
    answering(400, { ...error, error_type: 'API_ERROR', error_code: 'PLANNED_MAINTENANCE' }),
    'unavailable',
    'PLANNED_MAINTENANCE',
    'linker_unavailable',
  ],
  [
    'fails without an error body',
    (_q, answer) => answer.writeHead(502).end('<html>'),
    'unavailable',
    'HTTP_502',
    'linker_unavailable',
  ],
  [
    'responds with an HTML page',
    (_q, answer) => answer.writeHead(200).end('<html>'),
    'garbled',
    'NOT_JSON',
    'linker_failed',
  ],
  ['drops the connection', (request) => request.socket.destroy(), 'unavailable', 'ECONNRESET', 'linker_unavailable'],
  ['never responds', () => undefined, 'timeout', 'ERR_CANCELED', 'linker_timeout'],
  ['stalls in mid-response', (_q, answer) => answer.write('{'), 'timeout', 'ERR_CANCELED', 'linker_timeout'],
  [
    'sends free text as a code',
    answering(400, { ...error, error_code: `no such token ${TOKEN}` }),
    'refused',
    'UNKNOWN',
    'linker_failed',
  ],
]

for (const [what, listener, kind, code, expected] of cases) {
  test(`a provider that ${what} is reported as ${kind}, without secrets`, async () => {
    const fault = await faultFrom(listener, kind === 'timeout' ? HASTY_MS : PATIENT_MS)
    assert(fault instanceof ProviderFault, inspect(fault))
    assert.deepEqual([fault.kind, fault.code], [kind, code])
    const refusal = toRefusal(fault)
    assert(refusal instanceof Refusal)
    assert.deepEqual([refusal.code, refusal.retryAfterSeconds], [expected, 5])
    const everything = inspect(fault, { depth: 10, showHidden: true }) + refusal.message
    assert(!everything.includes(SECRET) && !everything.includes(TOKEN))
  })
}
