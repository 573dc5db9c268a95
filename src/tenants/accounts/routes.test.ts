import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, test } from 'node:test'
import { TOTP } from 'otpauth'
import { type Answer, startTestApp } from '../../../test/support/app.ts'
import { consoleAccounts, PASSWORD } from '../../../test/support/console-accounts.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { startOfSecond } from '../../../test/support/still-clock.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import type { AccountId } from './account.ts'
import { toLocalActor } from './actor.ts'
import { linkForFirstAdmin } from './people.ts'

let nowMs = startOfSecond()
const clock = { now: () => new Date(nowMs) }
// Lets tests choose the network that a request comes from.
const settings = { LAUREL_DEMO: '1', LAUREL_TRUSTED_PROXIES: '127.0.0.1/32' }
const app = await startTestApp({ clock, settings })
const { db, url } = app.service
after(() => app.close())

const MINUTE_MS = 60_000
const { openBrowser, mailedToken, person, signIn } = consoleAccounts(app)

test('an invited person can set a password through the emailed link only once, and gets the invited role', async () => {
  const { browser, accountId } = await person('mara@example.com', 'support')
  const { body } = await browser('GET', '/accounts/me')
  assert.deepEqual(
    [body.account_id, body.kind, body.role, body.name, body.has_password, body.has_totp],
    [accountId, 'operator', 'support', 'Mara Rossi', true, false],
  )
  assert.equal((await browser('GET', '/operator/me')).body.role, 'support')
  const token = await mailedToken('mara@example.com', 'invitation')
  const again = await browser('POST', '/accounts/invitations/accept', { token, name: 'Eve', password: PASSWORD })
  assert.deepEqual([again.status, again.body.code], [410, 'link_expired'])
  const invited = await app.operator('POST', `/operator/staff/${accountId}/invite`)
  assert.deepEqual([invited.status, invited.body.code], [409, 'account_active'])
  const twice = await app.operator('POST', '/operator/staff', { email: 'Mara@example.com', role: 'admin' })
  assert.deepEqual([twice.status, twice.body.code], [409, 'email_taken'])
})

test('sign-ins with an unknown address and with a wrong password get the same response', async () => {
  await person('nina@example.com')
  const wrong = await signIn(openBrowser(), 'nina@example.com', 'a sentence that is wrong')
  const unknown = await signIn(openBrowser(), 'nobody@example.com', 'a sentence that is wrong')
  const seen = ({ status, body: { request_id: _, ...body }, headers }: Answer) => [status, body, headers.getSetCookie()]
  assert.deepEqual(seen(wrong), seen(unknown))
  assert.equal(wrong.body.code, 'sign_in_failed')
  const asked = async (email: string) =>
    seen(await openBrowser()('POST', '/accounts/password/reset-request', { email }))
  assert.deepEqual(await asked('nina@example.com'), await asked('nobody@example.com'))
  const right = await signIn(openBrowser(), 'NINA@example.com')
  assert.equal(right.status, 200)
  const [cookie = ''] = right.headers.getSetCookie().filter((one) => one.startsWith('laurel_console='))
  assert.match(cookie, /Path=\/; HttpOnly; SameSite=Lax/)
})

test('more than ten attempts for an address, even one without an account, are refused for 15 minutes', async () => {
  await person('olga@example.com')
  for (const email of ['olga@example.com', 'nobody-2@example.com']) {
    for (let index = 0; index < 10; index++)
      assert.equal((await signIn(openBrowser(), email, 'a sentence that is wrong')).status, 401)
    const over = await signIn(openBrowser(), email)
    assert.deepEqual([over.status, over.body.code], [429, 'attempts_exhausted'], email)
    assert.ok(Number(over.headers.get('retry-after')) > 800)
  }
  nowMs += 15 * MINUTE_MS
  assert.equal((await signIn(openBrowser(), 'olga@example.com')).status, 200)
})

test('all spellings of an address that match the same account share one attempt count', async () => {
  await person('iris@example.com')
  const spellings = ['iris', 'IRIS', '\u0130ris', 'ir\u0130s', '\u0130r\u0130s']
  const statuses: number[] = []
  for (let time = 0; time < 3; time++)
    for (const spelling of spellings)
      statuses.push((await signIn(openBrowser(), `${spelling}@example.com`, 'a sentence that is wrong')).status)
  assert.equal(statuses.indexOf(429), 10)
  nowMs += 15 * MINUTE_MS
  assert.equal((await signIn(openBrowser(), '\u0130ris@example.com')).status, 200)
})

