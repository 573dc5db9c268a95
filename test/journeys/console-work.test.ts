import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { findFaults } from '../support/axe.ts'
import { followAddress, followMenu, signedInPages } from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

// Operator workflows that span several console pages, in a browser, against the real service.

const openPage = useBrowser()
let app: TestApp
let openConsole: Awaited<ReturnType<typeof signedInPages>>
let publisherId = ''

before(async () => {
  app = await startTestApp({ consoleFolder: buildConsole() })
  await app.catalog(CATALOG)
  publisherId = encodeId('pub', app.publisher.id)
  openConsole = await signedInPages(app, openPage)
  const settings = { ownCardFeed: true }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

async function buy(external_id: string, merchant_descriptor: string, amount = 40) {
  const purchase = { publisher_user_id: 'ada', source: 'CARD', kind: 'CLEARING', external_id, merchant_descriptor }
  const { status, body } = await app.call('POST', '/transactions', { ...purchase, amount })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Returns the content of the file that the page downloads. */
async function downloaded(page: Page, act: Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act])
  return readFile(await download.path(), 'utf8')
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const agree = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }).click()
const makeFile = (name: string, content: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(content),
})

test('errors in a catalog file are listed by line, and its changes are previewed before the import', async (t) => {
  const page = await openConsole(t, '/brands/import')
  await heading(page, 'Import a catalog')
  const { brands, categories } = structuredClone(CATALOG)
  const [market] = brands
  const offer = market?.offers[0]
  assert(market !== undefined && offer !== undefined)
  const chooser = page.getByLabel('Catalog file')
  const faulty = [categories[0], market, { ...market, brand_uid: 'brand-faulty', name: 'Faulty', offers: [{}] }]
  await chooser.setInputFiles(makeFile('faulty.jsonl', faulty.map((line) => JSON.stringify(line)).join('\n')))
  await page.getByText('Line 3, Faulty', { exact: false }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).count(), 0)

  const changed = { ...market, offers: [{ ...offer, commission: { rate: 7 } }] }
  const added = { ...market, brand_uid: 'brand-kettle', name: 'Blue Kettle', website: 'https://kettle.example' }
  const kettle = { ...added, aliases: [], offers: [{ ...offer, offer_uid: 'offer-kettle', name: 'Tea for less' }] }
  await chooser.setInputFiles(makeFile('catalog.json', JSON.stringify({ categories, brands: [changed, kettle] })))
  await heading(page, 'What catalog.json would change')
  await page.getByRole('list', { name: 'Changes' }).getByText('Tea for less').waitFor()
  await page.getByText('Commission rate').waitFor()
  await press(page, 'Import')
  await agree(page, 'Import it')
  await heading(page, 'Catalog imported')
  await followMenu(page, 'Offers by state')
  await page.getByRole('link', { name: 'Tea for less' }).first().click()
  await heading(page, 'Tea for less')
  await heading(page, 'Version 1 by noa')
})

test('an adjustment is proposed and booked, then appears in the ledger', async (t) => {
  const page = await openConsole(t, '/adjustments')
  await press(page, 'Propose an adjustment')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User').fill('ada')
  await dialog.getByLabel('Amount in USD').fill('5')
  await dialog.getByLabel('Reason').fill('A welcome')
  await agree(page, 'Propose it')
  await page.getByRole('cell', { name: 'Booked', exact: true }).waitFor()
  await followMenu(page, 'Ledger')
  await page
    .getByRole('row', { name: /\$5\.00 Cr/ })
    .first()
    .waitFor()
})

