import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { consoleCookie, invitePerson, openSession, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, type Call, makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { followMenu } from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'
import { atBank, enterPages, follow, linkCard, press } from '../support/portal-pages.ts'
import { sample } from '../support/runs.ts'

// From an operator's sign-in to paid users, on a wide screen and on a narrow one in dark mode. A short run covers only
// one of them.

const PASSWORD = 'a sentence that nobody guesses'
const REVIEWED = 4
const WIDE = { locale: 'en-US', viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const
const NARROW = { locale: 'en-US', viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

const openPage = useBrowser()
let app: TestApp
let isReceiverWell = false
const receiver = createServer((_request, response) => {
  response.statusCode = isReceiverWell ? 204 : 500
  response.end()
})

before(async () => {
  app = await startTestApp({ consoleFolder: buildConsole() })
  await app.catalog(CATALOG)
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await app.close()
})

const STORIES = [
  ['Acorn', 'Quillfeather', WIDE],
  ['Birch', 'Marmalade Depot', NARROW],
] as const

for (const [name, brand, options] of sample(STORIES, 1 / 2))
  test(`the complete story, ${options.viewport.width} px wide, ${options.colorScheme}`, async (t) => {
    const desk = await openPage(t, options)
    await signIn(desk, `${name}@laurel.example`.toLowerCase())
    const call = await createPublisher(desk, name)
    await importCatalog(desk, brand)
    await publishTerms(desk, name)
    const user = `user of ${name}`
    const [page, base] = await enterPages({ service: app.service, call }, openPage, t, user, options)
    await buyByCard(page, base, call, { user, brand })
    await seePurchase(desk, brand)
    await moveClock(desk)
    await acceptTerms(page, base, name)
    await redeem(desk, page, { call, user })
    const { port } = receiver.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/${name}`
    await missWebhooks(desk, call, url, () => claim(desk, page, base, brand))
    await clearReviews(desk, name)
  })

/** Waits for visible text. Elements for other screen widths are hidden. */
const seen = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const agree = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }).click()

/** Signs in a person who set up an authenticator app when they accepted their invitation. */
async function signIn(page: Page, email: string): Promise<void> {
  const { token } = await app.service.db.transaction(async (tx) => {
    const invited = { publisherId: null, role: 'admin' as const, email }
    const { accountId } = await invitePerson(tx, invited, toLocalActor('tests'), new Date())
    return openSession(tx, { kind: 'operator', accountId }, { address: '::1', userAgent: '' }, new Date())
  })
  const person = { cookie: `${consoleCookie(app.service.url)}=${token}`, 'sec-fetch-site': 'same-origin' }
  const call = makeCaller(app.service.url, null)
  await call('POST', '/accounts/password', { password: PASSWORD }, person)
  const { secret } = (await call('POST', '/accounts/totp', undefined, person)).body
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp })
  const confirmed = await call('POST', '/accounts/totp/confirm', { code: codeAt(Date.now()) }, person)
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))

  await page.goto(`${app.service.url}/console/`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in')
  // A code works only once, so this uses the next one.
  await page.getByLabel('Code').fill(codeAt(Date.now() + 30_000))
  await press(page, 'Continue')
  await heading(page, /^Good /)
}

/** Creates a publisher, and returns a caller for its back end with the key that the page displays once. */
async function createPublisher(page: Page, name: string): Promise<Call> {
  await followMenu(page, 'Publishers')
  await press(page, 'New publisher')
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await agree(page, 'Create the publisher')
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const limits = page.locator('form', { has: page.getByRole('heading', { name: 'USD' }) })
  await limits.getByLabel('Needs approval above').fill('0.5')
  await limits.getByRole('button', { name: 'Save' }).click()
  await seen(page, 'Limits in USD saved')
  await page.getByRole('link', { name: 'Keys' }).click()
  await press(page, 'New key')
  await agree(page, 'Create the key')
  const copy = page.getByRole('dialog').getByRole('button', { name: /^Copy / })
  const key = (await copy.getAttribute('aria-label'))?.slice('Copy '.length) ?? ''
  await agree(page, 'I have saved it')
  return makeCaller(app.service.url, key)
}

async function importCatalog(page: Page, name: string): Promise<void> {
  await followMenu(page, 'Brands and offers')
  await page.getByRole('link', { name: 'Import' }).click()
  const [market] = structuredClone(CATALOG.brands)
  const [offer] = market?.offers ?? []
  const brand_uid = `brand-${name.toLowerCase().replace(' ', '-')}`
  const website = `https://${brand_uid}.example`
  const offers = [{ ...offer, offer_uid: `offer-of-${brand_uid}` }]
  const brands = [{ ...market, brand_uid, name, website, aliases: [], offers }]
  const file = JSON.stringify({ categories: CATALOG.categories, brands })
  const buffer = Buffer.from(file)
  await page.getByLabel('Catalog file').setInputFiles({ name: 'catalog.json', mimeType: 'application/json', buffer })
  await heading(page, 'What catalog.json would change')
  await press(page, 'Import')
  await agree(page, 'Import it')
  await heading(page, 'Catalog imported')
}

async function publishTerms(page: Page, publisher: string): Promise<void> {
  await followMenu(page, 'Terms')
  await press(page, 'Publish a revision')
  await page.getByLabel('Address of the document').fill('https://example.com/terms')
  await page.getByLabel('Revision', { exact: true }).fill(`${publisher}-1`)
  await page.getByLabel('Applies to users of').selectOption({ label: `Only ${publisher}` })
  await agree(page, /^Publish: affects 0 users/)
  await seen(page, 'Revision published')
  await seen(page, `${publisher}-1`)
}

type Bought = { readonly user: string; readonly brand: string }

/** Links a card, pays with it, and opens the explanation of the reward in the portal. */
async function buyByCard(page: Page, base: string, call: Call, { user, brand }: Bought): Promise<void> {
  const account_id = await linkCard(page, call, user)
  await atBank(app, 'purchases', { account_id, merchant: brand, amount: 40, category: 'FOOD_AND_DRINK' })
  const known = `/transactions?publisher_user_id=${encodeURIComponent(user)}`
  await eventually(async () => (await call('GET', known)).body.content.length > 0)
  await page.goto(`${base}/purchases`)
  await follow(page, brand)
  await page.getByText('You spent $40.00.').waitFor()
  await page.getByText('You get $2.00 back.').waitFor()
}

async function seePurchase(page: Page, brand: string): Promise<void> {
  await followMenu(page, 'Transactions')
  await page.getByRole('link', { name: brand }).filter({ visible: true }).first().click()
  await seen(page, 'Which offer applies')
  await seen(page, '5% back')
  await seen(page, /Min spend/)
  await seen(page, '$2.00 becomes available')
}

async function moveClock(page: Page): Promise<void> {
  const purchase = page.url()
  await followMenu(page, 'Sandbox clock')
  await press(page, '31 days on')
  await seen(page, '31 days ahead of everywhere else.')
  await page.goto(purchase)
  await seen(page, '$2.00 now belongs to the user')
}

/** Accepts the publisher's own terms revision, which has become required in the meantime. */
async function acceptTerms(page: Page, base: string, publisher: string): Promise<void> {
  await page.goto(base)
  await page.getByText(`${publisher}-1`).waitFor()
  await press(page, 'I accept the terms')
  await page.getByText('Thank you.').waitFor()
}

type Asking = { readonly call: Call; readonly user: string }

/** Redeems as the user, approves as the operator, and pays as the publisher. */
async function redeem(desk: Page, page: Page, { call, user }: Asking): Promise<void> {
  await follow(page, 'Redeem')
  await page.getByLabel('How much').fill('1')
  await press(page, 'Redeem')
  await page.getByText('Being checked').first().waitFor()
  await followMenu(desk, 'Redemptions')
  await seen(desk, user)
  await press(desk, 'Approve')
  await desk.getByText(/^No other approval is needed: /).waitFor()
  await agree(desk, 'Approve')
  await seen(desk, 'No redemption is waiting for approval')
  const uid = /rdm_\w+/.exec(page.url())?.[0]
  const outcome = { status: 'paid', payout_reference: 'wire-1' }
  assert.equal((await call('POST', `/redemptions/${uid}/outcome`, outcome)).body.status, 'paid')
  await page.reload()
  await page.getByText('You have been paid.').waitFor()
}

/** Reports a missing purchase as the user, and grants the claim as an operator. */
async function claim(desk: Page, page: Page, base: string, merchant: string): Promise<void> {
  await page.goto(`${base}/claims/new`)
  const day = page.getByLabel('When did you buy?')
  await day.fill((await day.getAttribute('max')) ?? '')
  await press(page, 'Next')
  await page.getByLabel('Where did you buy?').fill(merchant)
  await page.getByLabel('How much did you pay (USD)?').fill('20')
  await page.getByLabel('What happened?').fill('It never arrived here.')
  await press(page, 'Send')
  await page.getByText('We have received your claim.').waitFor()
  await followMenu(desk, 'Claims')
  await desk.getByRole('link', { name: merchant }).filter({ visible: true }).first().click()
  await press(desk, 'Grant')
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('Amount in USD').fill('3')
  await dialog.getByLabel('Reason').fill('Goodwill')
  await agree(desk, 'Grant')
  await seen(desk, 'Claim granted')
  await page.reload()
  await page.getByText('You were right.').waitFor()
}

/** Registers an endpoint, first with an invalid URL, and confirms the secret that the page displays once. */
async function registerEndpoint(page: Page, url: string): Promise<void> {
  await followMenu(page, 'Webhooks')
  await press(page, 'New endpoint')
  await page.getByRole('dialog').getByLabel('URL').fill('https://')
  await agree(page, 'Register it')
  await seen(page, /^Url /)
  await page.getByRole('dialog').getByLabel('URL').fill(url)
  await agree(page, 'Register it')
  await keepSecret(page)
  await seen(page, 'All events')
}

async function keepSecret(page: Page): Promise<void> {
  await heading(page, 'Keep this secret')
  await page.getByRole('button', { name: /^Copy whsec_/ }).waitFor()
  await agree(page, 'I have saved it')
  await page.getByRole('heading', { name: 'Keep this secret' }).waitFor({ state: 'detached' })
}

/** Does everything that an operator can do with an endpoint, and deletes it at the end. */
async function changeEndpoint(page: Page, call: Call, url: string): Promise<void> {
  const choose = async (act: string) => {
    await press(page, `More actions for ${url}`)
    await page.getByRole('menuitem', { name: act }).click()
  }
  const stored = async () => (await call('GET', '/webhooks/endpoints')).body.content[0]
  await choose('Change')
  await page.getByLabel('Events').selectOption('some')
  await page.getByRole('checkbox', { name: 'claim.decided' }).check()
  await page.getByLabel('Description').fill('Of the back end')
  await agree(page, 'Save')
  await seen(page, 'Endpoint changed')
  const { event_types, description, url: kept } = await stored()
  assert.deepEqual([event_types, description, kept], [['claim.decided'], 'Of the back end', url])
  await choose('New secret')
  await agree(page, 'Create it')
  await keepSecret(page)
  await choose('Disable')
  await agree(page, 'Disable it')
  await seen(page, 'Endpoint disabled')
  await choose('Enable')
  await seen(page, 'Endpoint enabled')
  assert.equal((await stored()).status, 'enabled')
  await choose('Delete')
  await agree(page, 'Delete it')
  await seen(page, 'No endpoints yet')
  assert.equal(await stored(), undefined)
}

/** Makes an endpoint reject events. An operator notices and has the events redelivered. */
async function missWebhooks(page: Page, call: Call, url: string, meanwhile: () => Promise<void>): Promise<void> {
  isReceiverWell = false
  await registerEndpoint(page, url)
  await meanwhile()
  const failing = async () => (await app.operator('GET', '/operator/endpoints?failing=true')).body.content.length
  await eventually(async () => (await failing()) === 1)
  await followMenu(page, 'Failing endpoints')
  await page.getByRole('link', { name: url }).filter({ visible: true }).first().click()
  await heading(page, 'Webhooks')
  // Responses are cached for a few seconds.
  await page.reload()
  await seen(page, /failing since/)
  await page.getByText('Failing', { exact: true }).waitFor()
  isReceiverWell = true
  await press(page, 'Recover')
  await agree(page, 'Recover')
  const waiting = async () => (await call('GET', '/webhooks/deliveries?status=pending')).body.total_elements
  await eventually(async () => (await waiting()) === 0 && (await failing()) === 0)
  await page.reload()
  await seen(page, 'claim.decided')
  await seen(page, 'Delivered')
  await changeEndpoint(page, call, url)
}

/** Decides on merchants that resemble a brand, using only the keyboard. */
async function clearReviews(page: Page, publisher: string): Promise<void> {
  const count = async () => (await app.operator('GET', '/operator/reviews?status=OPEN')).body.content.length
  const purchase = { publisher_user_id: 'ada', source: 'CARD', kind: 'CLEARING', amount: 40 }
  for (let index = 0; index < REVIEWED; index++) {
    const merchant_descriptor = `CORNER MARKET ${'BCDF'[index]}A${publisher.toUpperCase()}ING`
    await app.call('POST', '/transactions', { ...purchase, external_id: merchant_descriptor, merchant_descriptor })
  }
  assert.equal(await count(), REVIEWED)
  await followMenu(page, 'Reviews')
  await seen(page, 'It is Corner Market')
  for (let index = 0; index < REVIEWED; index++) {
    await page.keyboard.press(index % 2 === 0 ? 'y' : 'n')
    const dialog = page.getByRole('dialog', { name: /^“corner market/ })
    await dialog.getByText('1 purchase waiting at 1 publisher').waitFor()
    await dialog.getByRole('button', { name: /^Yes/ }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  await seen(page, 'Nothing to review')
  await eventually(async () => (await count()) === 0)
  const { body } = await app.operator('GET', '/operator/reviews?status=DECIDED')
  const brands = body.content.map(({ brand_uid }: { brand_uid: string | null }) => brand_uid)
  assert(brands.includes('brand-market') && brands.includes(null), JSON.stringify(brands))
}
