import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { buildConsole } from '../../src/fronts/index.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { changeSettings } from '../../src/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { signedInPages } from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

// The work of an operator that spans pages of the console, in a browser, against the real service.

const openPage = useBrowser()
let app: TestApp
let openConsole: Awaited<ReturnType<typeof signedInPages>>
let publisherId = ''
let isReceiverWell = false
const receiver = createServer((_request, response) => {
  response.statusCode = isReceiverWell ? 204 : 500
  response.end()
})

before(async () => {
  app = await startTestApp({ consoleFolder: buildConsole() })
  await app.catalog(CATALOG)
  publisherId = encodeId('pub', app.publisher.id)
  openConsole = await signedInPages(app, openPage)
  const settings = { ownCardFeed: true, redemptionReviewAbove: 1n }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await app.close()
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const agree = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
const fileOf = (name: string, content: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(content) })

test('a catalog file is tried, its faults named by line; what it changes is seen before it is imported', async (t) => {
  const page = await openConsole(t, '/brands/import')
  await heading(page, 'Import a catalog')
  const { brands, categories } = structuredClone(CATALOG)
  const [market] = brands
  const offer = market?.offers[0]
  assert(market !== undefined && offer !== undefined)
  const chooser = page.getByLabel('Catalog file')
  const faulty = [categories[0], market, { ...market, brand_uid: 'brand-faulty', name: 'Faulty', offers: [{}] }]
  await chooser.setInputFiles(fileOf('faulty.jsonl', faulty.map((line) => JSON.stringify(line)).join('\n')))
  await page.getByText('Line 3, Faulty', { exact: false }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).count(), 0)

  const changed = { ...market, offers: [{ ...offer, commission: { rate: 7 } }] }
  const added = { ...market, brand_uid: 'brand-kettle', name: 'Blue Kettle', website: 'https://kettle.example' }
  const kettle = { ...added, aliases: [], offers: [{ ...offer, offer_uid: 'offer-kettle', name: 'Tea for less' }] }
  await chooser.setInputFiles(fileOf('catalog.json', JSON.stringify({ categories, brands: [changed, kettle] })))
  await heading(page, 'What catalog.json would change')
  await page.getByRole('list', { name: 'Changes' }).getByText('Tea for less').waitFor()
  await page.getByText('Commission rate').waitFor()
  await press(page, 'Import')
  await agree(page, 'Import it')
  await heading(page, 'The catalog is imported')
  await page.getByRole('link', { name: 'Offers by state' }).click()
  await page.getByRole('link', { name: 'Tea for less' }).first().click()
  await heading(page, 'Tea for less')
})

test('a webhook fails, is seen across publishers, and what was missed is delivered', async (t) => {
  const { port } = receiver.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hooks`
  assert.equal((await app.call('POST', '/webhooks/endpoints', { url })).status, 200)
  const page = await openConsole(t, `/publishers/${publisherId}/webhooks`)
  await press(page, 'Send a test')
  const isFailing = async () =>
    (await app.operator('GET', '/operator/endpoints?failing=true')).body.content.length === 1
  await eventually(isFailing)
  await page.getByRole('link', { name: /^Failing endpoints/ }).click()
  await page.getByRole('link', { name: url }).first().click()
  await heading(page, 'Webhooks')
  // What was shown seconds ago is not asked for again at once.
  await page.reload()
  await page.getByText(/failing since/).waitFor()
  isReceiverWell = true
  await press(page, 'Recover')
  await agree(page, 'Recover')
  const delivered = async () => (await app.call('GET', '/webhooks/deliveries?status=delivered')).body.content
  await eventually(async () => (await delivered()).length > 0)
  assert.equal(await isFailing(), false)
  await page.reload()
  await page.getByRole('cell', { name: 'Delivered' }).first().waitFor()
})

test('an adjustment is booked; its user redeems, and the redemption is approved and paid', async (t) => {
  const page = await openConsole(t, '/adjustments')
  await press(page, 'Propose an adjustment')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User').fill('ada')
  await dialog.getByLabel('Amount in USD').fill('5')
  await dialog.getByLabel('Reason').fill('A welcome')
  await agree(page, 'Propose it')
  await page.getByRole('cell', { name: 'Booked' }).waitFor()
  const asked = { publisher_user_id: 'ada', amount: 5, method: 'publisher', external_ref: 'work' }
  const { body } = await app.call('POST', '/redemptions', asked)
  assert.equal(body.status, 'requested', JSON.stringify(body))
  await page.getByRole('link', { name: /^Redemptions/ }).click()
  await press(page, 'Approve')
  await agree(page, 'Approve')
  await page.getByText('No redemption is waiting for approval').waitFor()
  const outcome = { status: 'paid', payout_reference: 'work-1' }
  const paid = await app.call('POST', `/redemptions/${body.redemption_id}/outcome`, outcome)
  assert.equal(paid.body.status, 'paid', JSON.stringify(paid.body))
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('row', { name: /Payouts in clearing.*\$5\.00 Cr/ }).waitFor()
})

test('in the sandbox somebody buys; a month passes, is closed, and its statement is read', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/sandbox`)
  await page.getByLabel('User').fill('ada')
  await page.getByLabel('Merchant').fill('CORNER MARKET 12')
  await press(page, 'Buy')
  await page.getByText(/\$40\.00: earns \$2\.\d\d/).waitFor()
  const { body } = await app.call('GET', '/sandbox/clock')
  const month = String(body.now).slice(0, 'yyyy-MM'.length)
  await page.getByRole('link', { name: 'Move the clock' }).click()
  await press(page, '31 days on')
  await page.getByText('31 days ahead of everywhere else.').waitFor()
  await page.goto(`${app.service.url}/console/statements/close`)
  await heading(page, 'What will happen')
  await page.getByLabel('Month').fill(month)
  await page.getByRole('button', { name: /^Close \w+ \d{4}$/ }).click()
  await agree(page, 'Close the month')
  await heading(page, /is closed$/)
  await page.getByRole('link', { name: 'See the statements' }).click()
  await page.getByRole('link', { name: 'Corner Market' }).first().click()
  await heading(page, 'What is open')
  await heading(page, /^Corner Market, /)
})

test('on a narrow screen the menu leads to a page and closes', async (t) => {
  const page = await openConsole(t, '/')
  await page.setViewportSize({ width: 390, height: 844 })
  await press(page, 'Menu')
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Ledger' }).click()
  await heading(page, 'Ledger')
  await menu.waitFor({ state: 'detached' })
})