test('a list of over a hundred adjustments is displayed incrementally and downloaded in full', async (t) => {
  await app.call('POST', '/users', { publisher_user_id: 'eve' })
  const adjustment = { publisher_id: publisherId, publisher_user_id: 'eve', currency: 'USD', amount: 0.01 }
  for (let index = 0; index <= 100; index++) {
    const body = { ...adjustment, kind: 'goodwill', paid_by: 'service', reason: `Apology ${index}` }
    const { status, body: refusal } = await app.operator('POST', '/operator/adjustments', body)
    assert.equal(status, 200, JSON.stringify(refusal))
  }
  const page = await openConsole(t, '/adjustments')
  const row = (name: string) => page.getByRole('cell', { name: `${name} Goodwill`, exact: true })
  await row('Apology 100').waitFor()
  assert.equal(await row('Apology 0').count(), 0)
  await press(page, 'Show more')
  await row('Apology 0').waitFor()
  assert.equal(await row('Apology 100').count(), 1)
  const text = await downloaded(page, page.getByRole('link', { name: 'Download as CSV' }).click())
  assert.equal(text.match(/Apology \d/g)?.length, 101)
})

test('a filter can be saved under a name, persists, and can be deleted', async (t) => {
  await buy('kept', 'CORNER MARKET')
  await buy('unknown', 'ZORBLE KIOSK')
  const page = await openConsole(t, `/publishers/${publisherId}/transactions`)
  const views = page.getByRole('group', { name: 'Saved views' })
  await page.getByLabel('Merchant, order or transaction').fill('zorble')
  await page.getByRole('group', { name: 'Status' }).getByText('Canceled').click()
  await views.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Kiosks')
  await agree(page, 'Save')

  await page.goto(`${app.service.url}/console/publishers/${publisherId}/transactions`)
  await page.getByRole('link', { name: 'CORNER MARKET' }).first().waitFor()
  await views.getByRole('button', { name: 'Kiosks', exact: true }).click()
  await page.getByRole('link', { name: 'CORNER MARKET' }).waitFor({ state: 'detached' })
  const { searchParams } = new URL(page.url())
  assert.deepEqual([...searchParams].sort(), [
    ['search_text', 'zorble'],
    ['status', 'CANCELLED'],
  ])
  await views.getByRole('button', { name: 'Remove the view Kiosks' }).click()
  await views.getByRole('button', { name: 'Save this view' }).waitFor()
  await page.reload()
  await views.getByRole('button', { name: 'Save this view' }).waitFor()
  assert.equal(await views.getByRole('button', { name: 'Kiosks', exact: true }).count(), 0)
})

test('an export contains all rows that match the filter, and its cells are never formulas', async (t) => {
  const formula = '=HYPERLINK("https://evil.example", "Kettle, now")'
  await buy('formula', formula)
  // More purchases than fit on one page of the API.
  for (let index = 0; index <= 100; index++) await buy(`kettle-${index}`, `KETTLE ${index}`)
  const page = await openConsole(t, `/publishers/${publisherId}/transactions?search_text=kettle`)
  await press(page, 'Export')
  const text = await downloaded(page, agree(page, 'Download'))
  const [header = '', ...lines] = text.trimEnd().split('\r\n')
  const shown = [0, 1].map((at) => app.call('GET', `/transactions?search_text=kettle&size=100&page=${at}`))
  const listed = (await Promise.all(shown)).flatMap(({ body }) => body.content)
  assert.deepEqual(
    lines.map((line) => line.split(',')[header.split(',').indexOf('transaction_uid')]),
    listed.map(({ transaction_uid }) => transaction_uid),
  )
  assert.equal(lines.length, 102)
  assert.ok(
    lines.some((line) => line.includes(`,"'${formula.replaceAll('"', '""')}",`)),
    lines.at(-1),
  )
})

test('a purchase is re-matched after a preview of the changes', async (t) => {
  const { transaction_uid } = await buy('doubt', 'CORNER MARKET GAWING')
  const { body } = await app.operator('GET', '/operator/reviews?status=OPEN')
  const answer = { brand_uid: 'brand-market', scope: 'ALL' }
  await app.operator('POST', `/operator/reviews/${body.content[0].review_uid}/decide`, answer)
  const page = await openConsole(t, `/publishers/${publisherId}/transactions/${transaction_uid}`)
  await press(page, 'Match again')
  await agree(page, 'Show what would change')
  await page.getByText(/\$0\.00 before, \$2\.\d\d after/).waitFor()
  assert.equal((await app.call('GET', `/transactions/${transaction_uid}`)).body.status, 'CANCELLED')
  await page.getByRole('dialog').getByLabel('Reason').fill('The market was unknown')
  await agree(page, 'Change 1 purchase')
  await page.getByText('1 purchase changed').first().waitFor()
  await page
    .getByText(/\$2\.\d\d becomes available/)
    .first()
    .waitFor()
  assert.equal((await app.call('GET', `/transactions/${transaction_uid}`)).body.status, 'PENDING')
})

