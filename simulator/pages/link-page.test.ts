import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { INSTITUTIONS } from '../institutions.ts'
import { linkItem, openSimulator, type Tokens } from '../test-support.ts'
import { newLinkToken, openLink, readAlert, readPublicToken, signIn, useBrowser } from './test-support.ts'

const openPage = useBrowser()

test('a user finds a bank, signs in after a typo, deselects an account, and is connected', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await openLink(page, simulator, await newLinkToken(simulator))
  assert.equal(
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') })
      .count(),
    INSTITUTIONS.length,
  )
  await page.getByLabel('Search for your bank').fill('first platypus bank')
  assert.equal(await page.getByRole('listitem').getByRole('link').count(), 1)
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()

  await signIn(page, { password: 'pass_bad' })
  assert.match(await readAlert(page), /not right/)
  assert.equal(await page.getByLabel('Username').inputValue(), 'user_good')
  await signIn(page)

  const boxes = page.getByRole('checkbox')
  const offered = await boxes.count()
  await boxes.last().uncheck()
  await page.getByRole('button', { name: 'Continue' }).click()
  const public_token = await readPublicToken(page)
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

test('submitting without an account is rejected on the page', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await openLink(page, simulator, await newLinkToken(simulator))
  await page.getByRole('link', { name: 'Alder Creek Savings' }).click()
  await signIn(page)
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await readAlert(page), /at least one/)
})

test('account filters hide accounts that the client does not want', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const account_filters = { credit: { account_subtypes: ['credit card'] } }
  await openLink(page, simulator, await newLinkToken(simulator, { account_filters }))
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(page)
  const labels = await page.locator('.account').allTextContents()
  assert.ok(labels.length > 0 && labels.every((label) => label.includes('credit card')))
})

test('update mode goes straight to the sign-in page and repairs the same item', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const tokens = await linkItem(simulator)
  const { access_token } = tokens
  await simulator.call('/sandbox/item/reset_login', { access_token })
  const token = await newLinkToken(simulator, { access_token, products: undefined })
  await page.goto(`${simulator.url}/link?token=${token}`)
  await page.getByRole('heading', { name: 'Sign in to First Platypus Bank again' }).waitFor()
  await signIn(page, { username: 'user_plain' })
  const public_token = await readPublicToken(page)
  assert.equal((await simulator.call('/accounts/get', { access_token })).status, 200)
  const { body } = await simulator.call<Tokens>('/item/public_token/exchange', { public_token })
  assert.deepEqual([body.access_token, body.item_id], [access_token, tokens.item_id])
})

test('a link page requires a valid token', async (t) => {
  const simulator = await openSimulator(t)
  const token = await newLinkToken(simulator)
  const status = async (query: Record<string, string>) =>
    (await fetch(`${simulator.url}/link?${new URLSearchParams(query)}`)).status
  assert.equal(await status({}), 400)
  assert.equal(await status({ token: 'link-sandbox-nothing' }), 400)
  assert.equal(await status({ token, origin: 'javascript:alert(1)' }), 400)
  const { headers } = await fetch(`${simulator.url}/link?token=${token}`)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
})

test('a user who must enter a code can connect, even after entering a wrong one', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await openLink(page, simulator, await newLinkToken(simulator))
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(page, { username: 'user_mfa' })
  await page.getByLabel('Code').fill('0000')
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await readAlert(page), /code is not right/)
  await page.getByLabel('Code').fill('1234')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('group', { name: 'Cards and accounts at First Platypus Bank' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await readPublicToken(page), /^public-sandbox-/)
})

test('a locked user sees a message and can choose another bank', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await openLink(page, simulator, await newLinkToken(simulator))
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(page, { username: 'user_locked' })
  await page.getByRole('heading', { name: 'Your account is locked' }).waitFor()
  assert.match(await readAlert(page), /Nothing was connected/)
  await page.getByRole('link', { name: 'Choose another bank' }).click()
  await page.getByRole('link', { name: 'Alder Creek Savings' }).waitFor()
})

test("at an OAuth bank, the user signs in and consents on the bank's page, then returns", async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  await openLink(page, simulator, await newLinkToken(simulator))
  await page.getByRole('link', { name: 'Platypus OAuth Bank' }).click()
  await page.getByRole('link', { name: 'Go to Platypus OAuth Bank' }).click()
  await page.getByText('Online banking').waitFor()
  assert.equal(await page.getByRole('list', { name: 'Steps' }).count(), 0)
  await signIn(page, { password: 'pass_bad' })
  assert.match(await readAlert(page), /not right/)
  await signIn(page)
  await page.getByRole('heading', { name: 'Let Corner Shop Rewards see your accounts?' }).waitFor()
  const boxes = page.getByRole('checkbox')
  for (const box of (await boxes.all()).slice(1)) await box.uncheck()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  const public_token = await readPublicToken(page)
  const { body: tokens } = await simulator.call<Tokens>('/item/public_token/exchange', { public_token })
  const { body } = await simulator.call<{ accounts: unknown[] }>('/accounts/get', { access_token: tokens.access_token })
  assert.equal(body.accounts.length, 1)
})

