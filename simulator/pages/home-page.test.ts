import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { linkItem, openReceiver, openSimulator } from '../test-support.ts'
import { readAlert, useBrowser } from './test-support.ts'

const openPage = useBrowser()

/** Measures the width of text in the page's own font. */
const PAINTED = `(text) => {
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = getComputedStyle(document.querySelector('select')).font
  return pen.measureText(text).width
}`

test('names of clients and merchants are rendered as text, never as markup', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  await simulator.control('purchases', { item_id, merchant: '<img src=x onerror=alert(1)>', amount: 1 })
  const home = await (await fetch(simulator.url)).text()
  assert.ok(!home.includes('<img src=x') && home.includes('&#60;img src=x'))
})

type Sync = { added: { amount: number }[]; removed: unknown[]; error_code?: string }

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Waits for the page's message about the last action. */
async function said(page: Page, text: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).waitFor()
}

async function buy(page: Page, { merchant = 'Fern Foods', amount = '12.50', pending = false } = {}): Promise<void> {
  await page.getByLabel('Merchant or bank descriptor').fill(merchant)
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await page.getByLabel('Pending', { exact: true }).setChecked(pending)
  await press(page, 'Buy')
  await said(page, 'Bought')
}

test('a purchase is posted with a tip and refunded in steps, but never beyond its amount', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token } = await linkItem(simulator)
  await page.goto(simulator.url)
  await buy(page, { pending: true })
  await page.getByRole('cell', { name: 'Pending' }).waitFor()
  await page.getByText('More', { exact: true }).click()
  await page.getByLabel('Amount with tip').fill('15')
  await page.getByLabel('Linked to the pending row').uncheck()
  await press(page, 'Post so')
  await page.getByRole('cell', { name: 'Posted' }).waitFor()

  await page.getByText('More', { exact: true }).click()
  await page.getByLabel('Amount to give back').fill('5')
  await press(page, 'Refund a part')
  await page.getByRole('cell', { name: '-5.00 USD' }).waitFor()
  await press(page, 'Refund')
  await page.getByRole('cell', { name: '-10.00 USD' }).waitFor()
  await press(page, 'Refund')
  await page.getByText('No more than 0.00 is left').waitFor()
  const { body } = await simulator.call<Sync>('/transactions/sync', { access_token })
  assert.deepEqual(body.added.map(({ amount }) => amount).toSorted(), [-10, -5, 15])
})

test("a purchase's place and descriptor reach the feed, and a refund needs no purchase", async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await linkItem(simulator)
  await page.goto(simulator.url)
  await page.getByText('Place, merchant fields and date').click()
  await page.getByLabel('ZIP code').fill('78701')
  await page.getByLabel('Store number').fill('42')
  await page.getByLabel("With the provider's merchant fields").uncheck()
  await buy(page, { merchant: 'SQ *FERN 042' })
  await page.getByLabel('Merchant or bank descriptor').fill('Fern Foods')
  await page.getByLabel('Amount', { exact: true }).fill('3')
  await press(page, 'Give back without a purchase')
  await said(page, 'Given back')
  type Rows = { purchases: { amount: number; merchant_name: string | null; location: Record<string, unknown> }[] }
  const [back, bought] = (await simulator.ask<Rows>('purchases')).purchases
  assert.equal(back?.amount, -3)
  assert.deepEqual([bought?.merchant_name, bought?.location['postal_code']], [null, '78701'])
  assert.equal(bought?.location['store_number'], '42')
})

test('a row can be changed, removed and restored', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token } = await linkItem(simulator)
  await page.goto(simulator.url)
  await buy(page)
  await page.getByText('More', { exact: true }).click()
  await page.getByLabel('New amount').fill('9.99')
  await press(page, 'Change the row')
  await page.getByRole('cell', { name: '9.99 USD' }).waitFor()
  // An open section stays open.
  await press(page, 'Remove the row')
  await page.getByRole('cell', { name: 'Removed' }).waitFor()
  const before = await simulator.call<Sync>('/transactions/sync', { access_token })
  assert.deepEqual(before.body.added, [])
  await press(page, 'Bring back')
  await page.getByRole('cell', { name: 'Posted' }).waitFor()
  const after = await simulator.call<Sync>('/transactions/sync', { access_token })
  assert.deepEqual(
    after.body.added.map(({ amount }) => amount),
    [9.99],
  )
})

