import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { decodeId, encodeId } from '../../src/platform/ids.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { issueToken } from '../../src/tenants/accounts/tokens.ts'
import { CATALOG, makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { followAddress, followMenu, signedInPages, waitForRest } from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

// Console forms keep their input and submit it only once, and every page has a title.

// On a connection with 400 ms latency and 400 kbit/s, 16 requests and 250 KB take about eight seconds.
const FIRST_PAGE_MAX_REQUESTS = 16
const FIRST_PAGE_MAX_BYTES = 250_000
const PASSWORD = 'a sentence that nobody guesses'
const openPage = useBrowser()
let app: TestApp
let openConsole: Awaited<ReturnType<typeof signedInPages>>
let publisherId = ''

before(async () => {
  const consoleFolder = buildConsole()
  app = await startTestApp({ consoleFolder })
  // On a busy machine, the build takes longer than a browser waits for a page.
  await consoleFolder
  await app.catalog(CATALOG)
  publisherId = encodeId('pub', app.publisher.id)
  openConsole = await signedInPages(app, openPage)
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
})
after(() => app.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const agree = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Selects the dialog by name, because toasts are dialogs too. */
const proposal = (page: Page) => page.getByRole('dialog', { name: 'Propose an adjustment' })

async function proposeInto(page: Page, amount: string): Promise<void> {
  await press(page, 'Propose an adjustment')
  const dialog = proposal(page)
  await dialog.getByLabel('User').fill('ada')
  await dialog.getByLabel(/^Amount/).fill(amount)
  await dialog.getByLabel('Reason').fill('A late welcome')
}

test('clicking outside a dialog keeps its input, and Escape asks for confirmation before discarding it', async (t) => {
  const page = await openConsole(t, '/adjustments')
  await proposeInto(page, '5')
  await page.mouse.click(5, 5)
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'A late welcome')
  await page.keyboard.press('Escape')
  await agree(page, 'Keep editing')
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'A late welcome')
  await page.keyboard.press('Escape')
  await agree(page, 'Discard')
  await dialog.waitFor({ state: 'detached' })
})

test('the dialog that shows a new key has no Cancel and closes only with its button', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/keys`)
  await press(page, 'New key')
  await agree(page, 'Create the key')
  const shown = page.getByRole('dialog', { name: 'Keep this key' })
  await shown.waitFor()
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  assert.match(await shown.innerText(), /lrl_sandbox_/)
  assert.equal(await shown.getByRole('button', { name: 'Cancel' }).count(), 0)
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await shown.waitFor({ state: 'detached' })
})

test('a double click sends one request, and a retry after a lost response reuses the Idempotency-Key', async (t) => {
  const page = await openConsole(t, '/adjustments')
  await proposeInto(page, '2')
  const keys: (string | undefined)[] = []
  let isLost = true
  await page.route('**/operator/adjustments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (!isLost) return route.continue()
    isLost = false
    await route.fetch()
    return route.abort('connectionreset')
  })
  const twice = () =>
    page.evaluate(`{
      const button = [...document.querySelectorAll('[role=dialog] button')].find((one) => one.textContent === 'Propose it')
      button.click()
      button.click()
    }`)
  await twice()
  await proposal(page).getByRole('alert').waitFor()
  assert.equal(keys.length, 1)
  await twice()
  await proposal(page).waitFor({ state: 'detached' })
  assert.equal(keys.length, 2)
  assert.ok(keys[0] !== undefined && keys[0] === keys[1])
  const { body } = await app.operator('GET', `/operator/adjustments?publisher_id=${publisherId}`)
  assert.equal(body.content.length, 1, JSON.stringify(body.content))
  // Submitting the same amount again is a new request.
  await proposeInto(page, '2')
  await twice()
  await proposal(page).waitFor({ state: 'detached' })
  assert.equal(new Set(keys).size, 2)
})

test('navigating away from unsaved settings or reloading the page requires confirmation', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/settings`)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Acme Rewards')
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await agree(page, 'Stay')
  assert.equal(await name.inputValue(), 'Acme Rewards')
  const asked = page.waitForEvent('dialog')
  const closed = page.reload()
  const question = await asked
  assert.equal(question.type(), 'beforeunload')
  await question.accept()
  await closed
  await name.fill('Acme Rewards')
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await agree(page, 'Leave')
  await page.getByRole('button', { name: 'New key' }).waitFor()
})

/** Saves the form with this heading on a page that has several. */
const saveForm = (page: Page, name: string) =>
  page
    .locator('form', { has: page.getByRole('heading', { name, exact: true }) })
    .getByRole('button', { name: /^Save/ })
    .click()