test('only guesses from many networks lock the owner out, and an emailed reset ends the lockout', async () => {
  const email = 'yara@example.com'
  await person(email)
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const guess = async (address: string) => {
    const password = 'a sentence that is wrong'
    return (await openBrowser()('POST', '/accounts/sign-in', { email, password }, from(address))).status
  }
  const guessed: number[] = []
  for (let time = 0; time < 60; time++) guessed.push(await guess('203.0.113.1'))
  assert.deepEqual([guessed.indexOf(429), guessed.at(-1)], [10, 429])
  const right = () => openBrowser()('POST', '/accounts/sign-in', { email, password: PASSWORD }, from('203.0.113.99'))
  assert.equal((await right()).status, 200)

  for (const network of [2, 3, 4, 5, 6])
    for (let time = 0; time < 10; time++) assert.equal(await guess(`203.0.113.${network}`), 401, `network ${network}`)
  assert.equal((await right()).body.code, 'attempts_exhausted')
  const asked = await openBrowser()('POST', '/accounts/password/reset-request', { email }, from('203.0.113.99'))
  assert.equal(asked.status, 200)
  const token = await mailedToken(email, 'reset')
  const reset = { token, password: PASSWORD }
  assert.equal((await openBrowser()('POST', '/accounts/password/reset', reset, from('203.0.113.99'))).status, 200)
  assert.equal((await right()).status, 200)
})

test("successful sign-ins do not count toward their network's limit, no matter how many people share it", async () => {
  const email = 'nils@example.com'
  await person(email)
  const from = { 'x-forwarded-for': '198.51.100.7' }
  const enter = async (password: string) =>
    (await openBrowser()('POST', '/accounts/sign-in', { email, password }, from)).status
  for (let time = 0; time < 12; time++) assert.equal(await enter(PASSWORD), 200, `${time}`)
  // Reset requests count toward the same limit and, unlike sign-ins, hash no password.
  for (let nth = 0; nth < 98; nth++) {
    const body = { email: `nobody-${nth}@network.example` }
    assert.equal((await openBrowser()('POST', '/accounts/password/reset-request', body, from)).status, 200, `${nth}`)
  }
  const statuses: number[] = []
  for (let nth = 98; nth < 101; nth++) {
    const body = { email: `nobody-${nth}@network.example`, password: 'a sentence that is wrong' }
    statuses.push((await openBrowser()('POST', '/accounts/sign-in', body, from)).status)
  }
  assert.deepEqual([statuses, await enter(PASSWORD)], [[401, 401, 429], 429])
})

test('once an authenticator app is set up, signing in needs its code, and each code works only once', async () => {
  const email = 'petra@example.com'
  const { browser } = await person(email)
  const begun = (await browser('POST', '/accounts/totp')).body
  const totp = new TOTP({ secret: begun.secret })
  assert.match(begun.otpauth_uri, /^otpauth:\/\/totp\/Laurel:petra%40example\.com\?/)
  assert.match(begun.qr_svg, /^<svg/)
  const code = (timestamp = nowMs) => totp.generate({ timestamp })
  for (const wrong of ['000000', '\u0967\u0968\u0969\u096a\u096b\u096c', 'backup', '      '])
    assert.equal((await browser('POST', '/accounts/totp/confirm', { code: wrong })).body.code, 'code_wrong', wrong)
  const confirmed = await browser('POST', '/accounts/totp/confirm', { code: code() })
  const codes: string[] = confirmed.body.backup_codes
  assert.equal(codes.length, 10)
  assert.equal((await browser('POST', '/accounts/totp')).body.code, 'totp_on')
  assert.equal((await browser('POST', '/accounts/totp/confirm', { code: code() })).body.code, 'totp_on', 'new codes')

  const other = openBrowser()
  assert.deepEqual((await signIn(other, email)).body, { state: 'second_factor' })
  assert.equal((await other('GET', '/accounts/me')).status, 401)
  assert.equal(
    (await other('POST', '/accounts/second-factor', { code: code() })).body.code,
    'code_wrong',
    'used before',
  )
  nowMs += MINUTE_MS
  assert.equal((await other('POST', '/accounts/second-factor', { code: code() })).body.state, 'signed_in')
  assert.equal((await other('GET', '/accounts/me')).body.has_totp, true)
  assert.equal((await other('POST', '/accounts/second-factor', { code: code() })).body.code, 'sign_in_expired')

  const [first = ''] = codes
  for (const state of ['signed_in', undefined]) {
    const third = openBrowser()
    await signIn(third, email)
    const typed = first.toUpperCase().replace('-', ' ')
    assert.equal((await third('POST', '/accounts/second-factor', { code: typed })).body.state, state)
  }
  const late = openBrowser()
  await signIn(late, email)
  nowMs += 10 * MINUTE_MS
  assert.equal((await late('POST', '/accounts/second-factor', { code: code() })).body.code, 'sign_in_expired')
  const early = await other('DELETE', '/accounts/totp')
  assert.deepEqual([early.status, early.body.code], [403, 'sign_in_again'])
  await signIn(late, email)
  assert.equal((await late('POST', '/accounts/second-factor', { code: codes[1] })).status, 200)
  assert.equal((await late('DELETE', '/accounts/totp')).status, 200)
  assert.equal((await signIn(openBrowser(), email)).body.state, 'signed_in')
})

