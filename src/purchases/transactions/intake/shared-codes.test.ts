import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, offerBase, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { importCodes } from '../../../catalog/allowances/index.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import type { PurchaseFacts, SourceEventInput } from '../event.ts'

// A shared code is not a secret, even if the pool of another offer contains the same text.
const shared: Offer = {
  ...offerBase,
  offerUid: 'off_shared',
  brandUid: 'shared',
  rewardType: 'CASHBACK_DOLLAR',
  groups: [group(null, 300n)],
  refundPeriodDays: 10,
  offerType: 'VOUCHER_CODE',
  voucherCode: 'SAVE10',
  ordinal: 1,
}
const pooled: Offer = {
  ...shared,
  offerUid: 'off_pooled',
  brandUid: 'pooled',
  voucherCode: null,
  ordinal: 2,
  conditions: { ...noConditions, uniqueCodes: true },
}

const { db, world } = await openTestWorld('shared_codes', { offersNow: () => [shared, pooled] })
const publisher = await world.publisher()
for (const environment of ['sandbox', 'production'] as const)
  await db.transaction((tx) =>
    importCodes(
      tx,
      world.vault,
      { offerUid: pooled.offerUid, environment },
      [{ code: 'Save10', expiresOn: null }],
      START,
    ),
  )

const NAMED: Readonly<Record<string, PurchaseFacts>> = {
  'the offer': { offerUid: shared.offerUid },
  'the brand': { brandUid: shared.brandUid },
  'the shop': { merchantName: 'shared' },
}

for (const [what, facts] of Object.entries(NAMED))
  test(`a shared code works if the report identifies ${what}, even if another pool contains the code`, async () => {
    const { userId } = await world.user(publisher)
    const bought: SourceEventInput = {
      userId,
      source: 'VOUCHER',
      kind: 'CLEARING',
      externalId: `with ${what}`,
      originalExternalId: null,
      amount: 5_000n,
      currency: 'USD',
      occurredAt: START,
      dateOnly: false,
      facts: { ...facts, voucherCode: 'save10 ' },
    }
    await world.report(publisher, [bought], START)
    const rows = await db.reader<{ gross: bigint; reason: string | null }[]>`
      select gross, status_reason as reason from transactions where user_id = ${userId}`
    assert.deepEqual([...rows], [{ gross: 300n, reason: null }])
  })
