import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeCaller, startTestApp } from '../../../../test/support/app.ts'
import { createAuthenticator } from '../../../../test/support/authenticator.ts'
import { startOfSecond } from '../../../../test/support/still-clock.ts'

let nowMs = startOfSecond()
const app = await startTestApp({ clock: { now: () => new Date(nowMs) } })
const { url } = app.service
after(() => app.close())

const MINUTE_MS = 60_000
const { origin } = (await app.person('GET', '/accounts/passkeys')).body
const stranger = makeCaller(url, null)

const requestOptions = async (ask: typeof stranger, path: string) => (await ask('POST', path)).body.options
const challengeToMake = () => requestOptions(app.person, '/accounts/passkeys/options')
const challengeToSign = () => requestOptions(stranger, '/accounts/passkeys/sign-in/options')
const signIn = (signed: object) => stranger('POST', '/accounts/passkeys/sign-in', signed)

async function added(name: string) {
  const device = createAuthenticator(origin)
  const { status, body } = await app.person('POST', '/accounts/passkeys', {
    name,
    ...device.make(await challengeToMake()),
  })
  assert.equal(status, 200, JSON.stringify(body))
  return { device, passkeyId: body.passkey_id as string }
}

test('a passkey signs in without a password or code and records when it was last used', async () => {
  assert.match(origin, /^http:\/\/localhost:\d+$/)
  const { device, passkeyId } = await added('Phone')
  const answer = await signIn(device.sign(await challengeToSign()))
  assert.deepEqual([answer.status, answer.body], [200, { state: 'signed_in' }])
  const [cookie = ''] = answer.headers.getSetCookie().filter((one) => one.startsWith('laurel_console='))
  const me = await stranger('GET', '/accounts/me', undefined, { cookie: cookie.split(';')[0] ?? '' })
  assert.equal(me.body.role, 'admin')
  const { content } = (await app.person('GET', '/accounts/passkeys')).body
  const [listed] = content.filter((one: { passkey_id: string }) => one.passkey_id === passkeyId)
  assert.deepEqual([listed.name, listed.last_used_at], ['Phone', new Date(nowMs).toISOString()])
})

test('a challenge can be answered only once, within five minutes, and only for its purpose', async () => {
  const { device } = await added('Key')
  const options = await challengeToSign()
  assert.equal((await signIn(device.sign(options))).status, 200)
  assert.equal((await signIn(device.sign(options))).body.code, 'passkey_refused')
  const late = await challengeToSign()
  nowMs += 5 * MINUTE_MS
  assert.equal((await signIn(device.sign(late))).body.code, 'passkey_refused')
  assert.equal((await signIn(device.sign(await challengeToMake()))).body.code, 'passkey_refused')
})

test('a response that is forged, replayed, cross-site, or without user verification is rejected', async () => {
  const { device } = await added('Tablet')
  const earlier = device.sign(await challengeToSign())
  assert.equal((await signIn(device.sign(await challengeToSign()))).status, 200)
  assert.equal((await signIn(earlier)).body.code, 'passkey_refused', 'the device counts on')
  const signed = device.sign(await challengeToSign())
  const { signature } = device.sign(await challengeToSign())
  assert.equal((await signIn({ ...signed, signature })).body.code, 'passkey_refused')
  assert.equal((await signIn({ ...signed, credential_id: 'AAAA' })).body.code, 'sign_in_failed')
  for (const other of [createAuthenticator('https://evil.example'), createAuthenticator(origin, { verifies: false })]) {
    const made = { name: 'Evil', ...other.make(await challengeToMake()) }
    const refused = await app.person('POST', '/accounts/passkeys', made)
    assert.deepEqual([refused.status, refused.body.code], [422, 'passkey_refused'])
  }
})

test('a passkey belongs to one account, can be renamed, and no longer signs in once removed', async () => {
  const { device, passkeyId } = await added('Old phone')
  const again = { name: 'Twice', ...device.make(await challengeToMake()) }
  assert.equal((await app.person('POST', '/accounts/passkeys', again)).body.code, 'passkey_known')
  const path = `/accounts/passkeys/${passkeyId}`
  assert.equal((await app.person('PATCH', path, { name: 'Spare phone' })).status, 200)
  assert.equal((await app.person('DELETE', path)).status, 200)
  assert.equal((await app.person('DELETE', path)).body.code, 'passkey_not_found')
  assert.equal((await signIn(device.sign(await challengeToSign()))).body.code, 'sign_in_failed')
  const { account_id: subject } = (await app.person('GET', '/accounts/me')).body
  const [removed, renamed] = (await app.operator('GET', `/operator/audit?subject=${subject}`)).body.content
  assert.deepEqual([removed.action, removed.before], ['account.passkey_removed', { name: 'Spare phone' }])
  assert.deepEqual([renamed.before, renamed.after], [{ name: 'Old phone' }, { name: 'Spare phone' }])
})

test('an account has at most twenty passkeys, even if more are added concurrently', async () => {
  const { content } = (await app.person('GET', '/accounts/passkeys')).body
  const begun = await Promise.all(Array.from({ length: 22 - content.length }, challengeToMake))
  const answers = await Promise.all(
    begun.map((options) =>
      app.person('POST', '/accounts/passkeys', { name: 'Key', ...createAuthenticator(origin).make(options) }),
    ),
  )
  const codes = answers.map(({ body }) => body.code).filter((code) => code !== undefined)
  assert.deepEqual(codes, ['passkeys_exhausted', 'passkeys_exhausted'])
  assert.equal((await app.person('POST', '/accounts/passkeys/options')).body.code, 'passkeys_exhausted')
  const all = (await app.person('GET', '/accounts/passkeys')).body.content
  assert.equal(all.length, 20)
  await app.person('DELETE', `/accounts/passkeys/${all.at(-1).passkey_id}`)
})

test('adding a passkey requires a recent sign-in, even just to obtain a challenge', async () => {
  const made = createAuthenticator(origin).make(await challengeToMake())
  nowMs += 10 * MINUTE_MS
  for (const [path, body] of [
    ['/accounts/passkeys', { name: 'Stranger', ...made }],
    ['/accounts/passkeys/options', undefined],
  ] as const) {
    const refused = await app.person('POST', path, body)
    assert.deepEqual([refused.status, refused.body.code], [403, 'sign_in_again'])
  }
})