test('a setting that someone else changes in the meantime is not overwritten', async (t) => {
  const path = `/operator/publishers/${publisherId}`
  const page = await openConsole(t, `/publishers/${publisherId}/settings`)
  const share = page.getByLabel('Publisher’s share')
  await share.fill('33')
  await page.getByLabel('Needs approval above').fill('7')
  const theirs = { share_percent: 15, limits: { currency: 'USD', redemption_review_above: 9 } }
  assert.equal((await app.operator('PATCH', path, theirs)).status, 200)
  // The response to a save contains all current settings, and every section displays them.
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await saveForm(page, 'General')
  await page.getByText('Settings saved').first().waitFor()
  for (const [form, field] of [
    ['Split of commissions', 'share_percent. It is now 15'],
    ['USD', 'limits.redemption_review_above. It is now 9'],
  ] as const) {
    await saveForm(page, form)
    await page.getByText(`Someone else has changed ${field}`).waitFor()
  }
  const { body } = await app.operator('GET', path)
  assert.deepEqual([body.name, body.share_percent, body.limits[0].redemption_review_above], ['Acme', 15, 9])
  // After the warning, the user may overwrite the other person's change.
  assert.equal(await share.inputValue(), '33')
  await saveForm(page, 'Split of commissions')
  await eventually(async () => (await app.operator('GET', path)).body.share_percent === 33)
})

test("editing one field of a portal or endpoint preserves other people's changes to its other fields", async (t) => {
  const portal = { slug: 'ours', shown_name: null, hue: 40, chroma: 0.1, frame_ancestors: [] }
  await app.call('PUT', '/portal/settings', portal)
  const page = await openConsole(t, `/publishers/${publisherId}/portal`)
  await page.getByLabel('Hue').press('ArrowRight')
  await app.call('PUT', '/portal/settings', { ...portal, slug: 'theirs' })
  await press(page, 'Save')
  await page.getByText('Someone else has changed slug. It is now "theirs"').waitFor()
  await press(page, 'Save')
  await page.getByText('Portal changed').waitFor()
  const { slug, hue } = (await app.call('GET', '/portal/settings')).body
  assert.deepEqual([slug, hue], ['theirs', 41])

  const url = 'http://127.0.0.1:9/ours'
  const endpoint = `/webhooks/endpoints/${(await app.call('POST', '/webhooks/endpoints', { url })).body.endpoint_id}`
  await followAddress(page, `/publishers/${publisherId}/webhooks`)
  await press(page, `More actions for ${url}`)
  await page.getByRole('menuitem', { name: 'Change' }).click()
  await page.getByLabel('Description').fill('Mine')
  const theirs = { url: 'http://127.0.0.1:9/theirs', description: 'Theirs' }
  assert.equal((await app.call('PATCH', endpoint, theirs)).status, 200)
  await agree(page, 'Save')
  await page.getByText('Someone else has changed description. It is now "Theirs"').waitFor()
  await agree(page, 'Save')
  await page.getByText('Endpoint changed').waitFor()
  const { body } = await app.call('GET', endpoint)
  assert.deepEqual([body.url, body.description], [theirs.url, 'Mine'])
})

test('a session that ends while a form is open is renewed in place without losing the input', async (t) => {
  const { body } = await app.operator('POST', '/operator/staff', { email: 'ivy@laurel.example', role: 'admin' })
  const accountId = decodeId<'account'>('acc', body.account_id)
  assert(accountId !== null)
  const token = await app.service.db.transaction((tx) => issueToken(tx, accountId, 'invitation', new Date()))
  const accepted = { token, name: 'Ivy', password: PASSWORD }
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }
  await makeCaller(app.service.url, null)('POST', '/accounts/invitations/accept', accepted, sameOrigin)
  const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 800 } })
  await page.goto(`${app.service.url}/console/sign-in?next=/adjustments`)
  const signIn = async () => {
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Sign in')
  }
  await page.getByLabel('Email').fill('ivy@laurel.example')
  await signIn()
  await proposeInto(page, '3')
  await page.evaluate(`fetch('/accounts/sign-out', { method: 'POST' })`)
  await agree(page, 'Propose it')
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.waitFor()
  assert.equal(await again.getByLabel('Email').inputValue(), 'ivy@laurel.example')
  await signIn()
  await again.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Reason').inputValue(), 'A late welcome')
  await press(page, 'Propose it')
  await page.getByText('Adjustment booked').waitFor()
})

test('pages set the tab title, and following a link focuses the page heading', async (t) => {
  const page = await openConsole(t, '/')
  const rest = waitForRest(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const [link, path, title] of [
    ['Claims', '/claims', 'Claims'],
    ['Ledger', '/ledger', 'Ledger'],
    ['All users', '/users', 'All users'],
  ] as const) {
    await followMenu(page, link)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/console${path}`)
    assert.equal(await page.title(), `${title} · Laurel console`)
    assert.equal(await page.evaluate('document.activeElement.textContent'), title)
  }
  await followAddress(page, '/no-such-page')
  await rest()
  assert.equal(await page.title(), 'Page not found · Laurel console')
})

test('the first page stays within its request and byte budget, and renders before its script loads', async (t) => {
  const page = await openConsole(t, '/reset')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  const answers: Promise<{ responseBodySize: number }>[] = []
  page.on('requestfinished', (request) => answers.push(request.sizes()))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${app.service.url}/console/`, { waitUntil: 'commit' })
  await page.getByText('Loading the console').waitFor()
  release()
  await page.getByText('Ready for users to redeem').waitFor()
  assert.equal(await page.getByText('Loading the console').isVisible(), false)
  const sizes = await Promise.all(answers)
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  t.diagnostic(`${sizes.length} requests, ${bytes} bytes`)
  assert(sizes.length <= FIRST_PAGE_MAX_REQUESTS, `${sizes.length} requests`)
  assert(bytes <= FIRST_PAGE_MAX_BYTES, `${bytes} bytes`)
})