test('a review cannot be answered before the effects of the answer are displayed', async (t) => {
  await buy('held', 'CORNER MARKET QUEWING')
  const page = await openConsole(t, '/reviews')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/operator/reviews/rev_*', async (route) => {
    await held
    await route.continue()
  })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.getByRole('button', { name: /^It is Corner Market/ }).waitFor()
  await page.keyboard.press('y')
  const dialog = page.getByRole('dialog')
  const yes = dialog.getByRole('button', { name: /^Yes/ })
  await yes.and(page.getByRole('button', { disabled: true })).waitFor()
  await yes.focus()
  await page.keyboard.press('Enter')
  release()
  await dialog.getByText('1 purchase waiting at 1 publisher').waitFor()
  assert.deepEqual(sent, [])
  await yes.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(sent.length, 1)
})

test("after an answer for all publishers is undone, every publisher's purchases are re-matched", async (t) => {
  const other = await app.tenant()
  const otherId = encodeId('pub', other.publisher.id)
  await app.operator('PATCH', `/operator/publishers/${otherId}`, { name: 'Birch' })
  await app.service.db.transaction((tx) => changeSettings(tx, other.publisher.id, { ownCardFeed: true }))
  await other.call('POST', '/users', { publisher_user_id: 'ada' })
  await other.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const card = { publisher_user_id: 'ada', source: 'CARD', kind: 'CLEARING', amount: 40 }
  const purchase = { ...card, merchant_descriptor: 'CORNER MARKET DAWING' }
  let bought = 0
  const buyAt = async ({ call }: Pick<TestApp, 'call'>) =>
    (await call('POST', '/transactions', { ...purchase, external_id: `dawing-${bought++}` })).body
  for (const tenant of [app, other]) await buyAt(tenant)
  const { body } = await app.operator('GET', '/operator/reviews?status=OPEN')
  const review = body.content.find(({ template }: { template: string }) => template.includes('dawing'))
  const answer = { brand_uid: 'brand-market', scope: 'ALL' }
  await app.operator('POST', `/operator/reviews/${review.review_uid}/decide`, answer)
  const rewarded = [app, other].map((tenant) =>
    eventually(async () => {
      const made = await buyAt(tenant)
      return made.status === 'PENDING' && { ...made, call: tenant.call }
    }),
  )
  const purchases = await Promise.all(rewarded)

  const page = await openConsole(t, '/reviews')
  await page.getByRole('group', { name: 'Which' }).getByText('Answered').click()
  // An answer for all publishers is listed at each publisher, and can be undone at any of them.
  await page
    .getByRole('button', { name: `Undo the answer for ${review.template}` })
    .first()
    .click()
  await agree(page, 'Undo it')
  const publishers: (string | undefined)[] = []
  for (let left = purchases.length; left > 0; left--) {
    const dialog = page.getByRole('dialog', { name: /^Earlier purchases at/ })
    const name = (await dialog.getByRole('heading').innerText()).split(' at ')[1]
    publishers.push(name)
    await agree(page, /^Change \d+ purchase/)
    await page.getByText(`changed at ${name}`).first().waitFor()
  }
  await page.getByRole('dialog', { name: /^Earlier purchases at/ }).waitFor({ state: 'detached' })
  assert.deepEqual(publishers.toSorted(), ['Birch', 'Test'])
  for (const { call, transaction_uid } of purchases)
    assert.equal((await call('GET', `/transactions/${transaction_uid}`)).body.status, 'CANCELLED')
})

