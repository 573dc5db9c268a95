import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeCaller, startTestApp, type Tenant, type TestApp } from '../../test/support/app.ts'
import { createAuthenticator } from '../../test/support/authenticator.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Browser, openBrowser } from '../../test/support/portal.ts'
import { type Account, allowAccounts, mailed, signedIn, signUp } from '../../test/support/portal-accounts.ts'
import { startOfSecond } from '../../test/support/still-clock.ts'
import { encodeId, toUserId } from '../platform/ids.ts'

let nowMs = startOfSecond()
let app: TestApp
let other: Tenant
let origin = ''

before(async () => {
  app = await startTestApp({ clock: { now: () => new Date(nowMs) } })
  other = await app.tenant()
  await allowAccounts(app, 'acorn')
  await allowAccounts(other, 'walnut')
  origin = (await app.person('GET', '/accounts/passkeys')).body.origin
})
after(() => app.close())

const MINUTE_MS = 60_000
type Device = ReturnType<typeof createAuthenticator>

const optionsFor = async (browser: Browser, path: string) => JSON.parse((await browser('POST', path)).text)
const toFields = ({ transports, ...made }: ReturnType<Device['make']>) => ({
  ...made,
  transports: transports.join(' '),
})

/** Adds a passkey as the page's script does. */
async function add(browser: Browser, base: string, name: string, device = createAuthenticator(origin)) {
  const path = `${base}/you/sign-in/passkeys`
  const { options } = await optionsFor(browser, `${path}/options`)
  const answer = await browser('POST', path, { passkey_name: name, ...toFields(device.make(options)) })
  assert.equal(answer.headers.get('location'), `${base}/you/sign-in?done=passkeyAdded`, answer.text)
  return { device, options }
}

async function signInBy(device: Device, base: string, browser = openBrowser(app), query = '') {
  const { options } = await optionsFor(browser, `${base}/sign-in/passkey/options`)
  return browser('POST', `${base}/sign-in/passkey${query}`, device.sign(options))
}

/** Creates a user with an account and a passkey, and returns the passkey's page. */
async function withPasskey(tenant: Tenant, user: string, email?: string) {
  const account = await signUp(app, tenant, user, email)
  const browser = await signedIn(app, account)
  const { device, options } = await add(browser, account.base, `Phone of ${user}`)
  const { text } = await browser('GET', `${account.base}/you/sign-in`)
  const page = /href="([^"]+\/passkeys\/psk_\w+)"/.exec(text)?.[1] ?? ''
  return { ...account, browser, device, options, page }
}

const refused = /This passkey is unknown or has been removed/

async function readAudit({ email }: Pick<Account, 'email'>) {
  const [row] = await app.owner.reader<
    { accountId: string }[]
  >`select account_id from accounts where email = ${email} and kind = 'user'`
  const subject = encodeId('acc', (row?.accountId ?? '') as never)
  const { body } = await app.operator('GET', `/operator/audit?subject=${subject}`)
  return body.content as { action: string; before: object; after: object }[]
}

test('a user adds a passkey, is notified by email, and signs in with the passkey at the same portal', async () => {
  const account = await withPasskey(app, 'ada')
  const { base, browser, device } = account
  assert.match(
    (await browser('GET', `${base}/you/sign-in`)).text,
    /Phone of ada<\/a><span>Added on [^<]* · Not used yet/,
  )
  assert.match(await mailed(app, account, /(A passkey was added to your account with .*)/), /Test/)
  const fresh = openBrowser(app)
  assert.match(
    (await fresh('GET', `${base}/sign-in`)).text,
    /data-passkey="[^"]+" data-origin="http:\/\/localhost:\d+"/,
  )
  const answer = await signInBy(device, base, fresh)
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, base], answer.text)
  assert.match((await fresh('GET', `${base}/you/sign-in`)).text, /Phone of ada<\/a><span>[^<]* · Last used on/)
  const [added] = await readAudit(account)
  const svc_user_id = encodeId('usr', toUserId(app.publisher.id, 'ada'))
  const publisher_id = encodeId('pub', app.publisher.id)
  assert.deepEqual(
    [added?.action, added?.after],
    ['account.passkey_added', { name: 'Phone of ada', publisher_id, svc_user_id }],
  )
})

