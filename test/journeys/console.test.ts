import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { decodeId, encodeId } from '../../src/platform/ids.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { linkForFirstAdmin, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { issueToken } from '../../src/tenants/accounts/tokens.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { type Answer, CATALOG, makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { findFaults } from '../support/axe.ts'
import { followAddress, signedInPages, waitForRest } from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

// Properties that console pages share, tested in a browser against the real service.

const FIRST_ROUTE_MAX_BYTES = 180 * 1024
const PASSWORD = 'a sentence that nobody guesses'
/** Markup that an attacker might enter into a field to have it run in someone else's browser. */
const markupIn = (field: string) => `<img src=x alt=${field} onerror=throw(1)>`
const USER = markupIn('user')

const openPage = useBrowser()
const consoleFolder = buildConsole()
let app: TestApp
let openConsole: Awaited<ReturnType<typeof signedInPages>>
/** Replaces the placeholders in a path, which are in capitals. */
let fill: (path: string) => string

before(async () => {
  app = await startTestApp({ consoleFolder })
  openConsole = await signedInPages(app, openPage, { userAgent: markupIn('browser') })
  await app.catalog(catalogWithMarkup())
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  const publisherId = encodeId('pub', app.publisher.id)
  await writePeople(publisherId)
  const names: Readonly<Record<string, string>> = {
    OWN: publisherId,
    USER: encodeURIComponent(USER),
    ...(await writePurchases()),
  }
  fill = (path) => path.replaceAll(/[A-Z]{3,}/g, (name) => names[name] ?? name)
})
after(() => app.close())

function catalogWithMarkup(): object {
  const [market] = CATALOG.brands
  const [offer] = market?.offers ?? []
  const written = { name: markupIn('offer'), description: markupIn('offer-text') }
  const offers = [{ ...offer, offer_uid: 'offer-marked', ...written, terms_and_conditions: markupIn('offer-terms') }]
  const brand = { ...market, brand_uid: 'brand-marked', name: markupIn('brand'), website: 'https://marked.example' }
  const marked = { ...brand, category_id: 3, description: markupIn('brand-text'), aliases: [], offers }
  const categories = [...CATALOG.categories, { category_id: 3, category: markupIn('category') }]
  return { categories, brands: [...CATALOG.brands, marked] }
}

async function done(asked: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await asked
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

/** Sets up the publisher, its portal and terms, and a staff member of the operating company. */
async function writePeople(publisherId: string): Promise<void> {
  const { operator, call } = app
  await done(operator('PATCH', `/operator/publishers/${publisherId}`, { name: markupIn('publisher') }))
  const looks = { slug: 'marked', hue: 42, chroma: 0.16, frame_ancestors: [] }
  await done(call('PUT', '/portal/settings', { ...looks, shown_name: markupIn('portal') }))
  const revision = { url: 'https://example.com/later', revision: markupIn('revision') }
  const split = { fee: 10, share: 20 }
  const own = { brands: [{ brand_uid: 'brand-marked', ...split }], offers: [{ offer_uid: 'offer-marked', ...split }] }
  await done(operator('PUT', `/operator/publishers/${publisherId}/assortment`, own))
  await done(operator('POST', '/operator/terms', { ...revision, required_from: '2999-01-01T00:00:00Z' }))
  const invited = { email: 'marked@laurel.example', role: 'support' }
  const accountId = decodeId<'account'>('acc', (await done(operator('POST', '/operator/staff', invited))).account_id)
  assert(accountId !== null)
  const token = await app.service.db.transaction((tx) => issueToken(tx, accountId, 'invitation', new Date()))
  const accepted = { token, name: markupIn('person'), password: PASSWORD }
  const stranger = makeCaller(app.service.url, null)
  await done(stranger('POST', '/accounts/invitations/accept', accepted, { 'sec-fetch-site': 'same-origin' }))
}

/** Creates purchases and claims with text entered by users, publishers and staff. */
async function writePurchases(): Promise<Readonly<Record<string, string>>> {
  const { operator, call } = app
  const publisher_id = encodeId('pub', app.publisher.id)
  for (const publisher_user_id of ['ada', USER]) {
    await done(call('POST', '/users', { publisher_user_id, attributes: { note: markupIn('attribute') } }))
    await done(call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId }))
  }
  const card = { source: 'CARD', kind: 'CLEARING', amount: 40 }
  const market = { ...card, publisher_user_id: 'ada', merchant_descriptor: 'CORNER MARKET' }
  const nowhere = { merchant_descriptor: markupIn('returned') }
  const told = { ...market, external_id: markupIn('event'), order_id: markupIn('order') }
  const bought = await done(call('POST', '/transactions', told))
  const elsewhere = { ...card, publisher_user_id: USER, merchant_descriptor: markupIn('merchant') }
  await done(call('POST', '/transactions', { ...elsewhere, external_id: 'elsewhere' }))
  for (const merchant_descriptor of ['CORNER MARKET DAWING', 'CORNER MARKET GAWING'])
    await done(call('POST', '/transactions', { ...market, external_id: merchant_descriptor, merchant_descriptor }))
  const open = (await done(operator('GET', '/operator/reviews?status=OPEN'))).content
  const { review_uid } = open.find(({ template }: { template: string }) => template.includes('dawing'))
  const answer = { brand_uid: 'brand-market', scope: 'ALL' }
  await done(operator('POST', `/operator/reviews/${review_uid}/decide`, answer))
  const wide = { ...market, merchant_descriptor: `THE SHOP WITH THE LONGEST NAME ${'X'.repeat(60)}` }
  await done(call('POST', '/transactions', { ...wide, external_id: 'wide' }))
  await done(call('POST', '/transactions', { ...market, kind: 'REFUND', external_id: 'back', amount: 15, ...nowhere }))
  await done(
    call('POST', '/webhooks/endpoints', { url: 'https://marked.example/x', description: markupIn('endpoint') }),
  )
  const claim = {
    publisher_user_id: USER,
    external_ref: 'one',
    kind: 'missing',
    merchant: markupIn('claim'),
    amount: 20,
  }
  const { claim_id } = await done(call('POST', '/claims', { ...claim, evidence: markupIn('evidence') }))
  await done(call('POST', `/claims/${claim_id}/notes`, { text: markupIn('note') }))
  await done(operator('POST', `/operator/claims/${claim_id}/notes`, { text: markupIn('answer') }))
  const adjustment = { publisher_id, publisher_user_id: 'ada', kind: 'goodwill', amount: 3 }
  await done(operator('POST', '/operator/adjustments', { ...adjustment, reason: markupIn('reason') }))
  const payment = { publisher_id, direction: 'received', party: 'advertiser', brand_uid: 'brand-market', amount: 1 }
  const references = { external_ref: markupIn('payment'), note: markupIn('payment-note'), value_date: '2026-01-02' }
  await done(operator('POST', '/operator/payments', { ...payment, currency: 'USD', ...references }))
  return { TRANSACTION: bought.transaction_uid, CLAIM: claim_id }
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('an anonymous visitor is redirected to sign-in; the first-admin link signs in the person setting up', async (t) => {
  const page = await openPage(t, { locale: 'en-US' })
  await page.goto(`${app.service.url}/console${fill('/publishers/OWN/transactions?status=PENDING')}`)
  await heading(page, 'Sign in')
  const enter = await app.service.db.transaction((tx) =>
    linkForFirstAdmin(tx, 'mara@laurel.example', toLocalActor('tests'), new Date()),
  )
  await page.goto(`${app.service.url}/console/enter#${enter}`)
  await heading(page, /^Good /)
  await page.getByRole('heading', { name: `Rewards at ${markupIn('publisher')}` }).waitFor()
  await page.getByText('have no password yet').waitFor()
  await page.getByRole('link', { name: 'Set a password' }).waitFor()

  await page.context().clearCookies()
  await page.goto(`${app.service.url}/console/sign-in`)
  await page.getByLabel('Email').fill('mara@laurel.example')
  await page.getByLabel('Password').fill('a sentence that is wrong')
  await press(page, 'Sign in')
  await page.getByRole('alert').waitFor()
})

test('the audit log shows who changed what, down to individual values', async (t) => {
  const limits = { redemption_review_above: 5 }
  await done(app.operator('PATCH', fill('/operator/publishers/OWN'), { limits }))
  const page = await openConsole(t, '/audit')
  const change = page.getByRole('listitem').filter({ hasText: 'Limits › 1 › Redemption review above' })
  assert.match((await change.first().textContent()) ?? '', /above(before )?–→? after 5/)
  assert.equal(await page.getByText('redemption_minimum').count(), 0)
  // An entry includes the person it is about, not only who made the change.
  const invited = page.getByRole('listitem').filter({ hasText: 'Account invited' })
  await invited.filter({ hasText: markupIn('person') }).waitFor()
})

test('⌘K opens a page by name, and a transaction by its ID', async (t) => {
  const page = await openConsole(t, '/audit')
  await heading(page, 'Audit log')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill(fill('TRANSACTION'))
  await page.keyboard.press('Enter')
  await heading(page, /CORNER MARKET/)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill('ledger')
  await page.keyboard.press('Enter')
  await heading(page, 'Ledger')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill('offer')
  await page.getByRole('option', { name: 'Offers with “offer”' }).click()
  await heading(page, 'Offers')
  assert.equal(new URL(page.url()).search, '?search_text=offer')
})

test('menu sections open by keyboard and keep their state, but the current page’s is always open', async (t) => {
  const page = await openConsole(t, '/')
  const menu = page.getByRole('navigation', { name: 'Main' })
  const section = (name: string) => menu.getByRole('button', { name })
  const link = (name: string) => menu.getByRole('link', { name, exact: true })
  await section('Catalog').focus()
  await page.keyboard.press('Enter')
  await section('Publisher').click()
  await link('Brands and offers').waitFor()
  await link('Transactions').waitFor({ state: 'hidden' })
  await page.reload()
  await link('Brands and offers').waitFor()
  assert.equal(await link('Transactions').count(), 0)
  await followAddress(page, fill('/publishers/OWN/keys'))
  assert.equal(await link('Transactions').count(), 1)
  assert.deepEqual(await section('Publisher').getAttribute('aria-disabled'), 'true')
  await followAddress(page, '/ledger')
  assert.deepEqual([await link('Transactions').count(), await link('Ledger').count()], [0, 1])
  // The menu scrolls to the current page, however far down it is.
  await section('Publisher').click()
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto(`${app.service.url}/console/adjustments`)
  await link('Adjustments').waitFor()
  await eventually(async () => {
    const { y = 0, height = 0 } = (await link('Adjustments').boundingBox()) ?? {}
    const { y: edge = 0 } = (await page.getByRole('link', { name: 'noa' }).boundingBox()) ?? {}
    return y > 0 && y + height < edge + 1
  })
})

/** Pages, each with the user-written fields that it displays. */
const WRITTEN: readonly (readonly [path: string, ...fields: string[]])[] = [
  ['/publishers', 'publisher'],
  ['/publishers/OWN/settings', 'publisher'],
  ['/publishers/OWN/portal', 'portal'],
  ['/publishers/OWN/assortment', 'brand', 'offer'],
  ['/terms', 'revision'],
  ['/staff', 'person'],
  ['/account', 'browser'],
  ['/brands', 'brand', 'category'],
  ['/brands/brand-marked', 'brand', 'brand-text', 'category', 'offer', 'offer-text'],
  ['/offers', 'offer', 'brand'],
  ['/offers/offer-marked', 'offer', 'offer-text', 'offer-terms'],
  ['/categories', 'category'],
  ['/users', 'user', 'publisher'],
  ['/publishers/OWN/users/USER', 'user', 'attribute'],
  ['/publishers/OWN/users', 'user'],
  ['/publishers/OWN/users/ada', 'reason'],
  ['/publishers/OWN/transactions', 'merchant', 'user'],
  ['/publishers/OWN/transactions/TRANSACTION', 'order', 'event'],
  ['/claims', 'claim'],
  ['/claims/CLAIM', 'claim', 'evidence', 'note', 'answer'],
  ['/adjustments', 'reason'],
  ['/payments', 'payment', 'payment-note'],
  ['/refunds', 'returned', 'publisher'],
  ['/publishers/OWN/webhooks', 'endpoint', 'publisher'],
  ['/audit', 'person', 'reason', 'publisher'],
]

test('user-written text is displayed as plain text in every field', async (t) => {
  const page = await openConsole(t, '/sign-in')
  const rest = waitForRest(page)
  const hidden: string[] = []
  for (const [path, ...fields] of WRITTEN) {
    await followAddress(page, fill(path))
    await rest()
    const texts = await page.evaluate<string[]>(`[document.querySelector('main').textContent,
      ...Array.from(document.querySelectorAll('main :is(input, textarea)'), ({ value }) => value)]`)
    const isShown = (field: string) => texts.some((text) => text.includes(markupIn(field)))
    hidden.push(...fields.filter((field) => !isShown(field)).map((field) => `${path} ${field}`))
  }
  assert.deepEqual(hidden, [])
})

/** All pages except those of single statements, including the sign-in pages. */
const PATHS = [
  ...['/', '/reviews', '/claims', '/claims/CLAIM', '/redemptions', '/failed-facts', '/audit', '/brands', '/users'],
  ...['/publishers', '/terms', '/ledger?view=owner', '/receivables', '/payments', '/statements', '/statements/close'],
  ...['/adjustments', '/brands/import', '/offers', '/offers/offer-marked', '/categories', '/stores', '/service'],
  ...['/budgets', '/broken-logins', '/endpoints?failing=false', '/refunds', '/sales', '/contradictions'],
  ...[
    '/reviews?status=DECIDED',
    '/gift-card-orders',
    '/brands/brand-marked',
    '/account',
    '/staff',
    '/publishers/OWN/preview?publisher_user_id=ada',
  ],
  ...['sandbox', 'users', 'users/ada', 'settings', 'keys', 'assortment', 'portal', 'reports', 'transactions'].map(
    (path) => `/publishers/OWN/${path}`,
  ),
  ...['transactions/TRANSACTION', 'webhooks', 'staff', 'clock'].map((path) => `/publishers/OWN/${path}`),
  ...['/sign-in', '/forgotten', '/reset', '/invitation'],
]

test('the pages are accessible and fit the screen in light and dark mode, at 1280 and 390 px', async (t) => {
  const waiting = [...PATHS]
  const faults: string[] = []
  const look = async () => {
    const page = await openConsole(t, '/')
    const rest = waitForRest(page)
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      await followAddress(page, fill(path))
      await rest()
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 })
        faults.push(...(await findFaults(page)).map((fault) => `${path} ${width} ${fault}`))
      }
      if ((await page.locator('img[src=x]').count()) > 0) faults.push(`${path}: markup of others`)
    }
  }
  await Promise.all([look(), look()])
  assert.deepEqual(faults, [])
})