test('a purchase shows its bookings and deliveries; a delivery shows its attempts and can be resent', async (t) => {
  const url = 'http://127.0.0.1:9/hook'
  const { endpoint_id } = (await app.call('POST', '/webhooks/endpoints', { url })).body
  const { transaction_uid } = await buy('told', 'CORNER MARKET', 30)
  const deliveries = async () => (await app.call('GET', `/webhooks/deliveries?endpoint_id=${endpoint_id}`)).body.content
  await eventually(async () => (await deliveries()).at(-1)?.attempts > 0)
  const page = await openConsole(t, `/publishers/${publisherId}/transactions/${transaction_uid}`)
  const row = (name: RegExp) => page.getByRole('table', { name: /^Accrual/ }).getByRole('row', { name })
  await row(/^Owed by advertisers \$\d/).waitFor()
  await row(/^Users, pending/).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'transaction.created' }).getByRole('link', { name: url }).click()
  const dialog = page.getByRole('dialog', { name: 'transaction.created' })
  await dialog.getByText('Connection refused').first().waitFor()
  await dialog.getByText(`"transaction_uid": "${transaction_uid}"`).waitFor()
  assert.deepEqual(await findFaults(page), [])
  await agree(page, 'Send again')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '')

  const [{ delivery_id }] = await deliveries()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill(delivery_id)
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await app.call('DELETE', `/webhooks/endpoints/${endpoint_id}`)
})

