import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { consoleCookie, invitePerson, openSession, type Role, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'

// Staff manage users and publishers in the console, in a browser, against the real service.

const MARKUP = '<img src=x onerror="throw 1">'
const openPage = useBrowser()
const consoleFolder = buildConsole()
let app: TestApp
let publisherId = ''

before(async () => {
  app = await startTestApp({ consoleFolder })
  await app.catalog(CATALOG)
  publisherId = encodeId('pub', app.publisher.id)
  const settings = { ownCardFeed: true }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  for (const publisher_user_id of ['ada', 'ben']) {
    const attributes = { note: MARKUP }
    await app.call('POST', '/users', { publisher_user_id, email: `${publisher_user_id}@example.com`, attributes })
    await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  }
})
after(() => app.close())

/** Opens a page as a new staff member of the operating company with this role. */
async function openConsole(t: TestContext, path: string, role: Role = 'admin'): Promise<Page> {
  const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 800 }, acceptDownloads: true })
  const token = await app.service.db.transaction(async (tx) => {
    const email = `${role}-${Math.random()}@laurel.example`
    const { accountId } = await invitePerson(tx, { publisherId: null, role, email }, toLocalActor('tests'), new Date())
    const seen = { address: '127.0.0.1', userAgent: 'Chromium' }
    return (await openSession(tx, { kind: 'operator', accountId }, seen, new Date())).token
  })
  await page.context().addCookies([{ name: consoleCookie(app.service.url), value: token, url: app.service.url }])
  await page.goto(`${app.service.url}/console${path}`)
  return page
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }).click()
const told = (page: Page, text: string) => page.getByText(text).first().waitFor()

test('a user is found by email; one person proposes an adjustment, another books it; data is exported', async (t) => {
  const page = await openConsole(t, '/audit', 'support')
  // Someone whose role does not include a page sees why, and can still search.
  await page.getByText('does not include audit:read').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill('ada@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor()
  // User-written text is displayed as plain text. If the markup ran, it would cause a script error.
  await page.getByText('onerror').first().waitFor()

  await press(page, 'Adjust')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in USD').fill('400')
  await dialog.getByLabel('Reason').fill('A large purchase was lost')
  await confirm(page, 'Propose it')
  await told(page, 'Another person in finance must book it')
  assert.equal((await app.call('GET', '/users/status/ada')).body.available_cashback, 0)
  assert.equal(await page.getByRole('button', { name: 'Book it' }).getAttribute('aria-disabled'), 'true')
  const finance = await openConsole(t, `/publishers/${publisherId}/users/ada`, 'finance')
  await press(finance, 'Book it')
  await told(finance, 'Adjustment booked')
  assert.equal((await app.call('GET', '/users/status/ada')).body.available_cashback, 400)

  await press(page, 'Export')
  const download = page.waitForEvent('download')
  await confirm(page, 'Download')
  assert.equal((await download).suggestedFilename(), 'archive_ada.json')
})

async function claim(external_ref: string): Promise<string> {
  const claimed = { publisher_user_id: 'ada', external_ref, kind: 'missing', brand_uid: 'brand-market', amount: 40 }
  const { status, body } = await app.call('POST', '/claims', claimed)
  assert.equal(status, 200, JSON.stringify(body))
  return body.claim_id
}

test('a grant above the limit is proposed by one person and booked by another, whose name is displayed', async (t) => {
  const limits = { currency: 'USD', adjustment_alone_max: 0 }
  await app.operator('PATCH', `/operator/publishers/${publisherId}`, { limits })
  const claimId = await claim('above')
  const page = await openConsole(t, `/claims/${claimId}`, 'finance')
  await press(page, 'Grant')
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByLabel('Amount in USD').inputValue(), '2')
  await dialog.getByLabel('Paid by').selectOption('publisher')
  await dialog.getByLabel('Reason').fill('The shop confirmed it')
  await confirm(page, 'Grant')
  await told(page, 'Grant proposed')
  await page.locator('#main').getByText('Grant proposed').waitFor()
  await page.getByRole('heading', { name: 'A grant of $2.00' }).waitFor()
  for (const name of ['Grant', 'Decline'])
    await page.getByRole('button', { name, exact: true, disabled: true }).waitFor()

  const second = await openConsole(t, `/claims/${claimId}`, 'finance')
  await second.getByRole('link', { name: 'Book or decline it under Adjustments' }).click()
  await press(second, 'Book')
  await confirm(second, 'Book it')
  await told(second, 'Adjustment booked')
  await page.reload()
  await page.getByRole('heading', { name: '$2.00 granted' }).waitFor()
  const { decided_by_name: decider, adjustment } = (await app.operator('GET', `/operator/claims/${claimId}`)).body
  assert.notEqual(decider, adjustment.proposed_by_name)
  for (const [name, value] of [
    ['Paid by', 'The publisher'],
    ['Reason', 'The shop confirmed it'],
    ['Booked by', decider],
    ['Decided by', decider],
  ])
    await page
      .locator('dl > div')
      .filter({ hasText: `${name}${value}` })
      .waitFor()
})