test('second-factor codes have their own attempt count, which a password reset does not clear', async () => {
  const email = 'paula@example.com'
  const { browser } = await person(email)
  const { secret } = (await browser('POST', '/accounts/totp')).body
  const right = () => new TOTP({ secret }).generate({ timestamp: nowMs })
  assert.equal((await browser('POST', '/accounts/totp/confirm', { code: right() })).status, 200)
  const begin = async (password: string) => {
    const guessing = openBrowser()
    assert.equal((await signIn(guessing, email, password)).body.state, 'second_factor')
    return (code: string) => guessing('POST', '/accounts/second-factor', { code })
  }
  const guessTenTimes = async (password: string) => {
    const tryCode = await begin(password)
    for (let time = 0; time < 10; time++) assert.equal((await tryCode('000000')).body.code, 'code_wrong', `${time}`)
  }
  await guessTenTimes(PASSWORD)
  await browser('POST', '/accounts/password/reset-request', { email })
  const token = await mailedToken(email, 'reset')
  const password = 'another sentence altogether'
  assert.equal((await browser('POST', '/accounts/password/reset', { token, password })).status, 200)
  const over = await (await begin(password))(right())
  assert.deepEqual([over.status, over.body.code], [429, 'attempts_exhausted'])

  for (const _ of ['eleventh to twentieth', 'to thirtieth']) {
    nowMs += 15 * MINUTE_MS
    await guessTenTimes(password)
  }
  nowMs += 15 * MINUTE_MS
  const ofDay = await (await begin(password))(right())
  assert.deepEqual([ofDay.status, Number(ofDay.headers.get('retry-after')) > 80_000], [429, true])
  nowMs += 24 * 60 * MINUTE_MS
  assert.equal((await (await begin(password))(right())).status, 200)
})

test('changing any sign-in method requires the password or a sign-in within the last ten minutes', async () => {
  const { browser } = await person('pia@example.com')
  const { secret } = (await browser('POST', '/accounts/totp')).body
  nowMs += 11 * MINUTE_MS
  const { paths } = (await browser('GET', '/openapi.json')).body as { paths: Record<string, Record<string, Operation>> }
  type Operation = { readonly security?: readonly object[]; readonly operationId: string }
  const own = Object.entries(paths)
    .filter(([path]) => path.startsWith('/accounts/'))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ method, operation }) => method !== 'get' && operation.security?.length !== 0)
  // Ending a session only reduces access, and changing the password requires the current one.
  const exempt = ['signOut', 'endSession', 'changePassword']
  const guarded = own.filter(({ operation }) => !exempt.includes(operation.operationId))
  assert.ok(guarded.length >= 7, JSON.stringify(guarded))
  const made = { client_data: 'AAAA', attestation_object: 'AAAA', credential_id: 'AAAA', transports: [] }
  const bodies: Readonly<Record<string, object>> = {
    confirmTotp: { code: new TOTP({ secret }).generate({ timestamp: nowMs }) },
    addPasskey: { name: 'Phone', ...made },
    renamePasskey: { name: 'Phone' },
  }
  for (const { path, method, operation } of guarded) {
    const address = path.replace('{passkey_id}', encodeId('psk', '00000000-0000-7000-8000-000000000001'))
    const { status, body } = await browser(method.toUpperCase(), address, bodies[operation.operationId])
    assert.deepEqual([status, body.code], [403, 'sign_in_again'], `${method} ${path}`)
  }
})