test('a report is requested, and downloaded once it is ready', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/reports`)
  await press(page, 'Order a report')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Report').selectOption('users')
  await agree(page, 'Order it')
  await page.getByText('Report ordered').first().waitFor()
  await eventually(async () => (await app.call('GET', '/reports')).body.content[0]?.status === 'ready')
  await page.reload()
  const text = await downloaded(page, press(page, 'Download'))
  assert.match(text, /(^|,)publisher_user_id(,|\r?\n)/)
  assert.match(text, /(^|,)ada(,|\r?\n)/m)
})

test('a purchase in the sandbox appears on the statement once the month has passed and is closed', async (t) => {
  const page = await openConsole(t, `/publishers/${publisherId}/sandbox`)
  await page.getByLabel('User', { exact: true }).fill('ada')
  await page.getByLabel('Merchant').fill('CORNER MARKET 12')
  await press(page, 'Buy')
  await page.getByText(/\$40\.00: earns \$2\.\d\d/).waitFor()
  const { body } = await app.call('GET', '/sandbox/clock')
  const month = String(body.now).slice(0, 'yyyy-MM'.length)
  await page.getByRole('link', { name: 'Move the clock' }).click()
  await press(page, '31 days on')
  await page.getByText('31 days ahead of everywhere else.').waitFor()
  const bought = (await app.call('GET', '/transactions?search_text=MARKET%2012')).body.content[0]
  const returned = { external_id: 'later', kind: 'REFUND', original_external_id: bought.external_id, amount: 40 }
  const { merchant_descriptor, source } = bought
  await app.call('POST', '/transactions', { ...returned, source, merchant_descriptor, publisher_user_id: 'ada' })
  const { content } = (await app.call('GET', '/transactions?publisher_user_id=ada')).body
  const { transaction_uid } = content.find(({ adjusts }: { adjusts: unknown }) => adjusts === bought.transaction_uid)
  await page.goto(`${app.service.url}/console/publishers/${publisherId}/transactions/${transaction_uid}`)
  await page.getByText('A purchase is corrected by -$40.00').waitFor()
  await page.getByRole('link', { name: bought.transaction_uid }).click()
  await page.getByText('Bought for $40.00').waitFor()
  await page.goto(`${app.service.url}/console/statements/close`)
  await heading(page, 'What will happen')
  await page.getByLabel('Month').fill(month)
  await page.getByRole('button', { name: /^Close \w+ \d{4}$/ }).click()
  await page.getByText(/statements, with these balances at the end of/).waitFor()
  // Statements show every account as positive when it grows, so balances need no Dr or Cr.
  assert.doesNotMatch(await page.getByRole('dialog').innerText(), /\b[DC]r\b/)
  await agree(page, 'Close the month')
  await heading(page, /is closed$/)
  await page.getByRole('link', { name: 'See the statements' }).click()
  await page.getByRole('link', { name: 'Corner Market' }).first().click()
  await heading(page, 'Outstanding')
  await heading(page, /^Corner Market, /)
})

test("one unmatched refund is assigned to one of its user's purchases, and another is dismissed", async (t) => {
  await app.call('POST', '/users', { publisher_user_id: 'returner' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'returner', tnc_id: app.tncId })
  const send = async (external_id: string, merchant_descriptor: string, amount: number, kind: string) => {
    const event = { publisher_user_id: 'returner', source: 'CARD', external_id, merchant_descriptor, amount, kind }
    assert.equal((await app.call('POST', '/transactions', event)).status, 200)
  }
  await send('market', 'CORNER MARKET 12', 40, 'CLEARING')
  await send('back-1', 'SOMEWHERE ELSE', 15, 'REFUND')
  await send('back-2', 'NOWHERE', 25, 'REFUND')
  const page = await openConsole(t, `/publishers/${publisherId}/users/returner`)
  await page.getByText('Got $15.00 back').waitFor()
  await followAddress(page, '/refunds')
  await page
    .getByRole('row', { name: /SOMEWHERE ELSE.*returner/ })
    .getByRole('button', { name: 'Assign' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /CORNER MARKET 12.*\$40\.00/ }).check()
  await dialog.getByLabel('Reason').fill('The receipt names the market')
  await agree(page, 'Assign')
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /NOWHERE/ })
    .getByRole('button', { name: 'Dismiss' })
    .click()
  await dialog.getByLabel('Reason').fill('Of no purchase that earned')
  await agree(page, 'Dismiss')
  await page.getByText('Every refund is matched to its purchase').waitFor()
  const { body } = await app.call('GET', '/transactions?publisher_user_id=returner')
  const [market] = body.content.filter(({ amount }: { amount: number }) => amount === 40)
  assert.equal(market.refunded_amount, 15)
})

test('in a sandbox, one button breaks a login and another opens the portal as its user', async (t) => {
  const atSimulator = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' }
    return (await fetch(`${app.simulatorUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: false }))
  await app.call('POST', '/users', { publisher_user_id: 'linker' })
  const institution_id = 'ins_109508'
  const login = { override_username: 'user_plain', override_password: 'pass_good' }
  const wish = { institution_id, initial_products: ['transactions'], options: login }
  const { public_token } = (await atSimulator('/sandbox/public_token/create', wish)) as { public_token: string }
  const linking = { institution_id, institution_name: 'First Platypus Bank', public_token }
  assert.equal((await app.call('POST', '/linker/public-token/linker', linking)).status, 200)
  const page = await openConsole(t, `/publishers/${publisherId}/sandbox`)
  await page.getByLabel('User with linked cards').fill('linker')
  await press(page, 'Show their logins')
  await press(page, 'Break the login at First Platypus Bank')
  await page.getByText('Sign-in needed').waitFor()
  await page.goto(`${app.service.url}/console/publishers/${publisherId}/users/linker`)
  const again = page.getByRole('button', { name: 'Break the login at First Platypus Bank' })
  await again.and(page.getByRole('button', { disabled: true })).waitFor()

  const opened = page.waitForEvent('popup')
  await press(page, 'Enter the portal')
  const portal = await opened
  await portal.waitForURL(/\/portal\//)
  await portal.getByRole('heading', { level: 1 }).waitFor()
  const { body } = await app.operator('GET', '/operator/audit?limit=1')
  const [{ action, actor_name }] = body.content
  assert.deepEqual([action, actor_name], ['publisher.createPortalSession', 'noa'])

  const production = await app.tenant({ environment: 'production' })
  await production.call('POST', '/users', { publisher_user_id: 'customer' })
  await page.goto(`${app.service.url}/console/publishers/${encodeId('pub', production.publisher.id)}/users/customer`)
  await page.getByRole('button', { name: 'Enter the portal', disabled: true }).waitFor()
})