test('a passkey opens only its own account, not one at another portal or in the console', async () => {
  const email = 'same@example.com'
  const ours = await withPasskey(app, 'bea', email)
  const theirs = await withPasskey(other, 'bea', email)
  for (const [device, base] of [
    [ours.device, theirs.base],
    [theirs.device, ours.base],
  ] as const) {
    const browser = openBrowser(app)
    const answer = await signInBy(device, base, browser)
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [422, []])
    assert.match(answer.text, refused)
    assert.equal((await browser('GET', base)).status, 401)
  }
  assert.equal((await signInBy(ours.device, ours.base)).status, 303)
  assert.equal((await signInBy(theirs.device, theirs.base)).status, 303)

  const stranger = makeCaller(app.service.url, null)
  const { options } = (await stranger('POST', '/accounts/passkeys/sign-in/options')).body
  const atConsole = await stranger('POST', '/accounts/passkeys/sign-in', ours.device.sign(options))
  assert.deepEqual([atConsole.status, atConsole.body.code], [401, 'sign_in_failed'])
  const device = createAuthenticator(origin)
  const begun = (await app.person('POST', '/accounts/passkeys/options')).body.options
  const made = await app.person('POST', '/accounts/passkeys', { name: 'Work', ...device.make(begun) })
  assert.equal(made.status, 200)
  assert.match((await signInBy(device, ours.base)).text, refused)
})

test('a device stores a passkey under the host and account ID, labeled with the address and the portal', async () => {
  const { options, email } = await withPasskey(app, 'cleo')
  const [row] = await app.owner.reader<
    { accountId: string }[]
  >`select account_id from accounts where email = ${email} and kind = 'user'`
  assert.deepEqual(options.rp, { name: 'Test', id: 'localhost' })
  assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), row?.accountId.replaceAll('-', ''))
  assert.equal(options.user.name, `${email} (Test)`)
})

test("adding a passkey requires a recent sign-in to the account, so a publisher's link is not enough", async () => {
  const account = await signUp(app, app, 'dora')
  const path = `${account.base}/you/sign-in/passkeys`
  const again = 'Please sign in again first.'
  assert.deepEqual(await optionsFor(account.browser, `${path}/options`), { options: null, refusal: again })
  const { text } = await account.browser('GET', `${account.base}/you/sign-in`)
  assert.ok(!text.includes('passkeys.js') && text.includes(`href="${account.base}/sign-in?again=yes"`))
  const browser = await signedIn(app, account)
  const { options } = await optionsFor(browser, `${path}/options`)
  const made = { passkey_name: 'Phone', ...toFields(createAuthenticator(origin).make(options)) }
  const byLink = await account.browser('POST', path, made)
  assert.ok(byLink.status === 422 && byLink.text.includes(again))
  for (const passkey_name of ['', ' ', 'x'.repeat(101)]) {
    const unnamed = await browser('POST', path, { ...made, passkey_name })
    assert.match(unnamed.text, /id="passkey_name-fault">Please name the device/)
  }
  assert.match((await browser('POST', path, { ...made, attestation_object: 'AAAA' })).text, /could not be verified/)
  nowMs += 10 * MINUTE_MS
  const late = await browser('POST', path, made)
  assert.ok(late.status === 422 && late.text.includes(again))
  assert.equal((await optionsFor(browser, `${path}/options`)).refusal, again)
  const { device } = await add(await signedIn(app, account), account.base, 'Phone')
  const back = await signInBy(device, account.base, openBrowser(app), '?again=yes')
  assert.equal(back.headers.get('location'), `${account.base}/you/sign-in`)
})