test('a rate-limited attempt stores nothing and is not counted', async () => {
  const from = { 'x-forwarded-for': '198.51.100.77' }
  const attempt = (email: string) =>
    openBrowser()('POST', '/accounts/password/reset-request', { email }, from).then(({ status }) => status)
  for (let index = 0; index < 100; index++) assert.equal(await attempt(`reader-${index}@example.com`), 200)
  const stored = async () => {
    const [row] = await app.owner.reader`
      select (select json_agg(a order by a.bucket_hash) from sign_in_attempts a) as attempts,
        (select count(*)::int from mails where email like 'refused%') as mails,
        (select count(*)::int from audit_log) as audited`
    return row
  }
  const before = await stored()
  for (let index = 0; index < 20; index++) assert.equal(await attempt(`refused-${index}@example.com`), 429)
  assert.deepEqual(await stored(), before)
})

test('an emailed password reset ends every session and invalidates its own and earlier links', async () => {
  const email = 'rita@example.com'
  const { browser } = await person(email)
  const ask = () => browser('POST', '/accounts/password/reset-request', { email })
  assert.equal((await ask()).status, 200)
  const former = await mailedToken(email, 'reset')
  await ask()
  const token = await mailedToken(email, 'reset', former)
  const weak = await browser('POST', '/accounts/password/reset', { token, password: 'too short' })
  assert.deepEqual([weak.status, weak.body.code, weak.body.errors[0].field], [400, 'invalid_input', 'password'])
  const renewed = 'another sentence altogether'
  assert.equal((await browser('POST', '/accounts/password/reset', { token, password: renewed })).status, 200)
  assert.equal((await browser('GET', '/accounts/me')).body.code, 'session_ended')
  for (const used of [token, former]) {
    const again = await browser('POST', '/accounts/password/reset', { token: used, password: renewed })
    assert.equal(again.body.code, 'link_expired')
  }
  assert.equal((await signIn(openBrowser(), email)).status, 401)
  assert.equal((await signIn(openBrowser(), email, renewed)).status, 200)
})

test("a common password, or one derived from the person's or service's name, is rejected", async () => {
  const email = 'wanda.orsini@example.com'
  const { browser } = await person(email)
  const guessable = [
    ...['password1234', 'Password1234!', 'qwertyuiop12', '123456789012', 'aaaaaaaaaaaa', 'P@ssw0rd2026!'],
    ...['laurel123456', 'Mara Rossi 2026', 'wandaorsini1', 'Wanda.Orsini@example.com', 'qwerty'.repeat(40)],
    // Full-width letters are normalized for this check, as they are for hashing.
    'ｐａｓｓｗｏｒｄ１２３４',
  ]
  for (const password of guessable) {
    const body = { current_password: PASSWORD, password }
    const refused = await browser('POST', '/accounts/password', body)
    assert.deepEqual([refused.status, refused.body.code], [400, 'password_guessable'], password)
  }
  await browser('POST', '/accounts/password/reset-request', { email })
  const token = await mailedToken(email, 'reset')
  const reset = (password: string) => openBrowser()('POST', '/accounts/password/reset', { token, password })
  const weak = await reset('password1234')
  assert.deepEqual([weak.status, weak.body.code, weak.body.errors[0].field], [400, 'password_guessable', 'password'])
  assert.equal((await reset('x7Qa9fLm2pRt')).status, 200, 'the link is not used up')
  const { body } = await app.operator('POST', '/operator/staff', { email: 'wim@example.com', role: 'support' })
  assert.equal(body.status, 'invited')
  const invitation = { token: await mailedToken('wim@example.com', 'invitation'), name: 'Wim Janssen' }
  const accept = (password: string) =>
    openBrowser()('POST', '/accounts/invitations/accept', { ...invitation, password })
  assert.equal((await accept('wim janssen 1')).body.code, 'password_guessable')
  assert.equal((await accept(PASSWORD)).status, 200)
})

