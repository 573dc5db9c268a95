import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Tenant, type TestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { enterActive, openBrowser } from '../../test/support/portal.ts'
import { allowAccounts, CODE, mailed, PASSWORD, signedIn, signUp } from '../../test/support/portal-accounts.ts'
import { startOfSecond } from '../../test/support/still-clock.ts'
import { HOUR_MS } from '../platform/calendar.ts'
import { encodeId, toUserId } from '../platform/ids.ts'

let nowMs = startOfSecond()
let app: TestApp
let other: Tenant
const NEXT = 'another sentence, longer than that'

before(async () => {
  app = await startTestApp({ clock: { now: () => new Date(nowMs) } })
  other = await app.tenant()
  await allowAccounts(app, 'acorn')
  await allowAccounts(other, 'walnut')
})
after(() => app.close())

const LINK = /\/reset\/([\w-]{43})/

const signIn = (base: string, email: string, password = PASSWORD, browser = openBrowser(app)) =>
  browser('POST', `${base}/sign-in`, { email, password })

test('a signed-in user verifies an address with an emailed code, and can then sign in with the address', async () => {
  const { browser, base } = await enterActive(app, app, 'ada')
  assert.equal((await browser('POST', `${base}/you/sign-in`, { email: 'no address' })).status, 422)
  await browser('POST', `${base}/you/sign-in?lang=de`, { email: 'Ada@Example.com' })
  const code = await mailed(app, { base, email: 'Ada@Example.com' }, CODE)
  assert.match(await mailed(app, { base, email: 'Ada@Example.com' }, /(Ihr Code)/), /Ihr Code/)
  assert.match((await browser('GET', `${base}/you/sign-in`)).text, /Ada@Example\.com/)
  const confirm = `${base}/you/sign-in/confirm`
  const refused = async (fields: Readonly<Record<string, string>>, reason: RegExp) => {
    const { status, text } = await browser('POST', confirm, { code, password: PASSWORD, ...fields })
    assert.equal(status, 422)
    assert.match(text, reason)
    assert.ok(!text.includes(PASSWORD))
  }
  await refused({ code: '00000-00000' }, /id="code-fault">This code is wrong/)
  await refused({ password: 'too short' }, /id="password-fault">Please choose at least 12/)
  assert.equal((await signIn(base, 'ada@example.com')).status, 422, 'an unproven address cannot sign in')
  assert.equal((await browser('POST', confirm, { code: code.toUpperCase(), password: PASSWORD })).status, 303)
  await refused({}, /This took too long/)
  const fresh = await signedIn(app, { base, email: 'ada@example.com' })
  assert.equal((await fresh('GET', base)).status, 200)
  const svc_user_id = encodeId('usr', toUserId(app.publisher.id, 'ada'))
  const { body } = await app.operator('GET', '/operator/audit')
  const [entry] = body.content.filter(({ action }: { action: string }) => action === 'account.user_added')
  assert.deepEqual(entry.after, { publisher_id: encodeId('pub', app.publisher.id), svc_user_id })
})

test('once the publisher disallows accounts, nobody can sign in, and account sessions end', async () => {
  const tenant = await app.tenant()
  await allowAccounts(tenant, 'hazel')
  const account = await signUp(app, tenant, 'bea')
  const browser = await signedIn(app, account)
  await allowAccounts(tenant, 'hazel', false)
  const { base, email } = account
  assert.equal((await browser('GET', base)).status, 401)
  for (const path of ['/sign-in', '/reset', '/reset/x']) {
    assert.equal((await browser('GET', base + path)).status, 404, path)
    assert.equal((await browser('POST', base + path, { email, password: PASSWORD })).status, 404, path)
  }
  assert.equal((await account.browser('GET', base)).status, 200, 'a session by a link goes on')
  for (const path of ['', '/confirm', '/password'])
    assert.equal((await account.browser('POST', `${base}/you/sign-in${path}`, { email })).status, 422, path)
  await allowAccounts(tenant, 'hazel')
  assert.equal(
    (await browser('GET', base)).status,
    401,
    'ended sessions do not come back when accounts are allowed again',
  )
  assert.equal((await account.browser('GET', base)).status, 200)
  await signedIn(app, account)
})

