import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { enterActive, openBrowser } from '../../test/support/portal.ts'
import { openRedeemer, type Redeemer } from '../../test/support/redemptions.ts'
import { newUuid, toUserId } from '../platform/ids.ts'
import { insertUserAccount } from '../tenants/accounts/sign-up-queries.ts'

const LOOK = { slug: 'acorn', shown_name: 'Acorn Pay', hue: 42, chroma: 0.16, frame_ancestors: [] }
let aheadMs = 0
let app: TestApp
let tenant: Redeemer

before(async () => {
  app = await startTestApp({ clock: { now: () => new Date(Date.now() + aheadMs) } })
  await app.catalog(CATALOG)
  tenant = await openRedeemer(app)
  await tenant.call('PUT', '/portal/settings', { ...LOOK, allows_accounts: true })
})
after(() => app.close())

type Kept = { readonly to: string; readonly subject: string; readonly text: string; readonly unsubscribe?: string }

async function mailsTo(user: string): Promise<Kept[]> {
  const folder = join(app.service.config.dataDir, 'mails')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  const mails = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
  return mails.filter(({ to }) => to === `${user}@example.com`)
}

/** Creates a user with an account who has chosen these notifications. */
async function subscribe(user: string, wishes: readonly string[]) {
  const entered = await enterActive(app, tenant, user)
  const whose = { publisherId: tenant.publisher.id, userId: toUserId(tenant.publisher.id, user) }
  const account = { ...whose, accountId: newUuid<'account'>(), email: `${user}@example.com`, name: 'x', password: 'x' }
  await app.service.db.transaction((tx) => insertUserAccount(tx, account, new Date()))
  const saved = await choose(entered, wishes)
  assert.equal(saved.headers.get('location'), `${entered.base}/you/sign-in?done=mails`, saved.text)
  return entered
}

const choose = ({ browser, base }: Awaited<ReturnType<typeof enterActive>>, wishes: readonly string[]) =>
  browser('POST', `${base}/you/sign-in/mails?lang=en`, Object.fromEntries(wishes.map((wish) => [wish, 'yes'])))

/** Buys two gift cards, each of which earns 2, and waits until the rewards are available. */
async function earn(user: string): Promise<void> {
  const purchase = { publisher_user_id: user, source: 'GIFT_CARD', offer_uid: 'offer-gadgets-gift', amount: 50 }
  for (const external_id of [`${user} 1`, `${user} 2`])
    assert.equal((await tenant.call('POST', '/transactions', { ...purchase, external_id })).status, 200)
  await tenant.days(60)
}

const waiting = () => app.owner.reader`select kind from user_mails`

test('users get only the notifications they chose, and simultaneous events result in one email', async () => {
  const entered = await subscribe('nell', ['reward_ready'])
  const { text } = await entered.browser('GET', `${entered.base}/you/sign-in`)
  assert.deepEqual(text.match(/name="\w+" value="yes" checked/g), ['name="reward_ready" value="yes" checked'])
  await subscribe('olga', [])
  for (const user of ['nell', 'olga']) await earn(user)
  assert.deepEqual([...(await waiting())], [{ kind: 'reward_ready' }])
  aheadMs += 61_000
  const mail = await eventually(async () => (await mailsTo('nell'))[0])
  assert.deepEqual([mail.subject, (await mailsTo('olga')).length], ['Your rewards with Acorn Pay are ready', 0])
  assert.match(mail.text, /\/portal\/acorn\/redeem\n/)
  assert.ok(mail.unsubscribe !== undefined && mail.text.includes(mail.unsubscribe))
})

test('the link in an email stops that kind of email in one click, without signing in', async () => {
  const entered = await subscribe('pia', ['reward_ready', 'card_broken'])
  await earn('pia')
  aheadMs += 61_000
  const { unsubscribe = '' } = await eventually(async () => (await mailsTo('pia'))[0])
  const path = new URL(unsubscribe).pathname
  const wishes = async () =>
    (await entered.browser('GET', `${entered.base}/you/sign-in`)).text.match(/checked/g)?.length
  assert.equal((await openBrowser(app)('GET', path)).status, 200)
  assert.equal(await wishes(), 2, 'a program that opens the link stops nothing')
  for (const forged of [`${path}x`, path.replace('reward_ready', 'card_broken'), path.replace('reward_ready', 'other')])
    assert.equal((await openBrowser(app)('POST', forged, {})).status, 404, forged)
  const body = new FormData()
  body.set('List-Unsubscribe', 'One-Click')
  const posted = await fetch(new URL(path, app.service.url), { method: 'POST', body })
  assert.equal(posted.status, 200, await posted.text())
  assert.equal(await wishes(), 1)
  assert.equal((await openBrowser(app)('POST', path, { 'List-Unsubscribe': 'One-Click' }, 'cross-site')).status, 200)
})

test('an unsubscribe link keeps working when the portal’s slug changes', async () => {
  await subscribe('sven', ['reward_ready'])
  await earn('sven')
  aheadMs += 61_000
  const { unsubscribe = '' } = await eventually(async () => (await mailsTo('sven'))[0])
  await tenant.call('PUT', '/portal/settings', { ...LOOK, slug: 'oak' })
  const other = await app.tenant()
  await other.call('PUT', '/portal/settings', LOOK)
  assert.equal((await openBrowser(app)('POST', new URL(unsubscribe).pathname, {})).status, 200)
  const rows = await app.owner.reader`
    select from user_mail_preferences where user_id = ${toUserId(tenant.publisher.id, 'sven')}`
  assert.equal(rows.length, 0)
  await other.call('PUT', '/portal/settings', { ...LOOK, slug: 'elm' })
  await tenant.call('PUT', '/portal/settings', LOOK)
})

test('a queued email is not sent to a user who has since unsubscribed', async () => {
  aheadMs = 0
  const entered = await subscribe('tess', ['reward_ready'])
  await earn('tess')
  assert.equal((await choose(entered, [])).status, 303)
  aheadMs += 61_000
  await eventually(async () => (await waiting()).length === 0)
  assert.deepEqual(await mailsTo('tess'), [])
})

test('users without an account cannot choose notifications, and deactivated users get none', async () => {
  // The queued email becomes due only after the user is deactivated.
  aheadMs = 0
  const { browser, base } = await enterActive(app, tenant, 'quin')
  assert.equal((await browser('POST', `${base}/you/sign-in/mails`, { reward_ready: 'yes' })).status, 422)
  await subscribe('rosa', ['reward_ready'])
  await earn('rosa')
  await tenant.call('DELETE', '/users/rosa')
  aheadMs += 61_000
  await eventually(async () => (await waiting()).length === 0)
  assert.deepEqual(await mailsTo('rosa'), [])
})
