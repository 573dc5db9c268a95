import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandOf, groupOf, offerOf } from '../../../test/support/catalog.ts'
import type { CatalogOffer } from '../catalog.ts'
import { netOfOffer, shownNumber } from '../net.ts'
import { assembleCatalog, changeCatalog } from './assemble.ts'
import { createCommissions } from './commission-figures.ts'

const none = async (): Promise<void> => undefined
const SPLIT = { feePpm: 100_000, sharePpm: 200_000 }
const paying = (...ratesPpm: number[]): CatalogOffer =>
  offerOf({ groups: ratesPpm.map((ratePpm) => groupOf({ ratePpm })) })

test('an offer that is loaded again and again with the same rates counts as one commission', async () => {
  const rows = { categories: [], brands: [brandOf({})] }
  let catalog = await assembleCatalog({ ...rows, version: 1, offers: [paying(50_000)] }, none)
  const { commissions } = catalog.table
  for (let version = 2; version < 200; version++) {
    const offers = [paying(version % 2 === 0 ? 70_000 : 50_000)]
    const next = await changeCatalog(catalog, { ...rows, brands: [], version, offers }, none)
    catalog = next ?? assert.fail('a change was not taken in')
  }
  assert.equal(catalog.table.commissions, commissions)
  assert.equal(commissions.count(), 2)
})

test('a catalog that has had very many commissions is rebuilt without the unused ones', async () => {
  const rows = { categories: [], brands: [brandOf({})] }
  const catalog = await assembleCatalog({ ...rows, version: 1, offers: [paying(1)] }, none)
  for (let rate = 2; rate <= 60_000; rate++) catalog.table.commissions.numberOf(paying(rate))
  assert.equal(await changeCatalog(catalog, { ...rows, version: 2, offers: [paying(2)] }, none), null)
})

test('offers share a commission only if users get the same from it', () => {
  const euros = (amount: bigint): CatalogOffer =>
    offerOf({ rewardType: 'CASHBACK_DOLLAR', currency: 'EUR', groups: [groupOf({ amount })] })
  const offers = [
    ...[paying(50_000), paying(50_000, 70_000), paying(70_000, 50_000, 50_000), euros(50_000n), euros(70_000n)],
    ...[
      { ...euros(50_000n), currency: 'JPY' },
      { ...paying(50_000), rewardType: 'DISCOUNT_PERCENTAGE' as const },
    ],
  ]
  const commissions = createCommissions()
  const numbers = offers.map((offer) => commissions.numberOf(offer))
  assert.deepEqual(numbers, [0, 1, 1, 2, 3, 4, 0])
  const figures = commissions.figuresOf(SPLIT)
  for (const [at, offer] of offers.entries()) {
    const shown = shownNumber(offer, netOfOffer(offer, SPLIT).maxCustomerOffer)
    assert.equal((figures[numbers[at] ?? -1] ?? 0) / 10_000, shown)
  }
  assert.deepEqual([...commissions.percentages()], [1, 1, 0, 0, 0])
})