test('a claim granted by an event shows the purchase and its reward', async (t) => {
  const limits = { currency: 'USD', adjustment_alone_max: 50 }
  await app.operator('PATCH', `/operator/publishers/${publisherId}`, { limits })
  const claimId = await claim('by-event')
  const event = { source: 'CARD', external_id: 'found', brand_uid: 'brand-market', amount: 40 }
  const granted = await app.operator('POST', `/operator/claims/${claimId}/grant`, { event })
  assert.equal(granted.status, 200, JSON.stringify(granted.body))
  const page = await openConsole(t, `/claims/${claimId}`)
  await page.getByRole('heading', { name: 'The purchase' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'reward $2.00' }).getByRole('link').click()
  await page.waitForURL(`**/transactions/${granted.body.granted_transaction_uid}`)
})

test('a user is deactivated, reactivated, and erased only after their identifier has been typed', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/users/ben`)
  await press(page, 'Deactivate')
  await confirm(page, 'Deactivate')
  await told(page, 'User deactivated')
  assert.equal((await app.call('GET', '/users/ben')).body.account_status, 'INACTIVE')
  await press(page, 'Reactivate')
  await confirm(page, 'Reactivate')
  await told(page, 'User reactivated')
  await press(page, 'Erase')
  const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase for good' })
  assert.equal(await erase.getAttribute('aria-disabled'), 'true')
  await page.getByLabel('Type ben to confirm').fill('ben')
  await erase.click()
  await page.getByText('The user is erased').waitFor()
  await confirm(page, 'Done')
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  assert.equal((await app.call('GET', '/users/ben')).status, 404)
})

test('the page of a publisher without users explains how to register one, and reports invalid input', async (t) => {
  const fresh = await app.tenant()
  const own = `/publishers/${encodeId('pub', fresh.publisher.id)}`
  const page = await openConsole(t, `${own}/transactions`)
  await page.getByRole('link', { name: 'Buy something in the sandbox' }).waitFor()
  await page.goto(`${app.service.url}/console${own}/users`)
  await press(page, 'Register a user')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('The publisher’s id for the user').fill('nia')
  await dialog.getByLabel('ZIP code').fill('7')
  await confirm(page, 'Register')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('ZIP code').fill('78701')
  await confirm(page, 'Register')
  await page.getByRole('heading', { level: 1, name: 'nia' }).waitFor()
  assert.equal((await fresh.call('GET', '/users/nia')).body.primary_zip_code, '78701')
})

test('a split is previewed before saving; a key is displayed once and stops working when revoked', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/settings`)
  await page.getByLabel('Service fee').fill('10')
  await page.getByLabel('Publisher’s share').fill('20')
  await page.getByText('$3.50').waitFor()
  const split = page.locator('form', { has: page.getByRole('heading', { name: 'Split of commissions' }) })
  await split.getByRole('button', { name: 'Save' }).click()
  await told(page, 'Settings saved')

  await page.getByRole('link', { name: 'Keys' }).click()
  await press(page, 'New key')
  await confirm(page, 'Create the key')
  const copy = await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Copy / })
    .getAttribute('aria-label')
  const key = copy?.slice('Copy '.length) ?? ''
  const asked = async () =>
    (await fetch(`${app.service.url}/publishers/me`, { headers: { authorization: `Bearer ${key}` } })).status
  assert.equal(await asked(), 200)
  await confirm(page, 'I have saved it')
  await page
    .getByRole('row', { name: new RegExp(key.slice(-4)) })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await confirm(page, 'Revoke it')
  await told(page, 'Key revoked')
  assert.equal(await asked(), 401)
})
