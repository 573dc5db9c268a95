import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeCaller, startTestApp } from '../../../test/support/app.ts'
import { startOfSecond } from '../../../test/support/still-clock.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { encodeId, newUuid, toUserId } from '../../platform/ids.ts'
import type { AccountId, Role, StaffRole } from './account.ts'
import { listAudit } from './audit/audit-queries.ts'
import { endSession, endSessions, listSessions, openSession, useSession } from './sessions.ts'

let nowMs = startOfSecond()
const clock = { now: () => new Date(nowMs) }
const app = await startTestApp({ clock })
const { db, url } = app.service
after(() => app.close())

const HOUR_MS = 3_600_000
const seen = { address: '198.51.100.7', userAgent: 'Firefox' }

type Person =
  | { readonly kind: 'operator'; readonly role: Role }
  | { readonly kind: 'publisher'; readonly role: StaffRole; readonly publisherId: string }

/** Signs a person in and returns a client that sends requests as their browser would. */
async function signIn(person: Person) {
  const accountId = newUuid<'account'>()
  const publisherId = person.kind === 'publisher' ? person.publisherId : null
  const email = `${accountId}@example.com`
  await app.owner.reader`
    insert into accounts (account_id, kind, publisher_id, role, email, name, created_at)
    values (${accountId}, ${person.kind}, ${publisherId}, ${person.role}, ${email}, 'Mara Rossi', ${clock.now()})`
  const { token, sessionId } = await db.transaction((tx) =>
    openSession(tx, { kind: person.kind, accountId }, seen, clock.now()),
  )
  const ask = makeCaller(url, null)
  const browser = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    ask(method, path, body, { cookie: `laurel_console=${token}`, 'sec-fetch-site': 'same-origin', ...headers })
  return { accountId, sessionId, token, browser }
}

const uid = encodeId('pub', app.publisher.id)
const register = (publisherUserId: string) => ({ publisher_user_id: publisherUserId, email: 'ada@example.com' })

test("a session of the operating company's staff acts as an operator with the account's role", async () => {
  const { browser, accountId } = await signIn({ kind: 'operator', role: 'support' })
  const { status, body } = await browser('GET', '/operator/me')
  assert.deepEqual(
    [status, body.operator_id, body.name, body.role],
    [200, encodeId('acc', accountId), 'Mara Rossi', 'support'],
  )
  assert.equal((await browser('GET', '/operator/audit')).body.code, 'role_missing')
  assert.equal((await browser('GET', '/users')).body.code, 'session_ended')
})

test('an operator acts for a named publisher within their role, and the audit log records the changes', async () => {
  const other = await app.tenant()
  const { browser, accountId } = await signIn({ kind: 'operator', role: 'support' })
  const acting = { 'Laurel-Publisher': uid }
  assert.equal((await browser('POST', '/users', register('acting-1'), acting)).status, 200)
  assert.equal((await app.call('GET', '/users/acting-1')).status, 200)
  assert.equal((await other.call('GET', '/users/acting-1')).status, 404)
  const elsewhere = { 'Laurel-Publisher': encodeId('pub', other.publisher.id) }
  assert.equal((await browser('GET', '/users/acting-1', undefined, elsewhere)).status, 404)
  const nobody = { 'Laurel-Publisher': encodeId('pub', newUuid()) }
  assert.equal((await browser('GET', '/users', undefined, nobody)).body.code, 'publisher_not_found')
  const patched = await browser('PATCH', '/users/acting-1', { primary_zip_code: '10001' }, acting)
  assert.equal(patched.status, 200)
  const { svc_user_id: subject } = patched.body
  const entries = await listAudit(db.reader, { subject, actor: encodeId('acc', accountId), limit: 9 })
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['publisher.changeUser', 'publisher.createUser'],
  )
  const reader = await signIn({ kind: 'operator', role: 'read-only' })
  assert.equal((await reader.browser('GET', '/users', undefined, acting)).status, 200)
  assert.equal((await reader.browser('POST', '/users', register('acting-2'), acting)).body.code, 'scope_missing')
})

test("acting for a publisher does not bypass the limits of an operator's role", async () => {
  const acting = { 'Laurel-Publisher': uid }
  const answers = async (role: Role, cases: readonly (readonly [method: string, path: string, body?: object])[]) => {
    const { browser } = await signIn({ kind: 'operator', role })
    const codes = cases.map(async ([method, path, body]) => (await browser(method, path, body, acting)).body.code)
    return [...new Set(await Promise.all(codes))]
  }
  const purchase = { publisher_user_id: 'acting-1', external_id: 'forged-1', source: 'OTHER', kind: 'CLEARING' }
  const forged = ['POST', '/transactions', { ...purchase, brand_uid: 'brand-market', amount: 50 }] as const
  const decided = ['POST', '/reviews/rev_01kbjyt5v3f4nvj5yq5yfypr9v/decide', { verdict: 'no' }] as const
  const revealed = ['POST', '/gift-cards/gcd_01kbjyt5v3f4nvj5yq5yfypr9v/reveal'] as const
  const listened = ['POST', '/webhooks/endpoints', { url: 'https://evil.example/' }] as const
  const redirected = ['DELETE', '/users/acting-1/payout-destination'] as const
  const code = ['POST', '/offers/offer-market/voucher-code', { publisher_user_id: 'acting-1' }] as const
  assert.deepEqual(await answers('support', [forged, decided, revealed, listened, redirected, code]), ['scope_missing'])
  assert.deepEqual(await answers('finance', [forged, decided, revealed, listened, redirected, code]), ['scope_missing'])
  const people = [
    ['GET', '/users'],
    ['GET', '/redemptions'],
    ['GET', '/webhooks/endpoints'],
  ] as const
  assert.deepEqual(await answers('catalog', [...people, forged, decided, listened, code]), ['scope_missing'])
})