/** Pages with popups, each with the buttons that open one. */
const POPUPS: readonly (readonly [path: string, ...buttons: (string | RegExp)[]])[] = [
  ['/', 'Find anything ⌘K'],
  ['/claims/CLAIM', 'Grant'],
  ['/claims/CLAIM', 'Decline'],
  ['/publishers', 'New publisher'],
  ['/terms', 'Publish a revision'],
  ['/publishers/OWN/keys', 'New key'],
  ['/publishers/OWN/settings', 'Add a currency'],
  ['/publishers/OWN/users', 'Register a user'],
  ['/publishers/OWN/users/ada', 'Adjust'],
  ['/publishers/OWN/users/ada', 'Export'],
  ['/publishers/OWN/users/ada', 'Erase'],
  ['/publishers/OWN/transactions', 'Export'],
  ['/publishers/OWN/reports', 'Order a report'],
  ['/publishers/OWN/webhooks', 'New endpoint'],
  ['/publishers/OWN/webhooks', /^More actions for /],
  ['/publishers/OWN/webhooks', /^More actions for /, 'Change'],
  ['/publishers/OWN/webhooks', /^More actions for /, 'New secret'],
  ['/publishers/OWN/webhooks', /^More actions for /, 'Delete'],
  ['/refunds', 'Assign'],
  ['/refunds', 'Dismiss'],
  ['/statements/close', /^Close /],
]

test('every open popup is accessible and fits the screen in light and dark mode', async (t) => {
  const page = await openConsole(t, '/account')
  await page.setViewportSize({ width: 390, height: 844 })
  const faults: string[] = []
  let shown = ''
  const rest = waitForRest(page)
  const popup = page.getByRole('dialog').or(page.getByRole('menu'))
  for (const [path, ...buttons] of POPUPS) {
    if (shown !== path) await followAddress(page, fill(path))
    shown = path
    for (const name of buttons) {
      const named = { name, exact: true }
      await page.getByRole('button', named).or(page.getByRole('menuitem', named)).filter({ visible: true }).click()
      await popup.waitFor()
    }
    await rest()
    faults.push(...(await findFaults(page)).map((fault) => `${path} ${buttons.join(' ')} ${fault}`))
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'detached' })
  }
  assert.deepEqual(faults, [])
})

test("the first page's script is small, only assets are cached forever, and no inline code may run", async () => {
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
