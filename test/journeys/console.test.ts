import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { CONSOLE_COOKIE, linkForFirstAdmin, localActor, openSession } from '../../src/accounts/index.ts'
import { buildConsole } from '../../src/fronts/index.ts'
import { decodeId, encodeId } from '../../src/platform/ids.ts'
import { changeSettings } from '../../src/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// What people of the operating company do at the console, in a browser, against the real service.

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const FIRST_ROUTE_MAX_BYTES = 180 * 1024
const PASSWORD = 'a sentence that nobody guesses'
const MARKUP = '<img src=x onerror="throw 1">'
const REVIEWED = 10

const openPage = useBrowser()
const consoleFolder = buildConsole()
let app: TestApp
let cookies: { name: string; value: string; url: string }[] = []
let publisherId = ''
let transactionUid = ''
let claimId = ''

before(async () => {
  app = await startTestApp({ consoleFolder })
  await app.catalog(CATALOG)
  publisherId = encodeId('pub', app.publisher.id)
  await openSessionOf('mara@laurel.example')
  const settings = { ownCardFeed: true, redemptionReviewAbove: 1n }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  transactionUid = (await buy('told', 'CORNER MARKET', { order_id: MARKUP })).transaction_uid
  await openReviews()
  const claim = { publisher_user_id: 'ada', external_ref: 'claim', kind: 'missing', merchant: MARKUP, amount: 20 }
  claimId = (await app.call('POST', '/claims', claim)).body.claim_id
  await app.call('POST', `/claims/${claimId}/notes`, { text: MARKUP })
})
after(() => app.close())

/** Of an admin who was invited; the pages of all tests but the first, which signs in, have its cookie. */
async function openSessionOf(email: string): Promise<void> {
  const { body } = await app.operator('POST', '/operator/staff', { email, role: 'admin' })
  const accountId = decodeId<'account'>('acc', body.account_id)
  assert(accountId !== null)
  const seen = { address: '127.0.0.1', userAgent: 'Chromium' }
  const { token } = await app.service.db.transaction((tx) =>
    openSession(tx, { kind: 'operator', accountId }, seen, new Date()),
  )
  cookies = [{ name: CONSOLE_COOKIE, value: token, url: app.service.url }]
}

async function buy(external_id: string, merchant_descriptor: string, more: object = {}) {
  const purchase = { publisher_user_id: 'ada', source: 'CARD', external_id, kind: 'CLEARING', amount: 40 }
  const { status, body } = await app.call('POST', '/transactions', { ...purchase, merchant_descriptor, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Purchases at shops that resemble a brand, until enough of them wait for a person. */
async function openReviews(): Promise<void> {
  for (let index = 0; index < 200; index++) {
    const word = `${'BCDFGHJKLMNP'[index % 12]}A${'RSTVWXZ'[index % 7]}ING`
    for (const brand of ['CRNR MKT', 'CORNER MARKET']) await buy(`doubt-${index}-${brand}`, `${brand} ${word}`)
    if ((await openCount()) >= REVIEWED) return
  }
  throw new Error('too few spellings of the market are in doubt')
}

async function openCount(): Promise<number> {
  return (await app.operator('GET', '/operator/reviews?status=OPEN')).body.total_elements
}

/** A page of an admin, or of a stranger. */
async function openConsole(t: TestContext, path: string, signedIn = true): Promise<Page> {
  const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 800 } })
  if (signedIn) await page.context().addCookies(cookies)
  await page.goto(`${app.service.url}/console${path}`)
  return page
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a stranger is led to sign in; by the first link a person sets up password and authenticator app', async (t) => {
  const stranger = await openConsole(t, `/publishers/${publisherId}/transactions?status=PENDING`, false)
  await heading(stranger, 'Sign in')
  const enter = await app.service.db.transaction((tx) =>
    linkForFirstAdmin(tx, 'mara@laurel.example', localActor('tests'), new Date()),
  )
  const page = await openConsole(t, `/enter#${enter}`, false)
  await heading(page, /^Good /)
  await page.getByRole('link', { name: `${REVIEWED} merchants to review` }).waitFor()
  await page.getByRole('link', { name: /your account/ }).click()
  await page.getByLabel('New password').fill(PASSWORD)
  await press(page, 'Set the password')
  await page.getByText('The password is changed').first().waitFor()
  await press(page, 'Set it up')
  const secret = (await page.getByRole('button', { name: /^Copy / }).getAttribute('aria-label'))?.slice(5) ?? ''
  await page.getByLabel('Code from the app').fill(new TOTP({ secret }).generate())
  await press(page, 'Turn it on')
  await page.getByText('Keep these backup codes.').waitFor()
  await press(page, 'Sign out')
  await heading(page, 'Sign in')

  await stranger.getByLabel('E-mail').fill('mara@laurel.example')
  await stranger.getByLabel('Password').fill('a sentence that is wrong')
  await press(stranger, 'Sign in')
  await stranger.getByRole('alert').waitFor()
})