test('only its user can rename or remove a passkey, and a removed passkey no longer signs in', async () => {
  const account = await withPasskey(app, 'elsa')
  const { base, browser, device, page } = account
  const { browser: stranger } = await withPasskey(app, 'fay')
  assert.equal((await stranger('GET', page)).status, 404)
  assert.equal((await stranger('POST', page, { passkey_name: 'Mine' })).status, 404)
  assert.equal((await stranger('POST', `${page}/remove`, {})).status, 409)
  assert.match((await browser('POST', page, { passkey_name: '' })).text, /id="passkey_name-fault"/)
  assert.equal((await browser('POST', page, { passkey_name: '<b>Spare</b>' })).status, 303)
  assert.match((await browser('GET', page)).text, /<h1>&#60;b&#62;Spare/)
  assert.equal((await signInBy(device, base)).status, 303)
  assert.equal(
    (await browser('POST', `${page}/remove`, {})).headers.get('location'),
    `${base}/you/sign-in?done=passkeyRemoved`,
  )
  assert.equal((await browser('GET', page)).status, 404)
  assert.match((await signInBy(device, base)).text, refused)
  await mailed(app, account, /(A passkey was removed from your account)/)
  const actions = (await readAudit(account)).map(({ action, before }) => [action, before])
  assert.deepEqual(actions.slice(0, 2), [
    ['account.passkey_removed', { name: '<b>Spare</b>' }],
    ['account.passkey_renamed', { name: 'Phone of elsa' }],
  ])
})

test('a cross-site request gets no challenge and cannot sign anybody in', async () => {
  const { base, browser, device } = await withPasskey(app, 'gwen')
  for (const path of ['/sign-in/passkey/options', '/you/sign-in/passkeys/options'])
    assert.equal((await browser('POST', base + path, undefined, 'cross-site')).status, 409)
  const fresh = openBrowser(app)
  const { options } = await optionsFor(fresh, `${base}/sign-in/passkey/options`)
  const answer = await fresh('POST', `${base}/sign-in/passkey`, device.sign(options), 'cross-site')
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [409, []])
})

test('a passkey cannot sign in a deactivated user, or anyone at a portal without accounts', async () => {
  const tenant = await app.tenant()
  await allowAccounts(tenant, 'hazel')
  const { base, browser, device, page } = await withPasskey(tenant, 'hannah')
  const gone = await withPasskey(tenant, 'ivy')
  await tenant.call('DELETE', '/users/ivy')
  const answer = await signInBy(gone.device, base)
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [422, []])
  assert.match(answer.text, /Your account is not active/)
  const fresh = openBrowser(app)
  const { options } = await optionsFor(fresh, `${base}/sign-in/passkey/options`)
  await allowAccounts(tenant, 'hazel', false)
  assert.equal((await fresh('POST', `${base}/sign-in/passkey`, device.sign(options))).status, 404)
  assert.equal((await fresh('POST', `${base}/sign-in/passkey/options`)).status, 404)
  assert.equal((await browser('GET', page)).status, 401)
})

test('an erasure deletes the user’s passkeys and removes device names from the audit log', async () => {
  const { base, email, browser, device, page } = await withPasskey(app, 'jane')
  await browser('POST', page, { passkey_name: 'Tablet of jane' })
  await browser('POST', `${base}/you/delete`, { confirm: 'delete' })
  await eventually(async () => {
    const rows = await app.owner.reader`
      select from audit_log where coalesce(before::text, '') || coalesce(after::text, '') ~ 'Phone of jane|Tablet of jane'`
    return rows.length === 0
  })
  const left = await app.owner.reader`
    select p.passkey_id from passkeys p left join accounts a on a.account_id = p.account_id
    where p.name ~ 'jane' or a.email = ${email}`
  assert.equal(left.length, 0)
  assert.match((await signInBy(device, base)).text, refused)
})