test('a login can be broken, repaired, revoked and silenced, and can lose an account', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token } = await linkItem(simulator)
  const state = async () =>
    (await simulator.ask<{ items: { error: string | null; frozen: boolean; accounts: unknown[] }[] }>('items')).items[0]
  await page.goto(simulator.url)
  await press(page, 'Break the login')
  await page.getByText('Login broken').waitFor()
  const { body } = await simulator.call<Sync>('/transactions/sync', { access_token })
  assert.equal(body.error_code, 'ITEM_LOGIN_REQUIRED')
  await press(page, 'Repair the login')
  await page.getByText('Healthy').waitFor()

  await page.getByText('More with this login').click()
  await page.getByRole('combobox', { name: 'Error', exact: true }).selectOption('PASSWORD_RESET_REQUIRED')
  await press(page, 'Break it so')
  await said(page, 'Break it so')
  assert.equal((await state())?.error, 'PASSWORD_RESET_REQUIRED')
  await press(page, 'Repair the login')
  await page.getByText('Healthy').waitFor()
  await page.getByLabel('In days (none: now)').fill('7')
  await press(page, 'Let consent expire')
  await page.getByText('Consent ends').waitFor()
  await press(page, 'Silence the bank')
  await page.getByText('Bank silent').waitFor()
  assert.equal((await state())?.frozen, true)
  await press(page, 'Let the bank report again')
  await said(page, 'Let the bank report again')
  const shared = (await state())?.accounts.length ?? 0
  await press(page, 'Close the account')
  await said(page, 'Close the account')
  assert.equal((await state())?.accounts.length, shared - 1)
  const ids = async () => JSON.stringify((await state())?.accounts)
  const old = await ids()
  await press(page, 'Change all ids')
  await said(page, 'Change all ids')
  assert.notEqual(await ids(), old)
  await press(page, 'Revoke')
  await page.getByText('USER_PERMISSION_REVOKED').waitFor()
  assert.equal((await simulator.call('/accounts/get', { access_token })).status, 400)
})

test('active faults and webhook chaos are shown, and one button clears them all', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token } = await linkItem(simulator)
  await page.goto(simulator.url)
  await page.getByText('No faults are active').waitFor()
  await page.getByText('Add a fault for calls').click()
  await page.getByLabel('Kind of fault').selectOption('rate_limited')
  await page.getByLabel('At which call').selectOption('/transactions/sync')
  await page.getByLabel('How often (0: until deleted)').fill('0')
  await press(page, 'Add the fault')
  const wrongs = page.getByRole('list', { name: 'Active faults' })
  await wrongs.getByText('/transactions/sync').waitFor()
  assert.equal((await simulator.call('/transactions/sync', { access_token })).status, 429)
  await page.getByText('Add a fault for webhooks').click()
  await page.getByLabel('Lost, in percent').fill('100')
  await press(page, 'Send webhooks like this')
  await wrongs.getByText('100% lost').waitFor()

  await press(page, 'Clear all faults')
  await page.getByText('No faults are active').waitFor()
  assert.equal((await simulator.call('/transactions/sync', { access_token })).status, 200)

  await page.getByLabel('Kind of fault').selectOption('error')
  await press(page, 'Add the fault')
  assert.match(await readAlert(page), /error_code/)
})

test('webhooks are shown with their outcome and can be sent again', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const page = await openPage(t)
  const { item_id } = await linkItem(simulator, { webhook: receiver.url })
  await simulator.control(`items/${item_id}/break`)
  await receiver.next()
  await page.goto(simulator.url)
  await page.getByRole('cell', { name: 'ITEM ERROR' }).waitFor()
  await press(page, 'Resend the last webhooks')
  const again = await receiver.next()
  assert.equal(again.content['webhook_code'], 'ERROR')
})

test('a login can be found by its user', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await linkItem(simulator, { username: 'ann' })
  await linkItem(simulator, { username: 'ben' })
  await page.goto(simulator.url)
  assert.equal(await page.getByRole('article').count(), 2)
  await page.getByLabel('User, username, item or account').fill('ann')
  await press(page, 'Show only these')
  await page.waitForURL('**/?q=ann')
  assert.equal(await page.getByRole('article').count(), 1)
  assert.equal(await page.getByRole('article', { name: 'sandbox:ann' }).count(), 1)
})

test('the newest ten logins are expanded, and the others expand on click and stay expanded', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  for (let count = 1; count <= 13; count++) await linkItem(simulator, { username: `user-${count}` })
  await page.goto(simulator.url)
  const oldest = page.getByRole('article', { name: /user-1$/ })
  assert.equal(await page.getByRole('article').count(), 10)
  assert.equal(await oldest.count(), 0)
  const lines = page.locator('details.folded')
  assert.equal(await lines.count(), 3)
  await lines.last().locator('summary').first().click()
  await oldest.getByRole('button', { name: 'Break the login' }).click()
  await said(page, 'Break the login')
  assert.equal(await oldest.isVisible(), true)
  await lines.last().locator('summary').first().getByText('Login broken').waitFor()
})

test('on a phone, the account to pay from is shown with its name and mask', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t, { viewport: { width: 360, height: 740 } })
  await linkItem(simulator)
  await page.goto(simulator.url)
  const rows = await page.getByLabel('Paid with').evaluate((select) => {
    const { options, clientWidth } = select as unknown as { options: Iterable<{ text: string }>; clientWidth: number }
    return { clientWidth, texts: [...options].map(({ text }) => text) }
  })
  assert.ok(rows.texts.length > 0)
  for (const text of rows.texts) {
    const account = /^.+ \d{4}(?=, )/.exec(text)?.[0] ?? ''
    assert.notEqual(account, '', text)
    const width = await page.evaluate<number>(`(${PAINTED})(${JSON.stringify(account)})`)
    assert.ok(width < rows.clientWidth - 50, `${account}: ${width} of ${rows.clientWidth}`)
  }
})

test('at an unknown address, browsers get a link to the home page and programs get a JSON error', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  assert.equal((await page.goto(`${simulator.url}/nowhere`))?.status(), 404)
  await page.getByRole('link', { name: "To the simulator's page" }).click()
  await page.getByRole('heading', { name: 'Linking simulator' }).waitFor()
  const answer = await fetch(`${simulator.url}/nowhere`)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/json; charset=utf-8'])
})