test('a reviewer clears ten reviews by keyboard alone', async (t) => {
  const page = await openConsole(t, '/reviews')
  await heading(page, 'Reviews')
  for (let index = 0; index < REVIEWED; index++) await page.keyboard.press(index % 2 === 0 ? 'y' : 'n')
  await page.getByText('Nothing to review').waitFor()
  await eventually(async () => (await openCount()) === 0)
  const { body } = await app.operator('GET', '/operator/reviews?status=DECIDED')
  const brands = body.content.map(({ brand_uid }: { brand_uid: string | null }) => brand_uid)
  assert(brands.includes('brand-market') && brands.includes(null), JSON.stringify(brands))
})

test('a claim is granted, the user redeems, and the redemption is approved', async (t) => {
  const page = await openConsole(t, '/claims')
  await page.getByRole('link', { name: MARKUP }).first().click()
  await press(page, 'Grant')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in USD').fill('3')
  await dialog.getByLabel('Reason').fill('Goodwill')
  await dialog.getByRole('button', { name: 'Grant' }).click()
  await page.getByText('The claim is granted').first().waitFor()
  const asked = { publisher_user_id: 'ada', amount: 2, method: 'publisher', external_ref: 'redeem' }
  const { body } = await app.call('POST', '/redemptions', asked)
  assert.equal(body.status, 'requested', JSON.stringify(body))
  await page.getByRole('link', { name: /^Redemptions/ }).click()
  await press(page, 'Approve')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('No redemption is waiting for approval').waitFor()
  assert.notEqual((await app.call('GET', `/redemptions/${body.redemption_id}`)).body.status, 'requested')
})