test('an operator key can act for any publisher, but a publisher key only for its own', async () => {
  assert.equal((await app.operator('GET', '/users', undefined, { 'Laurel-Publisher': uid })).status, 200)
  assert.equal((await app.operator('GET', '/users')).body.code, 'key_invalid')
  const other = await app.tenant()
  const named = await other.call('GET', '/users', undefined, { 'Laurel-Publisher': uid })
  assert.deepEqual([named.status, named.body.code], [404, 'publisher_not_found'])
})

test("a publisher's staff see only that publisher, and change only what their role allows", async () => {
  const other = await app.tenant()
  assert.equal((await app.call('POST', '/users', register('own-1'))).status, 200)
  const theirs = await signIn({ kind: 'publisher', role: 'admin', publisherId: other.publisher.id })
  assert.equal((await theirs.browser('GET', '/users/own-1')).status, 404)
  const foreign = await theirs.browser('GET', '/users/own-1', undefined, { 'Laurel-Publisher': uid })
  assert.equal(foreign.body.code, 'publisher_not_found')
  assert.equal((await theirs.browser('GET', '/operator/me')).body.code, 'session_ended')
  const ours = await signIn({ kind: 'publisher', role: 'read-only', publisherId: app.publisher.id })
  assert.equal((await ours.browser('GET', '/users/own-1')).status, 200)
  assert.equal((await ours.browser('DELETE', '/users/own-1')).body.code, 'scope_missing')
})

test('callers can look up the publisher they act for and their scopes there', async () => {
  const me = '/publishers/me'
  const own = (await app.call('GET', me)).body
  assert.deepEqual([own.publisher_id, own.currencies[0]], [uid, own.currency])
  assert(own.scopes.includes('rewards:write'))
  const support = await signIn({ kind: 'operator', role: 'support' })
  const acting = (await support.browser('GET', me, undefined, { 'Laurel-Publisher': uid })).body
  assert.deepEqual(
    [acting.publisher_id, acting.scopes.includes('users:write'), acting.scopes.includes('rewards:write')],
    [uid, true, false],
  )
  const reader = await signIn({ kind: 'publisher', role: 'read-only', publisherId: app.publisher.id })
  const scopes = own.scopes.filter((scope: string) => scope.endsWith(':read'))
  assert.deepEqual((await reader.browser('GET', me)).body, { ...own, scopes })
})

test('the proof of an erasure identifies the account of the person who requested it', async () => {
  assert.equal((await app.call('POST', '/users', register('leaver'))).status, 200)
  const { browser, accountId } = await signIn({ kind: 'operator', role: 'support' })
  const { body } = await browser('POST', '/users/leaver/erase', { confirm: 'leaver' }, { 'Laurel-Publisher': uid })
  assert.equal(body.requested_by, encodeId('acc', accountId))
})

test("a publisher admin invites, changes and disables only their own company's staff", async () => {
  const other = await app.tenant()
  const admin = await signIn({ kind: 'publisher', role: 'admin', publisherId: other.publisher.id })
  const stranger = await signIn({ kind: 'publisher', role: 'admin', publisherId: app.publisher.id })
  const email = `${admin.accountId}@staff.example`
  const invited = await admin.browser('POST', '/staff', { email, role: 'support' })
  assert.deepEqual(
    [invited.body.publisher_id, invited.body.role, invited.body.status],
    [encodeId('pub', other.publisher.id), 'support', 'invited'],
  )
  const path = `/staff/${invited.body.account_id}`
  const changed = await admin.browser('PATCH', path, { role: 'read-only', disabled: true })
  assert.deepEqual([changed.body.role, changed.body.status], ['read-only', 'disabled'])
  const { content } = (await admin.browser('GET', '/staff')).body
  assert.deepEqual(
    content.map((one: { email: string }) => one.email).sort(),
    [`${admin.accountId}@example.com`, email].sort(),
  )
  assert.equal((await stranger.browser('PATCH', path, { disabled: false })).body.code, 'account_not_found')
  assert.equal((await admin.browser('POST', '/staff', { email: 'a@b.example', role: 'finance' })).status, 400)
  const own = await admin.browser('PATCH', `/staff/${encodeId('acc', admin.accountId)}`, { disabled: true })
  assert.equal(own.body.code, 'own_account')
  const support = await signIn({ kind: 'publisher', role: 'support', publisherId: other.publisher.id })
  assert.equal((await support.browser('PATCH', path, { disabled: false })).body.code, 'scope_missing')
  const entries = await listAudit(db.reader, { subject: invited.body.account_id, actor: null, limit: 9 })
  assert.deepEqual(
    entries.map(({ action, actor, before }) => [action, actor, before]),
    [
      ['account.changed', encodeId('acc', admin.accountId), { role: 'support', disabled: false }],
      ['account.invited', encodeId('acc', admin.accountId), null],
    ],
  )
})

