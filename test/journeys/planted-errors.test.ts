import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyAdjustments } from '../../src/adjustments/index.ts'
import { type Difference, verifyLedger } from '../../src/ledger/index.ts'
import type { Tx } from '../../src/platform/database.ts'
import { encodeId, newUuid } from '../../src/platform/ids.ts'
import { verifyRedemptions } from '../../src/redemptions/index.ts'
import { verifyPayments, verifyStatements } from '../../src/settlement/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { openRedeemer, type Redeemer } from '../support/redemptions.ts'

// Errors are planted past grants and triggers, as the owner of the tables could; the verification finds each.

let app: TestApp
let redeemer: Redeemer

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  redeemer = await openRedeemer(app)
  await redeemer.user('ada', 10)
  const { redemption_id } = (await redeemer.redeem('ada', { amount: 2 })).body
  await redeemer.call('POST', `/redemptions/${redemption_id}/outcome`, { status: 'paid' })
  await redeemer.redeem('ada', { amount: 1 })
  const publisher_id = encodeId('pub', redeemer.publisher.id)
  const who = { publisher_id, publisher_user_id: 'ada' }
  const goodwill = { ...who, kind: 'goodwill', amount: 5, reason: 'x' }
  assert.equal((await app.operator('POST', '/operator/adjustments', goodwill)).status, 200)
  const payment = {
    ...{ publisher_id, direction: 'received', party: 'advertiser', brand_uid: 'brand-market', amount: 50 },
    ...{ currency: 'USD', external_ref: 'wire-1', value_date: '2025-01-01' },
  }
  assert.equal((await app.operator('POST', '/operator/payments', payment)).status, 200)
})

after(() => app.close())

async function differences(tx: Tx): Promise<Difference[]> {
  return [
    ...(await verifyLedger(tx)),
    ...(await verifyRedemptions(tx)),
    ...(await verifyStatements(tx)).differences,
    ...(await verifyAdjustments(tx)),
    ...(await verifyPayments(tx)),
  ]
}

class Undo extends Error {}

/** Plants an error, says what is found, and undoes it. */
async function foundAfter(plant: (tx: Tx) => Promise<unknown>): Promise<number> {
  let found = 0
  const work = app.owner.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await plant(tx)
    found = (await differences(tx)).length
    throw new Undo()
  })
  await assert.rejects(work, Undo)
  return found
}

const PLANTS: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  'a redemption of another amount': (tx) => tx`update redemptions set amount = amount + 1 where status = 'paid'`,
  'a redemption that failed and whose money is held': (tx) =>
    tx`update redemptions set status = 'failed' where status = 'sent'`,
  'a redemption without journals': (tx) => tx`delete from journals where kind like 'redemption%'`,
  'a redemption paid by another method than booked': (tx) =>
    tx`update redemptions set method = 'file' where status = 'paid'`,
  'a redemption of another currency than booked': (tx) =>
    tx`update redemptions set currency = 'EUR' where status = 'paid'`,
  'a redemption that is no longer counted': async (tx) => {
    await tx`delete from list_count_deltas where list like 'redemptions/%'`
    await tx`delete from list_counts where list like 'redemptions/%'`
  },
  'a payment without a journal': (tx) => tx`
    insert into payments (payment_id, publisher_id, external_ref, direction, party, owner, currency, amount, value_date, created_at, created_by)
    values (${newUuid()}, ${redeemer.publisher.id}, 'forged', 'received', 'advertiser', 'brand-market', 'USD', 100, '2025-01-01', now(), 'x')`,
  'a payment of another amount than booked': (tx) => tx`update payments set amount = amount * 2`,
  'a payment of another party than booked': (tx) => tx`update payments set owner = 'brand-gadgets'`,
  'a payment that is deleted': (tx) => tx`delete from payments`,
  'an adjustment of another amount than booked': (tx) => tx`update adjustments set amount = amount * 100`,
  'an adjustment that is booked without a journal': (tx) =>
    tx`update adjustments set adjustment_id = gen_random_uuid()`,
  'an adjustment that is deleted': (tx) => tx`delete from adjustments`,
  'an adjustment that was declined and whose money is there': (tx) => tx`update adjustments set status = 'declined'`,
}

for (const [what, plant] of Object.entries(PLANTS))
  test(`the verification finds ${what}`, async () => assert.notEqual(await foundAfter(plant), 0))

test('where nothing is planted, nothing is found', async () => {
  assert.deepEqual(await app.owner.snapshot(differences), [])
})
