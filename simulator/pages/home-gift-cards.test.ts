import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSupplier, request } from '../gift-cards/test-support.ts'
import { useBrowser } from './test-support.ts'

const openPage = useBrowser()

test('gift card faults are listed, and cleared along with all other faults', async (t) => {
  const supplier = await openSupplier(t)
  const page = await openPage(t)
  await supplier.control('gift-cards/faults', { calls: 3, fault: 'unavailable' })
  await supplier.control('gift-cards/next', { orders: 2, outcome: 'failed' })
  await page.goto(supplier.url)
  const wrongs = page.getByRole('list', { name: 'Active faults' })
  await wrongs.getByText('the next calls to the gift card supplier: 3').waitFor()
  await wrongs.getByText('the next gift card orders: 2').waitFor()
  await page.getByRole('button', { name: 'Clear all faults' }).click()
  await page.getByText('No faults are active').waitFor()
  assert.equal((await supplier.order(request('ref'))).body.status, 'delivered')
})