test('a user who shares no usable account at the bank sees a message and can try again', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const account_filters = { credit: { account_subtypes: ['credit card'] } }
  await openLink(page, simulator, await newLinkToken(simulator, { account_filters }))
  await page.getByRole('link', { name: 'Harborlight Bank' }).click()
  await page.getByRole('link', { name: 'Go to Harborlight Bank' }).click()
  await signIn(page)
  await page.getByRole('button', { name: 'Do not allow' }).click()
  await page.getByText('You did not allow Corner Shop Rewards').waitFor()

  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Go to Harborlight Bank' }).click()
  await signIn(page)
  // The client's filters apply only after the bank's page, which shows every account.
  await page.getByRole('checkbox', { name: 'credit card' }).first().waitFor()
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  assert.match(await readAlert(page), /at least one account/)
  await page.getByRole('checkbox', { name: 'checking' }).check()
  for (const card of await page.getByRole('checkbox', { name: 'credit card' }).all()) await card.uncheck()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('None of the accounts you shared').waitFor()
  assert.equal((await simulator.ask<{ items: unknown[] }>('items')).items.length, 0)
})

test('after visiting the bank, the user returns to the app, and the same link token completes the link', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const redirect_uri = `${await openShop(t)}/bank-return`
  const token = await newLinkToken(simulator, { redirect_uri })
  await openLink(page, simulator, token)
  await page.getByRole('link', { name: 'Eastwind National' }).click()
  await page.getByRole('link', { name: 'Go to Eastwind National' }).click()
  await signIn(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(`${redirect_uri}?**`)
  const received_redirect_uri = page.url()
  assert.match(new URL(received_redirect_uri).search, /^\?oauth_state_id=[0-9a-f-]{36}$/)

  const again = (query: Record<string, string>) => `${simulator.url}/link?${new URLSearchParams(query)}`
  await page.goto(again({ token: await newLinkToken(simulator, { redirect_uri }), received_redirect_uri }))
  assert.match(await readAlert(page), /this is a different one/)
  await page.goto(again({ token, received_redirect_uri: `${redirect_uri}?oauth_state_id=unknown` }))
  assert.match(await readAlert(page), /matches no session/)
  await page.goto(again({ token, received_redirect_uri: received_redirect_uri.replace('/bank-return', '/other') }))
  assert.match(await readAlert(page), /not the redirect_uri/)

  await page.goto(again({ token, received_redirect_uri }))
  const public_token = await readPublicToken(page)
  assert.equal((await simulator.call('/item/public_token/exchange', { public_token })).status, 200)
})

test('update mode at an OAuth bank repairs the login after consent and shares added accounts', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token } = await linkItem(simulator, { institution: 'ins_127287' })
  const accounts = async () =>
    (await simulator.call<{ accounts: unknown[] }>('/accounts/get', { access_token })).body.accounts?.length
  const update = { account_selection_enabled: true }
  const offered = await accounts()
  for (const verb of ['uncheck', 'check'] as const) {
    await simulator.call('/sandbox/item/reset_login', { access_token })
    const token = await newLinkToken(simulator, { access_token, products: undefined, update })
    await page.goto(`${simulator.url}/link?token=${token}`)
    await page.getByRole('link', { name: 'Go to Platypus OAuth Bank' }).click()
    await signIn(page, { username: 'somebody_else' })
    assert.match(await readAlert(page), /another username/)
    await signIn(page, { username: 'user_plain' })
    await page.getByRole('checkbox').last()[verb]()
    assert.equal((await simulator.call('/accounts/get', { access_token })).status, 400)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await readPublicToken(page)
    assert.equal(await accounts(), verb === 'uncheck' ? (offered ?? 0) - 1 : offered)
  }
})

test('a new account at the bank is shared once the user selects it in update mode', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token, item_id } = await linkItem(simulator)
  const shared = async () =>
    (await simulator.call<{ accounts: { account_id: string }[] }>('/accounts/get', { access_token })).body.accounts
  const before = await shared()
  await simulator.control(`items/${item_id}/open-account`, { subtype: 'credit card' })
  const update = { account_selection_enabled: true }
  const token = await newLinkToken(simulator, { access_token, products: undefined, update })
  await page.goto(`${simulator.url}/link?token=${token}`)
  await signIn(page, { username: 'user_plain' })
  const boxes = page.getByRole('checkbox')
  await boxes.first().waitFor()
  assert.equal(await boxes.count(), before.length + 1)
  await page.getByRole('checkbox', { checked: false }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await readPublicToken(page)
  assert.equal((await shared()).length, before.length + 1)
})

test('an update in progress does not restore a permission revoked in the meantime', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const { access_token, item_id } = await linkItem(simulator)
  const token = await newLinkToken(simulator, { access_token, products: undefined })
  await page.goto(`${simulator.url}/link?token=${token}`)
  await simulator.control(`items/${item_id}/revoke`)
  await signIn(page)
  assert.match(await readAlert(page), /connect the bank again/)
  assert.equal((await simulator.call('/accounts/get', { access_token })).body.error_code, 'USER_PERMISSION_REVOKED')
})

test('an expired link token leads to a page that explains what to do', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const token = await newLinkToken(simulator)
  await simulator.control('clock', { offset_seconds: 4 * 3600 + 1 })
  await page.goto(`${simulator.url}/link?token=${token}`)
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  assert.match(await readAlert(page), /Go back to the app and start again/)
})

/** Serves a blank app page at every path. */
async function openShop(t: TestContext): Promise<string> {
  const shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>')
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    shop.closeAllConnections()
    shop.close()
  })
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
}