test('addresses with and without an account get the same responses and the same number of attempts', async () => {
  const { base, email } = await signUp(app, app, 'cleo')
  const answers = async (address: string) => {
    const asked = await openBrowser(app)('POST', `${base}/reset`, { email: address })
    const tried = [asked]
    for (let time = 0; time < 11; time++) tried.push(await signIn(base, address, NEXT))
    return tried.map(({ status, text }) => `${status} ${text.replaceAll(address, 'ADDRESS')}`)
  }
  const [known, unknown] = [await answers(email), await answers('nobody@example.com')]
  assert.deepEqual(known, unknown)
  assert.match(known[1] ?? '', /The email address or password is wrong/)
  assert.match(known.at(-1) ?? '', /Too many attempts/)
  nowMs += HOUR_MS / 2
})

test("one publisher's accounts, links and sessions do not work at another publisher or in the console", async () => {
  const ours = await signUp(app, app, 'dora', 'same@example.com')
  assert.equal((await signIn('/portal/walnut', ours.email)).status, 422)
  const theirs = await signUp(app, other, 'dora', 'same@example.com')
  const browser = await signedIn(app, ours)
  assert.equal((await browser('GET', theirs.base)).status, 401)
  await openBrowser(app)('POST', `${ours.base}/reset`, { email: ours.email })
  const token = await mailed(app, ours, LINK)
  assert.equal((await openBrowser(app)('POST', `${theirs.base}/reset/${token}`, { password: NEXT })).status, 422)
  const json = { method: 'POST', headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' } }
  const consoles = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${app.service.url}/accounts/${path}`, { ...json, body: JSON.stringify(body) })
    return ((await answer.json()) as { code: string }).code
  }
  assert.equal(await consoles('password/reset', { token, password: NEXT }), 'link_expired')
  assert.equal(await consoles('sign-in', { email: ours.email, password: PASSWORD }), 'sign_in_failed')
  assert.equal((await openBrowser(app)('POST', `${ours.base}/reset/${token}`, { password: NEXT })).status, 303)
  await signedIn(app, ours, NEXT)
  await signedIn(app, theirs, PASSWORD)
})

test("a reset link works once, within an hour, and ends all the user's sessions", async () => {
  const account = await signUp(app, app, 'elsa')
  const { base, email } = account
  const elsewhere = await signedIn(app, account)
  const reset = (token: string, password = NEXT) => openBrowser(app)('POST', `${base}/reset/${token}`, { password })
  const ask = async (not = ''): Promise<string> => {
    await openBrowser(app)('POST', `${base}/reset`, { email })
    return mailed(app, account, LINK, not)
  }
  const late = await ask()
  nowMs += HOUR_MS - 60_000
  await elsewhere('GET', base)
  await account.browser('GET', base)
  nowMs += 61_000
  assert.match((await reset(late)).text, /has been used or has expired/)
  const token = await ask(late)
  assert.match((await reset(token, 'short')).text, /id="password-fault"/)
  assert.equal((await openBrowser(app)('GET', `${base}/reset/${token}`)).status, 200)
  assert.equal((await elsewhere('GET', base)).status, 200)
  assert.equal((await reset(token)).headers.get('location'), `${base}/sign-in?done=password`)
  assert.equal((await reset(token)).status, 422)
  for (const browser of [elsewhere, account.browser]) assert.equal((await browser('GET', base)).status, 401)
  assert.equal((await signIn(base, email)).status, 422)
  await signedIn(app, account, NEXT)
  assert.match(await mailed(app, account, /(Your password for .* was changed)/), /Test/)
})

test("a password reset goes to the account's stored address, however the user types it", async () => {
  const { base, email } = await signUp(app, app, 'kurt')
  // To the database, the Kelvin sign is a capital K. To a mail server, it is a different letter.
  await openBrowser(app)('POST', `${base}/reset`, { email: '\u212Aurt@example.com' })
  assert.match(await mailed(app, { base, email }, LINK), /./)
})

test('a user can request at most ten codes across all addresses, and cannot block a password reset', async () => {
  const { base, email } = await signUp(app, app, 'lena')
  const { browser } = await enterActive(app, app, 'nuisance')
  const asked = async (address = email) => (await browser('POST', `${base}/you/sign-in`, { email: address })).status
  for (let time = 0; time < 10; time++) assert.equal(await asked(), 303)
  assert.deepEqual([await asked(), await asked('somebody.else@example.com')], [422, 422])
  const answer = await openBrowser(app)('POST', `${base}/reset`, { email })
  assert.equal(answer.status, 200, answer.text)
  assert.match(await mailed(app, { base, email }, LINK), /./)
})

test('changing the password requires the current one and ends all other sessions', async () => {
  const account = await signUp(app, app, 'fay')
  const { browser, base } = account
  const elsewhere = await signedIn(app, account)
  const change = (current_password: string) =>
    browser('POST', `${base}/you/sign-in/password`, { current_password, password: NEXT })
  assert.match((await change('not this one, surely')).text, /id="current_password-fault"/)
  assert.equal((await elsewhere('GET', base)).status, 200)
  assert.equal((await change(PASSWORD)).status, 303)
  assert.equal((await elsewhere('GET', base)).status, 401)
  assert.equal((await browser('GET', base)).status, 200)
  await signedIn(app, account, NEXT)
})

test('users see where they are signed in, and only they can end their sessions', async () => {
  const account = await signUp(app, app, 'gwen')
  const { browser, base } = account
  const elsewhere = await signedIn(app, account)
  const { text } = await browser('GET', `${base}/you/sign-in`)
  const [end, ...others] = [...text.matchAll(/action="([^"]+\/sessions\/ses_\w+\/end)"/g)].map(([, path]) => path ?? '')
  assert.ok(end !== undefined && others.length === 0, 'its own is ended by signing out')
  const { browser: stranger } = await enterActive(app, app, 'hannah')
  assert.equal((await stranger('POST', end, {})).status, 409)
  assert.equal((await elsewhere('GET', base)).status, 200)
  assert.equal((await browser('POST', end, {})).headers.get('location'), `${base}/you/sign-in?done=ended`)
  assert.equal((await elsewhere('GET', base)).status, 401)
})

test('a code works only for the user who requested it, and an address can belong to only one account', async () => {
  const { browser, base } = await enterActive(app, app, 'ivy')
  const email = 'ivy@example.com'
  await browser('POST', `${base}/you/sign-in`, { email })
  const code = await mailed(app, { base, email }, CODE)
  const { browser: thief } = await enterActive(app, app, 'thief')
  assert.equal((await thief('POST', `${base}/you/sign-in/confirm`, { code, password: PASSWORD })).status, 422)
  assert.equal((await browser('POST', `${base}/you/sign-in/confirm`, { code, password: PASSWORD })).status, 303)
  await thief('POST', `${base}/you/sign-in`, { email: 'IVY@example.com' })
  const theirs = await mailed(app, { base, email: 'IVY@example.com' }, CODE)
  const taken = await thief('POST', `${base}/you/sign-in/confirm`, { code: theirs, password: NEXT })
  assert.match(taken.text, /belongs to another account/)
  await signedIn(app, { base, email })
})

test('a code allows ten guesses and expires after an hour', async () => {
  const { browser, base } = await enterActive(app, app, 'jane')
  const email = 'jane@example.com'
  await browser('POST', `${base}/you/sign-in`, { email })
  const code = await mailed(app, { base, email }, CODE)
  const confirm = (guess: string) => browser('POST', `${base}/you/sign-in/confirm`, { code: guess, password: PASSWORD })
  for (let time = 0; time < 10; time++) assert.match((await confirm('11111-11111')).text, /This code is wrong/)
  assert.match((await confirm(code)).text, /Too many attempts/)
  nowMs += 30 * 60_000
  await browser('GET', base)
  nowMs += 31 * 60_000
  assert.match((await confirm(code)).text, /This took too long/)
})

test('a deactivated user cannot sign in, and an erased user has no account', async () => {
  const { base, email } = await signUp(app, app, 'kim')
  await app.call('DELETE', '/users/kim')
  const refused = await signIn(base, email)
  assert.deepEqual([refused.status, refused.headers.getSetCookie()], [422, []])
  assert.match(refused.text, /Your account is not active/)
  const left = await signUp(app, app, 'lea')
  await left.browser('POST', `${base}/you/delete`, { confirm: 'delete' })
  await eventually(async () => {
    const rows = await app.owner.reader`select from accounts where email = ${left.email}`
    return rows.length === 0
  })
  assert.match((await signIn(base, left.email)).text, /The email address or password is wrong/)
})

test('a cross-site request cannot sign anybody in', async () => {
  const { base, email } = await signUp(app, app, 'mona')
  const browser = openBrowser(app)
  const answer = await browser('POST', `${base}/sign-in`, { email, password: PASSWORD }, 'cross-site')
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [409, []])
  assert.equal((await browser('GET', base)).status, 401)
})

test('a user is emailed about an account opened with a stolen link, and can see and remove it', async () => {
  const known = 'nora@known.example'
  await app.call('POST', '/users', { publisher_user_id: 'nora', email: known })
  const thief = await signUp(app, app, 'nora', 'thief@example.com')
  const { base } = thief
  assert.match(await mailed(app, { base, email: known }, /(An account was created)/), /./)
  const elsewhere = await signedIn(app, thief)
  const { browser: nora } = await enterActive(app, app, 'nora')
  assert.match((await nora('GET', `${base}/you/sign-in`)).text, /thief@example\.com/)
  const removed = await nora('POST', `${base}/you/sign-in/remove`, {})
  assert.equal(removed.headers.get('location'), `${base}/you/sign-in?done=accountRemoved`)
  for (const browser of [thief.browser, elsewhere]) assert.equal((await browser('GET', base)).status, 401)
  assert.equal((await signIn(base, thief.email)).status, 422)
  for (const email of [known, thief.email])
    assert.match(await mailed(app, { base, email }, /(An account .* was removed)/), /./)
  assert.doesNotMatch((await nora('GET', `${base}/you/sign-in`)).text, /thief@example\.com/)
  assert.match((await nora('POST', `${base}/you/sign-in/remove`, {})).text, /no account to remove/)
  await signUp(app, app, 'nora', known)
  const own = await signedIn(app, { base, email: known })
  // Someone with a stolen link must not be able to replace an account with the address the publisher has on file.
  assert.match((await nora('GET', `${base}/you/sign-in`)).text, /sign-in\/remove">.*name="removal_password"/s)
  const guess = await nora('POST', `${base}/you/sign-in/remove`, { removal_password: 'not this one, surely' })
  assert.match(guess.text, /id="removal_password-fault"/)
  assert.equal((await own('GET', base)).status, 200)
  const leaves = await own('POST', `${base}/you/sign-in/remove`, { removal_password: PASSWORD })
  assert.equal(leaves.headers.get('location'), `${base}/sign-in?done=accountRemoved`)
})

test("publishers can see and remove only their own users' accounts", async () => {
  const account = await signUp(app, app, 'pearl')
  const shown = await app.call('GET', '/portal/accounts/pearl')
  assert.deepEqual([shown.status, shown.body.email], [200, account.email])
  for (const method of ['GET', 'DELETE']) {
    const foreign = await other.call(method, '/portal/accounts/pearl')
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'user_not_found'])
  }
  assert.equal((await app.call('DELETE', '/portal/accounts/pearl')).status, 200)
  assert.equal((await account.browser('GET', account.base)).status, 401)
  assert.equal((await signIn(account.base, account.email)).status, 422)
  assert.equal((await app.call('GET', '/portal/accounts/pearl')).body.code, 'account_not_found')
  const svc_user_id = encodeId('usr', toUserId(app.publisher.id, 'pearl'))
  const [entry] = (await app.operator('GET', '/operator/audit?action=account.user_removed')).body.content
  assert.equal(entry.after.svc_user_id, svc_user_id)
})
