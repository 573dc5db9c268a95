import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import chromium from '@sparticuz/chromium'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { linkItem, linkTokenWish, openSimulator, type TestSimulator, type Tokens } from '../test-support.ts'

let browser: Browser

before(async () => {
  // Not the package's own arguments: they put all into one process, which ends with the first page, and switch off the
  // web's security, which is part of what is tested here. Only the sandbox must go, because tests may run as root.
  browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] })
})
after(() => browser.close())

/** A page in which any fault of a script, or anything the policy blocks, fails the test. */
async function openPage(t: TestContext): Promise<Page> {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  t.after(async () => {
    await page.close()
    assert.deepEqual(faults, [])
  })
  return page
}

async function newLinkToken({ call }: TestSimulator, more: object = {}): Promise<string> {
  return (await call<{ link_token: string }>('/link/token/create', linkTokenWish(more))).body.link_token
}

async function signIn(page: Page, password = 'pass_good'): Promise<void> {
  await page.getByLabel('Username').fill('user_good')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a user finds his bank, mistypes once, signs in, leaves out an account, and is connected', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await page.goto(`${simulator.url}/link?token=${await newLinkToken(simulator)}`)
  assert.equal(
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') })
      .count(),
    14,
  )
  await page.getByLabel('Search for your bank').fill('first platypus bank')
  assert.equal(await page.getByRole('link').count(), 1)
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()

  await signIn(page, 'pass_bad')
  assert.match((await page.getByRole('alert').textContent()) ?? '', /not right/)
  assert.equal(await page.getByLabel('Username').inputValue(), 'user_good')
  await signIn(page)

  const boxes = page.getByRole('checkbox')
  const offered = await boxes.count()
  await boxes.last().uncheck()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('You can close this window').waitFor()
  const public_token = (await page.locator('#public-token').textContent()) ?? ''
  assert.match(public_token, /^public-sandbox-/)
  const command = (await page.locator('#command').textContent()) ?? ''
  assert.ok(command.includes('/linker/public-token/') && command.includes(public_token))

  const { body: tokens } = await simulator.call<Tokens>('/item/public_token/exchange', { public_token })
  const { body } = await simulator.call<{ accounts: unknown[] }>('/accounts/get', { access_token: tokens.access_token })
  assert.equal(body.accounts.length, offered - 1)
  type Items = { items: { client_user_id: string }[] }
  const { items } = await simulator.ask<Items>('items')
  assert.deepEqual(
    items.map(({ client_user_id }) => client_user_id),
    ['user-1'],
  )
})

test('choosing no account is refused on the page', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await page.goto(`${simulator.url}/link?token=${await newLinkToken(simulator)}`)
  await page.getByRole('link', { name: 'Alder Creek Savings' }).click()
  await signIn(page)
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match((await page.getByRole('alert').textContent()) ?? '', /at least one/)
})

test('account filters hide what the client does not ask for', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const account_filters = { credit: { account_subtypes: ['credit card'] } }
  await page.goto(`${simulator.url}/link?token=${await newLinkToken(simulator, { account_filters })}`)
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(page)
  const labels = await page.locator('.account').allTextContents()
  assert.ok(labels.length > 0 && labels.every((label) => label.includes('credit card')))
})

test('update mode goes straight to the sign-in, and the same item works again', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const tokens = await linkItem(simulator)
  const { access_token } = tokens
  await simulator.call('/sandbox/item/reset_login', { access_token })
  const token = await newLinkToken(simulator, { access_token, products: undefined })
  await page.goto(`${simulator.url}/link?token=${token}`)
  await page.getByRole('heading', { name: 'Sign in to First Platypus Bank again' }).waitFor()
  await signIn(page)
  await page.getByText('You can close this window').waitFor()
  assert.equal((await simulator.call('/accounts/get', { access_token })).status, 200)
  const public_token = await page.locator('#public-token').textContent()
  const { body } = await simulator.call<Tokens>('/item/public_token/exchange', { public_token })
  assert.deepEqual([body.access_token, body.item_id], [access_token, tokens.item_id])
})

test('the result is handed to the page that opened the link, and to return_to', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>')
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    shop.closeAllConnections()
    shop.close()
  })
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const token = await newLinkToken(simulator)
  const query = new URLSearchParams({ token, return_to: `${shopUrl}/back?basket=7` })
  await page.goto(shopUrl)
  const popupOpened = page.waitForEvent('popup')
  const message = page.evaluate(`new Promise((resolve) => {
    addEventListener('message', ({ data }) => resolve(data))
    open(${JSON.stringify(`${simulator.url}/link?${query}`)})
  })`)
  const popup = await popupOpened
  await popup.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(popup)
  await popup.getByRole('button', { name: 'Continue' }).click()

  type Message = { type: string; public_token: string; institution: object; accounts: unknown[] }
  const { type, public_token, institution, accounts } = (await message) as Message
  assert.equal(type, 'laurel-link-success')
  assert.deepEqual(institution, { institution_id: 'ins_109508', name: 'First Platypus Bank' })
  assert.ok(accounts.length >= 2)
  await popup.waitForURL(`${shopUrl}/back?**`)
  assert.deepEqual(Object.fromEntries(new URL(popup.url()).searchParams), {
    basket: '7',
    public_token,
    institution_id: 'ins_109508',
    institution_name: 'First Platypus Bank',
  })
})

test('a link page is had only with a good token and a way back on this machine', async (t) => {
  const simulator = await openSimulator(t)
  const token = await newLinkToken(simulator)
  const status = async (query: Record<string, string>) =>
    (await fetch(`${simulator.url}/link?${new URLSearchParams(query)}`)).status
  assert.equal(await status({}), 400)
  assert.equal(await status({ token: 'link-sandbox-nothing' }), 400)
  assert.equal(await status({ token, return_to: 'https://elsewhere.example/' }), 400)
  assert.equal(await status({ token, return_to: 'javascript:alert(1)' }), 400)
  const { headers } = await fetch(`${simulator.url}/link?token=${token}`)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
})

test('what a client or a merchant is called is text on every page, never markup', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  await simulator.control('purchases', { item_id, merchant: '<img src=x onerror=alert(1)>', amount: 1 })
  const home = await (await fetch(simulator.url)).text()
  assert.ok(!home.includes('<img src=x') && home.includes('&#60;img src=x'))
})

test('on the home page a purchase is made, posted and refunded, and a login broken and repaired', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token } = await linkItem(simulator)
  await page.goto(simulator.url)
  await page.getByLabel('Merchant or bank descriptor').fill('Fern Foods')
  await page.getByLabel('Amount').fill('12.50')
  await page.getByLabel('Pending').check()
  await page.getByRole('button', { name: 'Buy' }).click()
  await page.getByRole('cell', { name: 'Pending' }).waitFor()
  await page.getByRole('button', { name: 'Post' }).click()
  await page.getByRole('cell', { name: 'Posted' }).waitFor()
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('cell', { name: '-12.50 USD' }).waitFor()
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('No more than 0.00 is left').waitFor()

  await page.getByRole('button', { name: 'Break the login' }).click()
  await page.getByText('Login broken').waitFor()
  assert.equal((await simulator.call('/transactions/sync', { access_token })).body.error_code, 'ITEM_LOGIN_REQUIRED')
  await page.getByRole('button', { name: 'Repair the login' }).click()
  await page.getByText('Healthy').waitFor()
  const { body } = await simulator.call<{ added: { amount: number }[] }>('/transactions/sync', { access_token })
  assert.deepEqual(
    body.added.map(({ amount }) => amount),
    [12.5, -12.5],
  )
})
