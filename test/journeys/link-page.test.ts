import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openLink, readPublicToken, signIn, useBrowser } from '../../simulator/pages/test-support.ts'
import { allowRedirectUri } from '../../src/tenants/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { linkPage } from '../support/link-page.ts'

// A person uses the link page and the simulator's page in a browser, against the real service.

const openPage = useBrowser()
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

/** Registers a user and returns the ID by which the provider identifies them. */
async function register(publisher_user_id: string): Promise<string> {
  const { body } = await app.call('POST', '/users', { publisher_user_id })
  await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  return body.svc_user_id
}

/** Passes the result of the link page to the service, as the publisher's app would. */
async function handOver(user: string, page: Page, institution: readonly [id: string, name: string]): Promise<void> {
  const [institution_id, institution_name] = institution
  const body = { public_token: await readPublicToken(page), institution_id, institution_name }
  const { status } = await app.call('POST', `/linker/public-token/${user}`, body)
  assert.equal(status, 200)
}

async function cardError(user: string): Promise<string | null> {
  const { body } = await app.call('GET', `/linker/linked-cards/${user}`)
  return body.linked_institutions[0].linked_cards[0].error
}

type Shown = { transaction_uid: string; amount: number; status: string; refunded_amount: number; user_cashback: number }

/** Waits until the user's only transaction is as expected, and returns it. */
async function transactionWhen(user: string, wanted: (shown: Shown) => boolean): Promise<Shown> {
  return eventually(async () => {
    const { body } = await app.call('GET', `/transactions?publisher_user_id=${user}`)
    const [shown, ...others] = body.content as Shown[]
    assert.deepEqual(others, [])
    return shown !== undefined && wanted(shown) && shown
  })
}

/** Opens the simulator's page, filtered to this user's login. */
async function openHome(t: TestContext, svcUserId: string): Promise<Page> {
  const page = await openPage(t)
  await page.goto(`${app.simulatorUrl}/?q=${svcUserId}`)
  return page
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

test('logging in with a code links cards; a simulated purchase, tip and refund form one transaction', async (t) => {
  const svcUserId = await register('ada')
  const page = await openPage(t)
  const { body } = await app.call('GET', '/linker/link-token/ada')
  await openLink(page, { url: app.simulatorUrl }, body.link_token)
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(page, { username: 'user_mfa', password: 'pass_bad' })
  await signIn(page, { username: 'user_mfa' })
  await page.getByLabel('Code').fill('1234')
  await press(page, 'Continue')
  await page.getByRole('checkbox').first().waitFor()
  await press(page, 'Continue')
  await handOver('ada', page, ['ins_109508', 'First Platypus Bank'])

  const home = await openHome(t, svcUserId)
  await home.getByLabel('Merchant or bank descriptor').fill('Corner Market')
  await home.getByLabel('Amount', { exact: true }).fill('80')
  await home.getByLabel('Pending', { exact: true }).check()
  await press(home, 'Buy')
  await home.getByRole('cell', { name: 'Pending' }).waitFor()
  const pending = await transactionWhen('ada', ({ amount }) => amount === 80)

  await home.getByText('More', { exact: true }).click()
  await home.getByLabel('Amount with tip').fill('90')
  await press(home, 'Post so')
  await home.getByRole('cell', { name: 'Posted' }).waitFor()
  const posted = await transactionWhen('ada', ({ amount }) => amount === 90)
  assert.equal(posted.transaction_uid, pending.transaction_uid)
  assert.deepEqual([posted.status, posted.user_cashback], ['PENDING', 4.5])

  await press(home, 'Refund')
  await home.getByRole('cell', { name: '-90.00 USD' }).waitFor()
  const refunded = await transactionWhen('ada', ({ refunded_amount }) => refunded_amount === 90)
  assert.deepEqual([refunded.status, refunded.user_cashback], ['CANCELLED', 0])
})

test("a login broken on the simulator's page is repaired on the link page; a later fault loses nothing", async (t) => {
  const svcUserId = await register('ben')
  const page = await openPage(t)
  const { body } = await app.call('GET', '/linker/link-token/ben')
  await openLink(page, { url: app.simulatorUrl }, body.link_token)
  await page.getByRole('link', { name: 'Alder Creek Savings' }).click()
  await signIn(page, { username: 'ben' })
  await press(page, 'Continue')
  await handOver('ben', page, ['ins_810001', 'Alder Creek Savings'])

  const home = await openHome(t, svcUserId)
  await press(home, 'Break the login')
  await home.getByText('Login broken').waitFor()
  await eventually(async () => (await cardError('ben')) === 'NEED_AUTHENTICATION')

  const again = await app.call('GET', '/linker/auth-token/ins_810001/ben')
  await page.goto(linkPage(app.simulatorUrl, again.body.link_token))
  await page.getByRole('heading', { name: 'Sign in to Alder Creek Savings again' }).waitFor()
  await signIn(page, { username: 'ben' })
  await page.getByText('from now on').waitFor()
  await press(page, 'Continue')
  await handOver('ben', page, ['ins_810001', 'Alder Creek Savings'])
  assert.equal(await cardError('ben'), null)

  await home.reload()
  await home.getByText('Add a fault for calls').click()
  await home.getByLabel('Kind of fault').selectOption('server_error')
  await home.getByLabel('At which call').selectOption('/transactions/sync')
  await press(home, 'Add the fault')
  await home.getByRole('status').filter({ hasText: 'Add the fault' }).waitFor()
  await home.getByLabel('Merchant or bank descriptor').fill('Corner Market')
  await home.getByLabel('Amount', { exact: true }).fill('20')
  await press(home, 'Buy')
  await home.getByRole('cell', { name: 'Posted' }).waitFor()
  await transactionWhen('ben', ({ amount }) => amount === 20)
  await home.reload()
  await home.getByText('No faults are active').waitFor()
})

test("after the bank's OAuth page, the user returns to the app, and the same link token links the card", async (t) => {
  await register('cleo')
  const back = 'https://app.rewards.example/bank-return'
  await app.service.db.transaction((tx) => allowRedirectUri(tx, app.publisher.id, back, new Date()))
  const page = await openPage(t)
  await page.route('https://app.rewards.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>The app</title>' }),
  )
  const { body } = await app.call('GET', `/linker/link-token/cleo?redirect_uri=${encodeURIComponent(back)}`)
  await openLink(page, { url: app.simulatorUrl }, body.link_token)
  await page.getByRole('link', { name: 'Platypus OAuth Bank' }).click()
  await page.getByRole('link', { name: 'Go to Platypus OAuth Bank' }).click()
  await signIn(page, { username: 'cleo' })
  await press(page, 'Allow')
  await page.waitForURL(`${back}?oauth_state_id=*`)

  const resumed = new URL(linkPage(app.simulatorUrl, body.link_token))
  resumed.searchParams.set('received_redirect_uri', page.url())
  await page.goto(resumed.href)
  await handOver('cleo', page, ['ins_127287', 'Platypus OAuth Bank'])
  assert.equal(await cardError('cleo'), null)
})
