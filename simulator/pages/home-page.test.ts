import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkItem, openSimulator } from '../test-support.ts'
import { useBrowser } from './test-support.ts'

const openPage = useBrowser()

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
