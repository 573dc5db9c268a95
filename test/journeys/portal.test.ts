import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { signIn, useBrowser } from '../../simulator/pages/test-support.ts'
import { changeSettings } from '../../src/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { portalLink } from '../support/portal.ts'

// What users do at a publisher's portal, in a browser, against the real service and the simulated bank.

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
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
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { redemptionReviewAbove: 1n }))
})
after(() => app.close())

/** A page of a user who has entered by a link and accepted the terms. */
async function enter(t: TestContext, user: string, options: BrowserContextOptions): Promise<[Page, string]> {
  const page = await openPage(t, options)
  const link = await portalLink(app, user)
  // A service that has just started on a busy machine may answer that it is overloaded.
  await eventually(async () => {
    await page.goto(app.service.url + link)
    return page.getByRole('button', { name: 'Open my rewards' }).isVisible()
  })
  await press(page, 'Open my rewards')
  await press(page, 'I accept the terms')
  await page.getByText('Thank you.').waitFor()
  return [page, app.service.url + link.replace(/\/enter\/.*/, '')]
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()

async function signInAtBank(page: Page, user: string, isRepair = false): Promise<void> {
  const frame = page.getByRole('dialog').frameLocator('iframe')
  if (!isRepair) {
    await frame.getByRole('link', { name: 'Continue' }).click()
    await frame.getByRole('link', { name: 'First Platypus Bank', exact: true }).click()
  }
  await signIn(frame, { username: user })
  await frame.getByRole('button', { name: 'Continue' }).click()
}

async function simulated(path: string, body?: object) {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`${app.simulatorUrl}/_sim/${path}`, body === undefined ? {} : sent)
  assert.ok(answer.ok, path)
  return (await answer.json()) as { items: { item_id: string }[] }
}

async function accountOf(user: string): Promise<string> {
  const { body } = await app.call('GET', `/linker/linked-cards/${user}`)
  return body.linked_institutions[0].linked_cards[0].account_id
}

for (const [user, options] of [
  ['grace', WIDE],
  ['hedy', NARROW],
] as const)
  test(`${user} links a card, sees why a purchase pays, and is paid (${options.viewport.width} px)`, async (t) => {
    const [page, base] = await enter(t, user, options)
    await follow(page, 'Cards')
    await press(page, 'Link a card')
    await signInAtBank(page, user)
    await page.getByText('The card is linked.').waitFor()
    const account_id = await accountOf(user)
    await simulated('purchases', { account_id, merchant: 'Corner Market', amount: 40, category: 'FOOD_AND_DRINK' })
    await eventually(async () => {
      await page.goto(`${base}/purchases`)
      return page.getByRole('link', { name: 'Corner Market' }).isVisible()
    })
    await follow(page, 'Corner Market')
    await page.getByText('You spent $40.00.').waitFor()
    await page.getByText(/^You get \$\d\.\d\d back\.$/).waitFor()

    await app.call('POST', '/sandbox/clock', { advance_days: 32 })
    await page.goto(base)
    await follow(page, 'Redeem')
    await page.getByLabel('How much').fill('1')
    await press(page, 'Redeem')
    await page.getByText('Being checked').first().waitFor()
    const uid = /rdm_\w+/.exec(page.url())?.[0]
    assert.equal((await app.operator('POST', `/operator/redemptions/${uid}/approve`)).status, 200)
    await app.call('POST', `/redemptions/${uid}/outcome`, { status: 'paid', payout_reference: 'wire-1' })
    await page.reload()
    await page.getByText('You have been paid.').waitFor()

    const { items } = await simulated(`items?account_id=${account_id}`)
    await simulated(`items/${items[0]?.item_id}/break`, {})
    await eventually(async () => {
      await page.goto(`${base}/cards`)
      return page.getByRole('button', { name: /^Sign in again/ }).isVisible()
    })
    await page.getByRole('button', { name: /^Sign in again/ }).click()
    await signInAtBank(page, user, true)
    await page.getByText('The card is linked.').waitFor()
    await page.locator('summary').filter({ hasText: 'Unlink' }).click()
    await page.getByRole('button', { name: 'Unlink these cards' }).click()
    await page.getByText('The cards are unlinked.').waitFor()
  })

test('without scripts a user claims a missing purchase, and sees it granted', async (t) => {
  const [page, base] = await enter(t, 'claire', { ...NARROW, javaScriptEnabled: false })
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
  // Playwright does not look into the element for browsers without scripts.
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

for (const [name, viewport] of [
  ['wide', WIDE.viewport],
  ['narrow', NARROW.viewport],
] as const)
  test(`no page has a fault that axe finds, or is wider than its screen (${name})`, async (t) => {
    const look = { slug: `axe-${name}`, shown_name: MARKUP, hue: 42, chroma: 0.16, frame_ancestors: [] }
    const settings = { ...look, allows_accounts: true }
    assert.equal((await app.call('PUT', '/portal/settings', settings)).status, 200)
    const [page, base] = await enter(t, `axe-${name}`, { ...WIDE, viewport })
    const purchase = { publisher_user_id: `axe-${name}`, external_id: name, amount: 40, brand_uid: 'brand-market' }
    const { body: bought } = await app.call('POST', '/transactions', { source: 'OTHER', kind: 'CLEARING', ...purchase })
    const claim = { publisher_user_id: `axe-${name}`, external_ref: name, kind: 'missing', merchant: MARKUP }
    const { body: claimed } = await app.call('POST', '/claims', { ...claim, evidence: MARKUP })
    const own = [`/purchases/${bought.transaction_uid}`, `/claims/${claimed.claim_id}`, `/claims/new?day=2026-01-02`]
    const axe = await readFile(AXE, 'utf8')
    for (const path of [...PAGES, ...MORE_PAGES, ...OPEN_PAGES, ...own]) {
      await page.goto(base + path)
      await page.evaluate(axe)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await page.evaluate(FAULTS), [], `${path} ${colorScheme}`)
      }
      assert.equal(await page.locator('img').count(), 0, `${path} shows markup of others as text`)
    }
  })

/** What axe finds by the rules of WCAG 2.2 AA, and whether the page is wider than its screen. */
const FAULTS = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
  .then(({ violations }) => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)
    return scrollWidth > clientWidth ? [...found, 'wider by ' + (scrollWidth - clientWidth) + ' px'] : found
  })`

test('what pages load is compressed, small, and kept by browsers until it changes', async (t) => {
  const [page, base] = await enter(t, 'reader', WIDE)
  await page.goto(`${base}/cards`)
  const scripts = await page
    .locator('script[src^="/portal/"]')
    .evaluateAll((all) => all.map((one) => (one as unknown as { src: string }).src))
  let bytes = 0
  for (const script of scripts) {
    const answer = await fetch(script, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(answer.headers.get('content-encoding'), 'gzip')
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    bytes += gzipSync(await answer.text()).length
  }
  assert.ok(scripts.length === 2 && bytes <= SCRIPTS_MAX_BYTES, `${bytes} bytes`)
})
