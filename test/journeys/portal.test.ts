import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { findFaults } from '../support/axe.ts'
import { eventually } from '../support/eventually.ts'
import { enterActive, portalLink } from '../support/portal.ts'
import { allowAccounts } from '../support/portal-accounts.ts'
import {
  atBank,
  enterDirectly,
  enterPages,
  linkDirectly,
  openPatiently,
  press,
  signInAtBank,
} from '../support/portal-pages.ts'
import { sample } from '../support/runs.ts'

// User journeys through a publisher's portal, in a browser, against the real service and the simulated bank.

const SCRIPTS_MAX_BYTES = 20 * 1024
const MARKUP = '<img src=x onerror="throw 1">'
const WIDE = { locale: 'en-US', viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const
const NARROW = { locale: 'en-US', viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

const openPage = useBrowser()
let app: TestApp

before(async () => {
  app = await startTestApp()
  const [market, ...others] = CATALOG.brands
  const offers = market?.offers.map((offer) => ({ ...offer, terms_and_conditions: MARKUP })) ?? []
  await app.catalog({ ...CATALOG, brands: [{ ...market, description: MARKUP, offers }, ...others] })
})
after(() => app.close())

const enter = (t: TestContext, user: string, options: BrowserContextOptions) =>
  enterDirectly(app, openPage, t, user, options)

test('a user signs in again for a card whose login broke, and then unlinks the card', async (t) => {
  const [page, base] = await enter(t, 'grace', NARROW)
  const account_id = await linkDirectly(app, 'grace')
  const { items } = await atBank(app, `items?account_id=${account_id}`)
  await atBank(app, `items/${items[0]?.item_id}/break`, {})
  await eventually(async () => {
    const { body } = await app.call('GET', '/linker/linked-cards/grace')
    return body.linked_institutions[0].linked_cards[0].error !== null
  })
  await page.goto(`${base}/cards`)
  await page.getByRole('button', { name: /^Sign in again/ }).click()
  await signInAtBank(page, 'grace', true)
  await page.getByText('The card is linked.').waitFor()
  await page.locator('summary').filter({ hasText: 'Unlink' }).click()
  await page.getByRole('button', { name: 'Unlink these cards' }).click()
  await page.getByText('The cards are unlinked.').waitFor()
})

test('an allowed origin can embed the portal in an iframe of matching height, and other origins cannot', async (t) => {
  const publisher = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Acorn</title><body>
      <script src="${app.service.url}/portal/embed.js" data-link="${searchParams.get('link')}"></script>`)
  })
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    publisher.closeAllConnections()
    publisher.close()
  })
  const { port } = publisher.address() as AddressInfo
  const tenant = await app.tenant()
  const frame_ancestors = [`http://localhost:${port}`]
  const settings = { slug: 'framed', shown_name: null, hue: 42, chroma: 0.16, frame_ancestors }
  assert.equal((await tenant.call('PUT', '/portal/settings', settings)).status, 200)
  const place = async (host: string) => {
    const link = app.service.url + (await portalLink(tenant, 'framed'))
    return `http://${host}:${port}/?link=${encodeURIComponent(link)}`
  }
  const page = await openPage(t, WIDE)
  await page.goto(await place('localhost'))
  const frame = page.frameLocator('iframe[title=Rewards]')
  await frame.getByRole('button', { name: 'Open my rewards' }).click()
  await frame.getByRole('button', { name: 'I accept the terms' }).click()
  await frame.getByText('Thank you.').waitFor()
  const heights = () =>
    Promise.all([
      frame.locator('html').evaluate(({ scrollHeight }) => `${scrollHeight}px`),
      page.locator('iframe').evaluate((shown) => (shown as unknown as { style: { height: string } }).style.height),
    ])
  await eventually(async () => new Set(await heights()).size === 1)

  const isRefusal = (fault: string) => fault.includes('frame-ancestors')
  const stranger = await openPage(t, WIDE, isRefusal)
  const [refusal] = await Promise.all([stranger.waitForEvent('console'), stranger.goto(await place('127.0.0.1'))])
  assert.ok(isRefusal(refusal.text()), refusal.text())
  assert.equal(await stranger.frameLocator('iframe').getByRole('button').count(), 0)
})

test('without JavaScript, a user files a claim about a missing purchase and sees it granted', async (t) => {
  const [page, base] = await enterPages(app, openPage, t, 'claire', { ...NARROW, javaScriptEnabled: false })
  await page.goto(`${base}/claims/new`)
  const day = page.getByLabel('When did you buy?')
  await day.fill((await day.getAttribute('max')) ?? '')
  await press(page, 'Next')
  await page.getByLabel('Where did you buy?').fill(MARKUP)
  await page.getByLabel('How much did you pay (USD)?').fill('a lot')
  await page.getByLabel('What happened?').fill(MARKUP)
  await press(page, 'Send')
  await page.getByText('Please enter an amount such as 12.50.').waitFor()
  assert.equal(await page.getByLabel('Where did you buy?').inputValue(), MARKUP)
  await page.getByLabel('How much did you pay (USD)?').fill('20')
  await press(page, 'Send')
  await page.getByText('We have received your claim.').waitFor()
  await page.getByText(MARKUP).first().waitFor()
  const uid = /clm_\w+/.exec(page.url())?.[0]
  const grant = { adjustment: { kind: 'goodwill', amount: 3, reason: 'Goodwill' } }
  const granted = await app.operator('POST', `/operator/claims/${uid}/grant`, grant)
  assert.equal(granted.status, 200, JSON.stringify(granted.body))
  await page.reload()
  await page.getByText('You were right.').waitFor()
  await page.goto(`${base}/redeem`)
  await page.getByText('$3.00', { exact: true }).waitFor()
  await page.goto(`${base}/cards`)
  // Playwright does not look inside `noscript`, so this checks the source.
  assert.match(await page.content(), /Linking a card needs JavaScript/)
  assert.ok(await page.getByRole('button', { name: 'Link a card' }).isDisabled())
})

const PAGES = [
  '',
  '/offers',
  '/brands/brand-market?amount=50',
  '/purchases',
  '/redeem',
  '/redeem/account',
  '/redemptions',
]
const MORE_PAGES = ['/statement', '/claims', '/claims/new', '/cards', '/you', '/you/delete', '/you/sign-in']
const OPEN_PAGES = ['/sign-in', '/reset', '/reset/x']

test('every page passes axe and fits the screen at 1280 and 390 px', async (t) => {
  const look = { slug: 'axe', shown_name: MARKUP, hue: 42, chroma: 0.16, frame_ancestors: [] }
  const settings = { ...look, allows_accounts: true }
  assert.equal((await app.call('PUT', '/portal/settings', settings)).status, 200)
  const [page, base] = await enter(t, 'axe', WIDE)
  const purchase = { publisher_user_id: 'axe', external_id: 'one', amount: 40, brand_uid: 'brand-market' }
  const { body: bought } = await app.call('POST', '/transactions', { source: 'OTHER', kind: 'CLEARING', ...purchase })
  const claim = { publisher_user_id: 'axe', external_ref: 'one', kind: 'missing', merchant: MARKUP }
  const { body: claimed } = await app.call('POST', '/claims', { ...claim, evidence: MARKUP })
  const own = [`/purchases/${bought.transaction_uid}`, `/claims/${claimed.claim_id}`, `/claims/new?day=2026-01-02`]
  const paths = [...PAGES, ...MORE_PAGES, ...OPEN_PAGES, ...own]
  const views = [WIDE, NARROW].flatMap(({ viewport }) => paths.map((path) => ({ path, viewport })))
  for (const { path, viewport } of sample(views, 1 / 6)) {
    await page.setViewportSize(viewport)
    await openPatiently(page, base + path)
    assert.deepEqual(await findFaults(page), [], `${path} ${viewport.width}`)
    assert.equal(await page.locator('img').count(), 0, `${path} shows markup of others as text`)
  }
})

test('double-clicking submits a form once, and a draft returns in a new session only for the same user', async (t) => {
  const [page, base] = await enter(t, 'hasty', WIDE)
  const missed = { publisher_user_id: 'hasty', external_ref: 'one', kind: 'missing', merchant: 'Corner Market' }
  const { body: claim } = await app.call('POST', '/claims', { ...missed, evidence: 'Paid by card.' })
  const address = `${base}/claims/${claim.claim_id}`
  const note = page.getByLabel('Add something')
  await page.goto(address)
  await note.fill('Receipt 4711')
  await page.getByRole('button', { name: 'Send' }).dblclick()
  await page.getByText('Your message was added.').waitFor()
  assert.equal(await page.getByText('Receipt 4711').count(), 1)
  assert.equal(await note.inputValue(), '')

  await note.fill('Receipt 4712')
  await page.context().clearCookies()
  await press(page, 'Send')
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await page.goto(app.service.url + (await portalLink(app, 'hasty')))
  await press(page, 'Open my rewards')
  await page.goto(address)
  assert.equal(await note.inputValue(), 'Receipt 4712')

  const { body: second } = await app.call('POST', '/claims', { ...missed, external_ref: 'two', evidence: 'Cash.' })
  await page.goto(`${base}/claims/${second.claim_id}`)
  await note.fill('Receipt 4713')
  await press(page, 'Send')
  await page.getByText('Your message was added.').waitFor()
  await page.goto(address)
  assert.equal(await note.inputValue(), 'Receipt 4712')

  const shop = page.getByLabel('Where did you buy?')
  const openForm = async () => {
    await page.goto(`${base}/claims/new`)
    const day = page.getByLabel('When did you buy?')
    await day.fill((await day.getAttribute('max')) ?? '')
    await press(page, 'Next')
  }
  await openForm()
  await shop.fill('A shop of hasty')
  await enterActive(app, app, 'borrower')
  await page.context().clearCookies()
  await page.goto(app.service.url + (await portalLink(app, 'borrower')))
  await press(page, 'Open my rewards')
  await openForm()
  assert.equal(await shop.inputValue(), '')
})

test('page scripts are compressed and small, and browsers cache them until they change', async () => {
  await allowAccounts(app, 'reader')
  const { browser, base } = await enterActive(app, app, 'reader')
  for (const path of ['/cards', '/sign-in']) {
    const { text } = await browser('GET', base + path)
    const scripts = [...text.matchAll(/<script[^>]* src="(\/portal\/[^"]+)"/g)].map(([, src = '']) => src)
    let bytes = 0
    for (const script of scripts) {
      const answer = await fetch(app.service.url + script, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(answer.headers.get('content-encoding'), 'gzip')
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      bytes += gzipSync(await answer.text()).length
    }
    assert.ok(scripts.length === 2 && bytes <= SCRIPTS_MAX_BYTES, `${path}: ${bytes} bytes`)
  }
})