test("a purchase's page tells its story; the clock is moved and the reward is the user's", async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/transactions`)
  await page.getByLabel('Merchant, order or transaction').fill(transactionUid)
  await page.waitForURL(/text=txn_/)
  await page.getByRole('link', { name: 'CORNER MARKET', exact: true }).first().click()
  await page.getByText('Which offer pays').waitFor()
  await page
    .getByRole('row', { name: /Min spend/ })
    .first()
    .waitFor()
  await page.getByText('$2.00 becomes available').waitFor()
  // Text of others is shown as text; that it ran would be a script error.
  await page.getByText(MARKUP).first().waitFor()
  await page.getByRole('link', { name: 'Sandbox clock' }).click()
  await press(page, '31 days on')
  await page.getByText('31 days ahead of everywhere else.').waitFor()
  await page.goto(`${app.service.url}/console/publishers/${publisherId}/transactions/${transactionUid}`)
  await page.getByText('$2.00 is the user’s').waitFor()
})

test('⌘K leads to a page, and to a transaction by its id', async (t) => {
  const page = await openConsole(t, '/audit')
  await heading(page, 'Audit log')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill(transactionUid)
  await page.keyboard.press('Enter')
  await heading(page, /CORNER MARKET/)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill('brands')
  await page.keyboard.press('Enter')
  await heading(page, 'Brands and offers')
})

test('no page is inaccessible or wider than its screen, in light and dark, at 1280 and 390 px', async (t) => {
  const paths = [
    ...['/users', '/publishers', '/terms'],
    ...['/', '/reviews', '/claims', `/claims/${claimId}`, '/redemptions', '/failed-facts', '/audit', '/brands'],
    ...['/ledger?view=owner', '/receivables', '/payments', '/statements', '/statements/close', '/adjustments'],
    ...['/brands/import', '/offers', '/categories', '/stores', `/publishers/${publisherId}/preview?user=ada`],
    ...['/service', '/budgets', '/broken-logins', '/endpoints?view=all', `/publishers/${publisherId}/sandbox`],
    ...['/refunds', '/sales', '/contradictions', '/gift-card-orders'],
    ...['/brands/brand-market', '/account', '/sign-in', '/forgotten', '/reset', '/invitation', '/staff'],
    ...['users', 'users/ada', 'settings', 'keys', 'assortment', 'portal', 'reports'].map(
      (path) => `/publishers/${publisherId}/${path}`,
    ),
    ...['transactions', `transactions/${transactionUid}`, 'webhooks', 'staff', 'clock'].map(
      (path) => `/publishers/${publisherId}/${path}`,
    ),
  ]
  const page = await openConsole(t, '/')
  // By the debugger: the page's policy admits no script of ours.
  const source = await readFile(AXE, 'utf8')
  const faults: string[] = []
  for (const path of paths) {
    await page.goto(`${app.service.url}/console${path}`)
    await page.locator('main').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate(source)
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const found = await page.evaluate<string[]>(FAULTS)
        faults.push(...found.map((fault) => `${path} ${width} ${colorScheme}: ${fault}`))
      }
  }
  assert.deepEqual(faults, [])
})

/** Each popup with the page that it opens on, and the button that opens it. */
const POPUPS: readonly (readonly [path: string, button: string])[] = [
  ['/', 'Find anything ⌘K'],
  ['/claims/CLAIM', 'Grant'],
  ['/claims/CLAIM', 'Decline'],
  ['/publishers', 'New publisher'],
  ['/terms', 'Publish a revision'],
  ['/publishers/OWN/keys', 'New key'],
  ['/publishers/OWN/settings', 'Add a currency'],
  ['/publishers/OWN/users/ada', 'Adjust'],
  ['/publishers/OWN/users/ada', 'Export'],
  ['/publishers/OWN/users/ada', 'Erase'],
  ['/publishers/OWN/transactions', 'Export'],
  ['/publishers/OWN/reports', 'Order a report'],
]

test('no open popup is inaccessible or wider than its screen, in light and dark', async (t) => {
  const claim = { publisher_user_id: 'ada', external_ref: 'popups', kind: 'missing', merchant: MARKUP, amount: 20 }
  const names = { CLAIM: (await app.call('POST', '/claims', claim)).body.claim_id, OWN: publisherId }
  const page = await openConsole(t, '/')
  const source = await readFile(AXE, 'utf8')
  const faults: string[] = []
  await page.setViewportSize({ width: 390, height: 844 })
  let opened = ''
  for (const [path, button] of POPUPS) {
    const address = `${app.service.url}/console${path.replace('CLAIM', names.CLAIM).replace('OWN', names.OWN)}`
    if (opened === address) {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    } else {
      await page.goto(address)
      await page.evaluate(source)
    }
    opened = address
    await press(page, button)
    await page.getByRole('dialog').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found = await page.evaluate<string[]>(FAULTS)
      faults.push(...found.map((fault) => `${path} ${button} ${colorScheme}: ${fault}`))
    }
  }
  assert.deepEqual(faults, [])
})

/** What axe finds by the rules of WCAG 2.2 AA, and whether the page is wider than its screen. */
const FAULTS = `axe.run(
  { exclude: [['[data-base-ui-focus-guard]']] },
  { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] },
).then(({ violations }) => {
  const { scrollWidth, clientWidth } = document.documentElement
  const found = violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)
  return scrollWidth > clientWidth ? [...found, 'wider by ' + (scrollWidth - clientWidth) + ' px'] : found
})`

test('the first route is small, its assets stay, its page does not, and nothing inline may run', async () => {
  const folder = await consoleFolder
  assert.equal(await buildConsole(), folder)
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
  const files = new Set<string>()
  const walk = (key: string) => {
    const { file, imports = [] } = manifest[key]
    files.add(file)
    for (const other of imports) walk(other)
  }
  for (const key of ['index.html', 'src/pages/overview/page.tsx']) walk(key)
  const sizes = await Promise.all(
    [...files].map(async (file) => (await promisify(gzip)(await readFile(join(folder, file)))).length),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert(total <= FIRST_ROUTE_MAX_BYTES, `${total} bytes of JavaScript`)

  const [script = ''] = files
  const answer = await fetch(`${app.service.url}/console/${script}`, { headers: { 'accept-encoding': 'br' } })
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
  assert.equal(answer.headers.get('content-encoding'), 'br')
  assert.equal((await fetch(`${app.service.url}/console/assets/none.js`)).status, 404)
  const { headers } = await fetch(`${app.service.url}/console/anything`)
  assert.equal(headers.get('cache-control'), 'no-cache')
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|data:|https?:/)
})
