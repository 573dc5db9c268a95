import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, openBank, request } from '../payouts/test-support.ts'
import { useBrowser } from './test-support.ts'

const openPage = useBrowser()

test('a payout can be paid and returned with buttons, and its plan is shown beforehand', async (t) => {
  const bank = await openBank(t)
  const page = await openPage(t)
  await bank.pay(request('cashback-1'))
  await page.goto(bank.url)
  const row = page.getByRole('row').filter({ hasText: 'cashback-1' })
  await row.getByRole('cell', { name: 'paid 2026-03-02 12:00' }).waitFor()
  assert.equal(await row.getByRole('button', { name: 'Returned' }).count(), 0)
  await row.getByRole('button', { name: 'Paid' }).click()
  await row.getByRole('cell', { name: 'paid at the next request' }).waitFor()
  assert.deepEqual(await bank.events(0.5), ['1 cashback-1 paid - 0.5'])
  await page.reload()
  await row.getByRole('button', { name: 'Returned' }).click()
  await row.getByRole('cell', { name: 'returned at the next request' }).waitFor()
  assert.equal(await row.getByRole('button').count(), 0)
  assert.deepEqual(await bank.events(1), ['1 cashback-1 paid - 0.5', '2 cashback-1 returned R02 1'])
})

test('a bank fault can be set, is shown, and is cleared together with all other faults', async (t) => {
  const bank = await openBank(t)
  const page = await openPage(t)
  await page.goto(bank.url)
  await page.getByText('None requested yet').waitFor()
  await page.getByText('Make calls to the bank fail').click()
  await page.getByLabel('Fault of the bank').selectOption('unavailable')
  await page.getByLabel('How many calls').fill('3')
  await page.getByRole('button', { name: 'Add a fault for payout calls' }).click()
  const wrongs = page.getByRole('list', { name: 'Active faults' })
  await wrongs.getByText('the next calls to the bank: 3').waitFor()
  assert.equal((await bank.askEvents({ account: 'acct-a', at: day(0) })).status, 503)
  await page.getByRole('button', { name: 'Clear all faults' }).click()
  await page.getByText('No faults are active').waitFor()
  assert.equal((await bank.askEvents({ account: 'acct-a', at: day(0) })).status, 200)
})