test('clicking a point on the map narrows the list of stores, and a new search clears the selection', async (t) => {
  const storeAt = (location_name: string, state: string, more: object) => ({ location_name, state, ...more })
  const store_addresses = [
    storeAt('Pier', 'NY', { latitude: '40.71', longitude: '-74.01' }),
    storeAt('Harbor', 'NY', { latitude: '40.72', longitude: '-74.02' }),
    storeAt('Mission', 'CA', { latitude: '37.76', longitude: '-122.42' }),
    storeAt('Somewhere', 'CA', {}),
  ]
  const [market] = CATALOG.brands
  const offers = [{ ...market?.offers[0], offer_uid: 'offer-chain', store_addresses }]
  const own = { brand_uid: 'brand-chain', name: 'Chain Shop', website: 'https://chain.example', aliases: [] }
  await app.catalog({ categories: CATALOG.categories, brands: [{ ...market, ...own, offers }] })
  const page = await openConsole(t, '/stores?text=chain%20shop')
  const rows = page.getByRole('list', { name: 'Stores', exact: true }).getByRole('listitem')
  const listed = (...names: readonly string[]) =>
    eventually(async () => {
      const texts = await rows.allTextContents()
      return texts.length === names.length && names.every((name, at) => texts[at]?.includes(name))
    })
  await listed('Pier', 'Harbor', 'Mission', 'Somewhere')
  await page.getByText('1 store has no coordinates and is only in the list.').waitFor()
  const points = page.getByRole('img', { name: /with stores/ }).locator('circle')
  assert.equal(await points.count(), 2)
  await points.first().click()
  await listed('Pier', 'Harbor')
  assert.deepEqual([await points.count(), new URL(page.url()).searchParams.has('place')], [2, true])
  await press(page, 'Show all places')
  await listed('Pier', 'Harbor', 'Mission', 'Somewhere')
  await points.last().click()
  await listed('Mission')
  await page.getByLabel('Brand, store or address').fill('pier')
  await listed('Pier')
  assert.equal(new URL(page.url()).searchParams.has('place'), false)
})

test('the catalog is searched page by page, and assortment rules are added by name', async (t) => {
  const [market] = CATALOG.brands
  const brands = Array.from({ length: 51 }, (_, at) => ({
    ...market,
    brand_uid: `many-${at}`,
    name: `Many ${at}`,
    website: `https://many-${at}.example`,
    aliases: [],
    offers: [{ ...market?.offers[0], offer_uid: `offer-many-${at}`, name: `Saving ${at}` }],
  }))
  await app.catalog({ categories: CATALOG.categories, brands })
  const page = await openConsole(t, '/brands?search_text=many')
  await press(page, 'Show more')
  await page.getByRole('link', { name: 'Many 50', exact: true }).click()
  await page.getByRole('link', { name: 'Saving 50', exact: true }).click()
  await heading(page, 'Saving 50')
  await page.goto(`${app.service.url}/console/offers?search_text=many&state=live`)
  const offers = page.getByRole('link', { name: /^Saving/ })
  await eventually(async () => (await offers.count()) >= 30)
  await press(page, 'Show more')
  await eventually(async () => (await offers.count()) === 51)
  await page.goto(`${app.service.url}/console/offers?search_text=many&state=nonsense&category_id=nonsense`)
  await eventually(async () => (await offers.count()) >= 30)
  await page.goto(`${app.service.url}/console/publishers/${publisherId}/assortment`)
  for (const [field, typed, found] of [
    ['Brand', 'many 7', 'Many 7'],
    ['Offer', 'saving 8', 'Saving 8 Many 8'],
    ['Category', 'groc', 'Grocery'],
  ] as const) {
    const form = page.locator('form').filter({ has: page.getByLabel(field, { exact: true }) })
    await form.getByLabel(field, { exact: true }).fill(typed)
    await form.getByRole('button', { name: found, exact: true }).click()
    await form.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByRole('button', { name: `Remove the rule for ${found.split(' Many')[0]}`, exact: true }).waitFor()
  }
  const { body } = await app.operator('GET', `/operator/publishers/${publisherId}/assortment`)
  const [category] = CATALOG.categories.filter(({ category }) => category === 'GROCERY')
  assert.deepEqual(
    [body.brands[0].brand_uid, body.offers[0].offer_uid, body.categories[0].category_id],
    ['many-7', 'offer-many-8', category?.category_id],
  )
})