test('a sign-in with the old password is rejected if a reset commits first', async () => {
  const email = 'quinn@example.com'
  const { accountId } = await person(email)
  let isAnswered = false
  const { signing } = await app.owner.transaction(async (tx) => {
    await tx`
      update accounts set password = (select password from accounts where email = 'mara@example.com')
      where account_id = ${decodeId('acc', accountId)}`
    const signing = signIn(openBrowser(), email).finally(() => {
      isAnswered = true
    })
    // By now the sign-in has read the old password, and has either finished or is waiting for the row lock.
    await eventually(async () => isAnswered || (await isWaitingForLock()))
    return { signing }
  })
  assert.equal((await signing).body.code, 'sign_in_failed')
})

async function isWaitingForLock(): Promise<boolean> {
  const rows = await app.owner.reader`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length > 0
}

test('an invalid link is rejected before the password is hashed', async () => {
  const token = 'A'.repeat(43)
  const paths = { '/accounts/password/reset': {}, '/accounts/invitations/accept': { name: 'Eve' } }
  for (const [path, more] of Object.entries(paths)) {
    // Sends more requests than the hashing queue holds, so some would be refused as overloaded if they were hashed.
    const ask = () =>
      openBrowser()('POST', path, { token, password: PASSWORD, ...more }, { 'x-forwarded-for': '198.51.100.8' })
    const answers = await Promise.all(Array.from({ length: 80 }, ask))
    assert.deepEqual([...new Set(answers.map(({ body }) => body.code))], ['link_expired'], path)
  }
})

test('sessions can be listed and ended; changing the password requires the old one and ends the others', async () => {
  const email = 'sara@example.com'
  const { browser } = await person(email)
  const [second, third] = [openBrowser(), openBrowser()]
  await signIn(second, email)
  await signIn(third, email)
  const listed = (await browser('GET', '/accounts/sessions')).body.content
  assert.deepEqual(listed.map((one: { is_present: boolean }) => one.is_present).sort(), [false, false, true])
  const { session_id: ofThird } = (await third('GET', '/accounts/me')).body
  const foreign = await (await person('tina@example.com')).browser('DELETE', `/accounts/sessions/${ofThird}`)
  assert.equal(foreign.body.code, 'session_not_found')
  assert.equal((await browser('DELETE', `/accounts/sessions/${ofThird}`)).status, 200)
  await eventually(async () => (await third('GET', '/accounts/me')).status === 401)
  const change = (current_password: string) =>
    browser('POST', '/accounts/password', { current_password, password: 'another sentence altogether' })
  assert.equal((await change('wrong')).body.code, 'password_wrong')
  assert.equal((await change(PASSWORD)).status, 200)
  await eventually(async () => (await second('GET', '/accounts/me')).status === 401)
  assert.equal((await browser('GET', '/accounts/me')).status, 200)
  const { account_id: subject } = (await browser('GET', '/accounts/me')).body
  const { content: entries } = (await app.operator('GET', `/operator/audit?subject=${subject}`)).body
  assert.deepEqual(
    entries.map((entry: { action: string }) => entry.action),
    [
      'account.password_changed',
      ...Array.from({ length: 3 }, () => 'account.signed_in'),
      ...['account.accepted', 'account.invited'],
    ],
  )
  assert.equal((await browser('POST', '/accounts/sign-out')).status, 200)
  assert.equal((await browser('GET', '/accounts/me')).status, 401)
})

test('disabling an account signs its owner out immediately, and nobody can change their own role', async () => {
  const { browser, accountId } = await person('uma@example.com')
  const own = await browser('PATCH', `/operator/staff/${accountId}`, { role: 'support' })
  assert.deepEqual([own.status, own.body.code], [409, 'own_account'])
  assert.equal(
    (await app.operator('PATCH', `/operator/staff/${accountId}`, { disabled: true })).body.status,
    'disabled',
  )
  await eventually(async () => (await browser('GET', '/accounts/me')).status === 401)
  assert.equal((await signIn(openBrowser(), 'uma@example.com')).body.code, 'sign_in_failed')
  const [entry] = (await app.operator('GET', `/operator/audit?subject=${accountId}`)).body.content
  assert.deepEqual([entry.action, entry.before.disabled, entry.after.disabled], ['account.changed', false, true])
})

test('sessions and links from before an account was disabled remain invalid once it is enabled again', async () => {
  const email = 'ugo@example.com'
  const { browser, accountId } = await person(email)
  const invited = (await app.operator('POST', '/operator/staff', { email: 'ulla@example.com', role: 'support' })).body
  const invitation = await mailedToken('ulla@example.com', 'invitation')
  await browser('POST', '/accounts/password/reset-request', { email })
  const reset = await mailedToken(email, 'reset')
  const set = async (accountUid: string, disabled: boolean) =>
    assert.equal((await app.operator('PATCH', `/operator/staff/${accountUid}`, { disabled })).status, 200)
  for (const uid of [accountId, invited.account_id]) {
    await set(uid, true)
    await set(uid, false)
  }
  assert.equal((await browser('GET', '/accounts/me')).status, 401)
  const password = 'another sentence altogether'
  const attempts: [string, object][] = [
    ['/accounts/password/reset', { token: reset, password }],
    ['/accounts/invitations/accept', { token: invitation, name: 'Ulla', password }],
  ]
  for (const [path, body] of attempts)
    assert.equal((await openBrowser()('POST', path, body)).body.code, 'link_expired', path)
  assert.equal((await signIn(openBrowser(), email)).body.state, 'signed_in')
})

test('a cross-site request can neither sign a browser in nor change anything', async () => {
  const { browser } = await person('vera@example.com')
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const attempts: [string, object][] = [
    ['/accounts/sign-in', { email: 'vera@example.com', password: PASSWORD }],
    ['/accounts/sign-out', {}],
    ['/accounts/totp', {}],
  ]
  for (const [path, body] of attempts)
    assert.equal((await browser('POST', path, body, headers)).body.code, 'origin_refused', path)
  assert.equal((await browser('GET', '/accounts/me')).status, 200)
})

test('the first-start link signs an admin in once, and none is issued once an admin has a password', async () => {
  const make = () =>
    db.transaction((tx) => linkForFirstAdmin(tx, 'admin@laurel.localhost', toLocalActor('tests'), clock.now()))
  assert.equal(await make(), null, 'admins who were invited above have passwords')
  await app.owner.reader`delete from accounts`
  const token = await make()
  const browser = openBrowser()
  assert.equal((await browser('POST', '/accounts/enter', { token })).body.state, 'signed_in')
  const me = await browser('GET', '/accounts/me')
  assert.deepEqual([me.body.role, me.body.has_password], ['admin', false])
  assert.equal((await openBrowser()('POST', '/accounts/enter', { token })).body.code, 'link_expired')
  assert.notEqual(await make(), null)
  assert.equal((await browser('POST', '/accounts/password', { password: PASSWORD })).status, 200)
  assert.equal(await make(), null)
  assert.equal((await signIn(openBrowser(), me.body.email)).status, 200)
})

test('a sandbox displays its emails only to this machine, with user input escaped', async () => {
  const email = "x'<b>@example.com"
  const accountId = '00000000-0000-4000-8000-000000000001' as AccountId
  await app.owner.reader`
    insert into accounts (account_id, kind, role, email, name, created_at)
    values (${accountId}, 'operator', 'support', ${email}, 'X', now())`
  assert.equal((await app.operator('POST', `/operator/staff/${encodeId('acc', accountId)}/invite`)).status, 200)
  let page = ''
  await eventually(async () => {
    page = await (await fetch(`${url}/sandbox/mail`)).text()
    return page.includes('x&#39;&#60;b&#62;@example.com')
  })
  assert.ok(!page.includes('<b>'))
  const named = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      // fetch does not allow overriding the Host header.
      get(`${url}/sandbox/mail`, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      )
    })
  assert.deepEqual([await named('evil.example'), await named('localhost:8080'), await named('[::1]')], [404, 200, 200])
  const [, path = ''] = /href="(\/sandbox\/mail\/[^"]+)">[^<]*<\/a><br \/><span[^>]*>to x&#39;/.exec(page) ?? []
  assert.match(await (await fetch(url + path)).text(), /<a href="http[^"]+\/console\/invitation#[\w-]{43}">/)
})
