import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { type Browser, enterActive, enterPortal, hiddenFields } from '../../test/support/portal.ts'
import { openRedeemer, type Redeemer } from '../../test/support/redemptions.ts'
import { encodeId } from '../platform/ids.ts'

// Users must be able to get what they have already earned, even if they do not accept new terms.

let app: TestApp
let tenant: Redeemer
let browser: Browser
let base = ''
const CHANGES = { en: 'Gift cards are new.', de: 'Geschenkkarten sind neu.' }

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  tenant = await openRedeemer(app)
  await tenant.user('ada', 10)
  ;({ browser, base } = await enterActive(app, tenant, 'ada'))
  await publish({ revision: '2' })
  await publish({ revision: '3', changes: CHANGES })
})
after(() => app.close())

async function publish(terms: { readonly revision: string; readonly changes?: object }): Promise<void> {
  const publisher_id = encodeId('pub', tenant.publisher.id)
  const { body: clock } = await tenant.call('GET', '/sandbox/clock')
  const required_from = clock.now
  const url = `https://example.com/terms/${terms.revision}`
  const { status, body } = await app.operator('POST', '/operator/terms', { ...terms, url, publisher_id, required_from })
  assert.equal(status, 200, JSON.stringify(body))
}

test('new terms are shown with the changes since the accepted revision and the effects of not agreeing', async () => {
  const home = await browser('GET', base)
  assert.equal(home.headers.get('location'), `${base}/terms`)
  const { text } = await browser('GET', `${base}/terms`)
  assert.match(text, /<h1[^>]*>The terms have changed<\/h1>/)
  // Revision 2 has no description of its changes, so the page links to its text and to that of the accepted revision.
  for (const revision of ['1', '2', '3'])
    assert.match(text, new RegExp(`href="[^"]*terms[^"]*"[^>]*>[^<]*\\b${revision}\\b`))
  assert.match(text, /Gift cards are new\./)
  assert.match(text, /What you have earned stays yours/)
  assert.match(text, /before you accept earn nothing/)
  for (const path of ['/redeem', '/purchases', '/cards', '/you/export?format=csv', '/you/delete'])
    assert.ok(text.includes(`href="${base}${path}"`), path)
  assert.match((await browser('GET', `${base}/terms?lang=de`)).text, /Geschenkkarten sind neu\./)
  assert.match((await browser('GET', `${base}/terms?lang=es`)).text, /lang="en">Gift cards are new\./)
})

test('users who have not accepted new terms see a note, but can access their money and data, or leave', async () => {
  const open = ['/purchases', '/redeem', '/redeem/account', '/redemptions', '/gift-cards', '/statement', '/claims']
  for (const path of [...open, '/claims/new', '/cards', '/you', '/you/sign-in', '/you/delete', '/offers']) {
    const { status, text } = await browser('GET', base + path)
    assert.equal(status, 200, path)
    assert.match(text, /Until you accept the current terms, your purchases earn nothing\./, path)
    assert.match(text, /<nav class="tabs"/, path)
  }
  assert.match((await browser('GET', `${base}/you`)).text, /You have not accepted the current terms\./)
  assert.equal((await browser('GET', `${base}/you/export?format=json`)).status, 200)
})

test('without accepting new terms, users can redeem, but must accept them to earn more', async () => {
  const redeem = await browser('GET', `${base}/redeem`)
  const fields = { ...hiddenFields(redeem.text, `${base}/redeem`), amount: '10', method: 'publisher' }
  const redeemed = await browser('POST', `${base}/redeem`, fields)
  assert.match(redeemed.headers.get('location') ?? '', /\/redemptions\/rdm_\w+\?done=redeemed$/, redeemed.text)
  for (const path of ['/cards', '/cards/token', '/offers/offer-market/activation', '/offers/offer-market/code'])
    assert.equal((await browser('POST', base + path, {})).headers.get('location'), `${base}/terms`, path)
})

test('without accepting new terms, users can redeem, unlink, export their data and leave through the API', async () => {
  const { call } = tenant
  assert.equal((await call('GET', '/users/status/ada')).body.account_status, 'PENDING')
  // None of these calls is refused because of the user's status.
  const answers = [
    await call('POST', '/redemptions', { publisher_user_id: 'ada', method: 'publisher', amount: 1 }),
    await call('DELETE', '/linker/access-token/ada/ins_none'),
    await call('GET', '/users/ada/archive'),
  ]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [409, 'balance_insufficient'],
      [404, 'link_not_found'],
      [200, undefined],
    ],
  )
  const deactivated = await call('DELETE', '/users/ada')
  assert.match(deactivated.body.detail, /pending=true/)
})

test('without accepting any terms, users can delete their account', async () => {
  const leaver = await enterPortal(app, tenant, 'leaver')
  const { status, headers } = await leaver.browser('POST', `${leaver.base}/you/delete`, { confirm: 'delete' })
  assert.equal(status, 303)
  assert.doesNotMatch(headers.get('location') ?? '', /terms/)
  assert.equal((await tenant.call('GET', '/users/status/leaver')).status, 404)
})

test('users who have accepted no terms see the current terms without a list of changes', async () => {
  const newcomer = await enterPortal(app, tenant, 'newcomer')
  assert.equal((await newcomer.browser('GET', newcomer.base)).headers.get('location'), `${newcomer.base}/terms`)
  const { text } = await newcomer.browser('GET', `${newcomer.base}/terms`)
  assert.match(text, /<h1[^>]*>Before you begin<\/h1>/)
  assert.doesNotMatch(text, /changed|Gift cards are new/)
})

test('the home page lists the changes in upcoming terms', async () => {
  const other = await app.tenant()
  const reader = await enterActive(app, other, 'reader')
  const publisher_id = encodeId('pub', other.publisher.id)
  const announced = { url: 'https://example.com/next', revision: 'next', publisher_id, changes: CHANGES }
  assert.equal((await app.operator('POST', '/operator/terms', announced)).status, 200)
  assert.match((await reader.browser('GET', reader.base)).text, /Gift cards are new\./)
  const { body } = await other.call('GET', '/terms')
  assert.deepEqual(body.announced[0].changes, CHANGES)
})