test('a change is accepted only if it comes from a page of the service', async () => {
  const { browser } = await signIn({ kind: 'publisher', role: 'admin', publisherId: app.publisher.id })
  const { host } = new URL(url)
  const cases = [
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
  ] as const
  for (const [index, [headers, status]] of cases.entries()) {
    const answer = await browser('POST', '/users', register(`page-${index}`), headers)
    assert.equal(answer.status, status, JSON.stringify(headers))
    if (status === 403) assert.equal(answer.body.code, 'origin_refused')
  }
})

test('a session ends after an idle hour, after twelve hours, or when its account is disabled', async () => {
  const { browser, accountId, token } = await signIn({ kind: 'operator', role: 'admin' })
  const status = async () => (await browser('GET', '/operator/me')).status
  for (let hours = 0; hours < 12; hours += 0.9) {
    assert.equal(await status(), 200, `${hours} h`)
    nowMs += 0.9 * HOUR_MS
  }
  assert.equal(await status(), 401)
  const idle = await signIn({ kind: 'operator', role: 'admin' })
  nowMs += HOUR_MS
  assert.equal((await idle.browser('GET', '/operator/me')).body.code, 'session_ended')
  assert.equal(await useSession(db, hashKey(token), clock.now()), null)
  const live = await signIn({ kind: 'operator', role: 'admin' })
  await app.owner.reader`update accounts set disabled_at = now() where account_id = ${live.accountId}`
  assert.equal(await useSession(db, hashKey(live.token), clock.now()), null)
  assert.equal((await listSessions(db.reader, { accountId }, clock.now())).length, 0)
})

test("a revoked session ends immediately, and nobody can end another person's session", async () => {
  const one = await signIn({ kind: 'operator', role: 'admin' })
  const another = await signIn({ kind: 'operator', role: 'admin' })
  assert.equal((await one.browser('GET', '/operator/me')).status, 200)
  const end = (accountId: AccountId) => db.transaction((tx) => endSession(tx, { accountId }, one.sessionId))
  await assert.rejects(end(another.accountId), { code: 'session_not_found' })
  const [listed] = await listSessions(db.reader, one, clock.now())
  assert.deepEqual([listed?.sessionId, listed?.address, listed?.userAgent], [one.sessionId, '198.51.100.7', 'Firefox'])
  await end(one.accountId)
  assert.equal(await useSession(db, hashKey(one.token), clock.now()), null)
  await assert.rejects(end(one.accountId), { code: 'session_not_found' })
})

test('a portal user needs no account, and can end all of their sessions except the current one', async () => {
  const who = {
    kind: 'user' as const,
    publisherId: app.publisher.id,
    accountId: null,
    userId: toUserId(app.publisher.id, 'own-1'),
  }
  const open = () => db.transaction((tx) => openSession(tx, who, { ...seen, isEmbedded: true }, clock.now()))
  const [first, second] = [await open(), await open()]
  const found = await useSession(db, hashKey(first.token), clock.now())
  assert.deepEqual([found?.sessionId, found?.who.kind], [first.sessionId, 'user'])
  await db.transaction((tx) => endSessions(tx, who, second.sessionId))
  assert.equal(await useSession(db, hashKey(first.token), clock.now()), null)
  assert.notEqual(await useSession(db, hashKey(second.token), clock.now()), null)
})

test('in production only a publisher key can enter the portal as a user, but in a sandbox staff can too', async () => {
  const production = await app.tenant({ environment: 'production' })
  const asked = { publisher_user_id: 'entered' }
  for (const { call } of [app, production]) await call('POST', '/users', asked)
  const actingFor = ({ publisher }: { readonly publisher: { readonly id: string } }) => ({
    'Laurel-Publisher': encodeId('pub', publisher.id),
  })
  const { browser: staff } = await signIn({ kind: 'publisher', role: 'admin', publisherId: production.publisher.id })
  const { browser: admin } = await signIn({ kind: 'operator', role: 'admin' })
  for (const ask of [admin, app.operator, staff]) {
    const { status, body } = await ask('POST', '/portal/sessions', asked, actingFor(production))
    assert.deepEqual([status, body.code], [403, 'sandbox_only'])
    assert.match(body.detail, /with a publisher key/)
  }
  assert.equal((await production.call('POST', '/portal/sessions', asked)).status, 200)
  for (const ask of [admin, app.operator])
    assert.equal((await ask('POST', '/portal/sessions', asked, actingFor(app))).status, 200)
})
