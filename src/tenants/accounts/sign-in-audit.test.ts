import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TOTP } from 'otpauth'
import { startTestApp } from '../../../test/support/app.ts'
import { createAuthenticator } from '../../../test/support/authenticator.ts'
import { consoleAccounts, PASSWORD } from '../../../test/support/console-accounts.ts'
import { startOfSecond } from '../../../test/support/still-clock.ts'
import { parseAccountId } from '../access/staff/schema.ts'
import { toLocalActor } from './actor.ts'
import { linkFor } from './people.ts'

let nowMs = startOfSecond()
const clock = { now: () => new Date(nowMs) }
// Lets tests choose the network that a request comes from.
const settings = { LAUREL_DEMO: '1', LAUREL_TRUSTED_PROXIES: '127.0.0.1/32' }
const app = await startTestApp({ clock, settings })
const { db } = app.service
after(() => app.close())

const { openBrowser, person } = consoleAccounts(app)
const WRONG = 'a sentence that is wrong'
const NO_TOKEN = 'A'.repeat(43)

/** Sends requests from a network, each from a new browser. */
const askFrom = (address: string) => (path: string, body: object) =>
  openBrowser()('POST', path, body, { 'x-forwarded-for': address })

type Entry = { readonly action: string; readonly actor: string; readonly after: object }

/** Returns the sign-ins in the audit log, oldest first. */
async function listSignIns(subject: string, count = 100): Promise<unknown[]> {
  const { body } = await app.operator('GET', `/operator/audit?subject=${subject}`)
  const entries = (body.content as Entry[]).filter(({ action }) => action.startsWith('account.sign'))
  return entries
    .slice(0, count)
    .reverse()
    .map(({ action, actor, after }) => [action, actor, after])
}

test('every console sign-in, successful or not, is recorded in the audit log with its method and address', async () => {
  const email = 'otto@example.com'
  const { browser, accountId } = await person(email)
  const address = '198.51.100.23'
  const ask = askFrom(address)
  const signIn = (password: string) => ask('/accounts/sign-in', { email, password })

  assert.equal((await signIn(WRONG)).status, 401)
  assert.equal((await signIn(PASSWORD)).status, 200)
  const { origin } = (await browser('GET', '/accounts/passkeys')).body
  const device = createAuthenticator(origin)
  const { options } = (await browser('POST', '/accounts/passkeys/options')).body
  assert.equal((await browser('POST', '/accounts/passkeys', { name: 'Phone', ...device.make(options) })).status, 200)
  const signed = device.sign((await ask('/accounts/passkeys/sign-in/options', {})).body.options)
  for (const status of [200, 422]) assert.equal((await ask('/accounts/passkeys/sign-in', signed)).status, status)
  const account = { accountId: parseAccountId(accountId), publisherId: null }
  const token = await db.transaction((tx) => linkFor(tx, account, toLocalActor('tests'), clock.now()))
  assert.equal((await ask('/accounts/enter', { token })).status, 200)
  const { secret } = (await browser('POST', '/accounts/totp')).body
  const code = () => new TOTP({ secret }).generate({ timestamp: nowMs })
  assert.equal((await browser('POST', '/accounts/totp/confirm', { code: code() })).status, 200)
  nowMs += 60_000
  const other = openBrowser()
  const from = { 'x-forwarded-for': address }
  await other('POST', '/accounts/sign-in', { email, password: PASSWORD }, from)
  for (const [tried, status] of [
    ['000000', 400],
    [code(), 200],
  ] as const)
    assert.equal((await other('POST', '/accounts/second-factor', { code: tried }, from)).status, status)

  const failed = (method: string, refusal: string) => [
    ...['account.sign_in_failed', 'stranger'],
    { method, address, code: refusal },
  ]
  const succeeded = (method: string, where = address) => ['account.signed_in', accountId, { method, address: where }]
  assert.deepEqual(await listSignIns(accountId), [
    succeeded('invitation', '127.0.0.1'),
    failed('password', 'sign_in_failed'),
    succeeded('password'),
    succeeded('passkey'),
    failed('passkey', 'passkey_refused'),
    succeeded('link'),
    failed('second_factor', 'code_wrong'),
    succeeded('second_factor'),
  ])
})

/** Attempts that match no account. */
const UNKNOWN = [
  {
    method: 'passkey',
    path: '/accounts/passkeys/sign-in',
    body: { credential_id: 'AAAA', client_data: 'AAAA', authenticator_data: 'AAAA', signature: 'AAAA' },
    code: 'sign_in_failed',
  },
  { method: 'second_factor', path: '/accounts/second-factor', body: { code: '000000' }, code: 'sign_in_expired' },
  { method: 'link', path: '/accounts/enter', body: { token: NO_TOKEN }, code: 'link_expired' },
  {
    method: 'invitation',
    path: '/accounts/invitations/accept',
    body: { token: NO_TOKEN, name: 'Eve', password: PASSWORD },
    code: 'link_expired',
  },
]

test('an attempt that matches no account is recorded in the audit log', async () => {
  const address = '198.51.100.24'
  const typed = { email: 'unheard-of@example.com', password: WRONG }
  const password = { method: 'password', path: '/accounts/sign-in', body: typed, code: 'sign_in_failed' }
  const attempts = [password, ...UNKNOWN]
  for (const { path, body, code } of attempts) assert.equal((await askFrom(address)(path, body)).body.code, code, path)
  assert.deepEqual(
    await listSignIns('console', attempts.length),
    attempts.map(({ method, code }) => ['account.sign_in_failed', 'stranger', { method, address, code }]),
  )
})

test('attempts that match no account are counted by network, and those beyond the limit are not stored', async () => {
  for (const [nth, { path, body, code }] of UNKNOWN.entries()) {
    const address = `203.0.113.${nth}`
    const codes: string[] = []
    for (let time = 0; time < 101; time++) codes.push((await askFrom(address)(path, body)).body.code)
    assert.deepEqual([codes.indexOf('attempts_exhausted'), new Set(codes.slice(0, 100))], [100, new Set([code])], path)
    const [row] = await app.owner.reader<{ count: number }[]>`
      select count(*)::int as count from audit_log where after->>'address' = ${address}`
    assert.equal(row?.count, 100, path)
    assert.equal((await askFrom('203.0.113.99')(path, body)).body.code, code, path)
  }
})
