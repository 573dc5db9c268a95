import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  type ComparedWorld,
  openComparedWorld,
  type ReconciledWorld,
  Undo,
} from '../../../test/support/reconciled-world.ts'
import { sample } from '../../../test/support/runs.ts'
import { toDay } from '../../platform/calendar.ts'
import type { Tx } from '../../platform/db/database.ts'
import { decodeId, newUuid } from '../../platform/ids.ts'
import type { Comparison } from './comparisons.ts'
import { type ComparedSpan, toComparedSpan } from './span.ts'

// These tests inject errors as the table owner, bypassing grants and triggers. Each must be found, and nothing else.

let app: TestApp
let world: ReconciledWorld
let span: ComparedSpan
let reconciled: ComparedWorld['reconciled']
let foundAfter: ComparedWorld['foundAfter']

before(async () => {
  app = await startTestApp()
  ;({ world, span, reconciled, foundAfter } = await openComparedWorld(app))
})

after(() => app.close())

const toUuid = (prefix: string, id: string): string => decodeId(prefix, id) ?? assert.fail(id)
const rdm = (name: keyof ReconciledWorld['redemptions']) => toUuid('rdm', world.redemptions[name])

test('correct books have no differences, and every comparison has rows', async () => {
  const { found, seen } = await reconciled()
  assert.deepEqual(found, [])
  assert.deepEqual(
    [...seen].filter(([, rows]) => rows.startsWith('0')),
    [],
  )
  // A sent redemption and an undecided adjustment are still in progress.
  assert.equal(seen.get('redemptions ↔ ledger'), '6 rows, 1 waiting')
  assert.equal(seen.get('adjustments ↔ ledger'), '3 rows, 1 waiting')
})

test('no single day has differences, and each event belongs to exactly one day', async () => {
  const recorded = await app.owner.reader<{ createdAt: Date }[]>`
    select distinct created_at from events where publisher_id = ${world.publisher.id}`
  for (const timeZone of sample(['America/New_York', 'Pacific/Auckland'], 0.5)) {
    const days = new Set(recorded.map(({ createdAt }) => toDay(createdAt, timeZone)))
    assert(days.size > 3)
    let events = 0
    for (const day of days) {
      const asked = toComparedSpan({ ...span.publisher, timeZone }, { from: day, to: day }, span.deliveriesSince)
      const { found, seen } = await reconciled(app.owner, null, asked)
      assert.deepEqual(found, [], `${day} in ${timeZone}`)
      events += Number.parseInt(seen.get('events ↔ feed') ?? '', 10)
    }
    const [all] = await app.owner.reader<{ count: number }[]>`
      select count(*)::int from event_feed where publisher_id = ${world.publisher.id}`
    assert.equal(events, all?.count)
  }
})

type Plant = readonly [
  what: string,
  comparisons: readonly string[],
  keyOf: () => string | null,
  plant: (tx: Tx) => Promise<unknown>,
]

/** Selects Ada's transaction with this external ID. */
const named = (tx: Tx, externalId: string) => tx`
  select transaction_id from transactions
  where publisher_id = ${world.publisher.id} and external_id = ${externalId} and adjusts is null`

const PLANTS: readonly Plant[] = [
  [
    'a reward with the wrong amount',
    ['transactions ↔ ledger', 'report ↔ ledger', 'transactions ↔ events'],
    () => null,
    (tx) => tx`
      update transactions set user_amount = user_amount + 1, publisher_amount = publisher_amount - 1
      where transaction_id = (${named(tx, 'kept')})`,
  ],
  [
    'a reward in the wrong currency',
    ['transactions ↔ ledger', 'report ↔ ledger', 'transactions ↔ events'],
    () => null,
    (tx) => tx`update transactions set currency = 'EUR' where transaction_id = (${named(tx, 'kept')})`,
  ],
  [
    'an earned reward that has not matured in the ledger',
    ['transactions ↔ ledger', 'balances ↔ ledger', 'report ↔ ledger'],
    () => null,
    (tx) => tx`delete from journals where kind = 'maturity' and cause_id = (${named(tx, 'kept')})`,
  ],
  [
    'a reward that matured in another currency',
    ['transactions ↔ ledger', 'balances ↔ ledger', 'report ↔ ledger'],
    () => null,
    (tx) => tx`update journals set currency = 'ZAR' where kind = 'maturity' and cause_id = (${named(tx, 'kept')})`,
  ],
  [
    'a redemption that was paid in another currency',
    ['redemptions ↔ ledger', 'balances ↔ ledger'],
    () => null,
    (tx) => tx`update journals set currency = 'ZAR' where kind = 'redemption_paid' and cause_id = ${rdm('paid')}`,
  ],
  [
    'a journal for a transaction that does not exist',
    ['transactions ↔ ledger'],
    () => null,
    (tx) => tx`
      insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts, owners, amounts)
      select user_id, gen_random_uuid(), publisher_id, 'reassignment', ${newUuid()}, 1, ${span.from}, 'USD',
        '{advertiser_receivable,advertiser_receivable}', '{a,b}', '{1,-1}'
      from redemptions where redemption_id = ${rdm('paid')}`,
  ],
  [
    'a redemption with the wrong amount',
    ['redemptions ↔ ledger', 'redemptions ↔ events'],
    () => world.redemptions.paid,
    (tx) => tx`update redemptions set amount = amount + 1 where redemption_id = ${rdm('paid')}`,
  ],
  [
    'a failed redemption whose money is still held',
    ['redemptions ↔ ledger', 'redemptions ↔ steps'],
    () => world.redemptions.waits,
    (tx) => tx`update redemptions set status = 'failed' where redemption_id = ${rdm('waits')}`,
  ],
  [
    'an open redemption whose money is not held',
    ['redemptions ↔ ledger', 'balances ↔ ledger'],
    () => null,
    (tx) => tx`delete from journals where kind = 'redemption_hold' and cause_id = ${rdm('waits')}`,
  ],
  [
    'a redemption whose last step is missing',
    ['redemptions ↔ steps', 'redemptions ↔ events'],
    () => world.redemptions.paid,
    (tx) => tx`delete from redemption_steps where redemption_id = ${rdm('paid')} and status = 'paid'`,
  ],
  [
    'a payout file whose total exceeds that of its redemptions',
    ['payout files ↔ redemptions'],
    () => null,
    (tx) => tx`update payout_files set total = total + 1 where publisher_id = ${world.publisher.id}`,
  ],
  [
    'a payout file with a redemption in another currency',
    ['payout files ↔ redemptions', 'redemptions ↔ ledger', 'redemptions ↔ events'],
    () => null,
    async (tx) => {
      await tx`
        update redemptions set currency = 'EUR', amount = 100 where redemption_id = ${rdm('filed')}`
      await tx`
        update payout_files set currency = 'EUR', entries = 2, total = 300 where publisher_id = ${world.publisher.id}`
      await tx`
        update redemptions set file_id = (select file_id from redemptions where redemption_id = ${rdm('filed')})
        where redemption_id = ${rdm('paid')}`
    },
  ],
  [
    'an adjustment with the wrong amount',
    ['adjustments ↔ ledger', 'adjustments ↔ events'],
    () => world.adjustment,
    (tx) => tx`update adjustments set amount = amount + 1 where adjustment_id = ${toUuid('adj', world.adjustment)}`,
  ],
  [
    'a declined adjustment that is booked',
    ['adjustments ↔ ledger', 'adjustments ↔ events'],
    () => world.adjustment,
    (tx) => tx`update adjustments set status = 'declined' where adjustment_id = ${toUuid('adj', world.adjustment)}`,
  ],
  [
    'a payment with the wrong amount',
    ['payments ↔ ledger'],
    () => null,
    (tx) => tx`update payments set amount = amount * 2 where publisher_id = ${world.publisher.id}`,
  ],
  [
    'a claim granted by an adjustment that does not exist',
    ['claims ↔ grants'],
    () => world.claim,
    (tx) => tx`update claims set adjustment_id = gen_random_uuid() where claim_id = ${toUuid('clm', world.claim)}`,
  ],
  [
    'an order whose cards are worth less than its total',
    ['gift-card orders ↔ cards', 'gift cards ↔ transactions'],
    () => null,
    (tx) => tx`
      update gift_cards set denomination = denomination - 1
      where ordinal = 1 and order_id = ${toUuid('gco', world.orders.delivered)}`,
  ],
  [
    'an open order without cards',
    ['gift-card orders ↔ cards'],
    () => world.orders.delivered,
    async (tx) => {
      const order = toUuid('gco', world.orders.delivered)
      await tx`delete from gift_cards where order_id = ${order}`
      await tx`update gift_card_orders set status = 'ordered' where order_id = ${order}`
    },
  ],
  [
    'an order whose redemption is for a smaller amount',
    ['gift-card orders ↔ redemptions', 'redemptions ↔ ledger', 'redemptions ↔ events'],
    () => null,
    (tx) =>
      tx`update redemptions set amount = amount - 1 where redemption_id = ${toUuid('rdm', world.orders.redeemed)}`,
  ],
  [
    'an open card order whose redemption has failed',
    ['gift-card orders ↔ redemptions', 'redemptions ↔ ledger', 'redemptions ↔ steps'],
    () => null,
    async (tx) => {
      const redeemed = toUuid('rdm', world.orders.redeemed)
      await tx`update redemptions set status = 'failed' where redemption_id = ${redeemed}`
      await tx`update gift_card_orders set status = 'ordered' where redemption_id = ${redeemed}`
    },
  ],
  [
    'a redemption for a card that was never ordered',
    ['gift-card orders ↔ redemptions', 'gift-card orders ↔ events'],
    () => null,
    (tx) => tx`delete from gift_card_orders where redemption_id = ${toUuid('rdm', world.orders.redeemed)}`,
  ],
  [
    'a balance that differs from its postings',
    ['balances ↔ ledger'],
    () => null,
    (tx) => tx`
      update user_balances set available = available + 1
      where user_id = (select user_id from redemptions where redemption_id = ${rdm('paid')})`,
  ],
  [
    'a purchase that was not announced',
    ['transactions ↔ events', 'events ↔ feed'],
    () => null,
    (tx) => tx`
      update events set type = 'webhook.test' where publisher_id = ${world.publisher.id} and type = 'transaction.created'
        and stored_data ->> 1 = (select stored_data ->> 1 from events where publisher_id = ${world.publisher.id}
          and type = 'transaction.created' order by event_id limit 1)`,
  ],
  [
    'a redemption that was announced with the wrong status',
    ['redemptions ↔ events'],
    () => `${world.redemptions.failed} 000004`,
    (tx) => tx`
      update events set stored_data = (stored_data::jsonb || '{"status": "paid"}')::json
      where publisher_id = ${world.publisher.id} and type = 'redemption.failed'`,
  ],
  [
    'an event without a number that is not waiting for one',
    ['events ↔ feed'],
    () => null,
    (tx) => tx`
      delete from event_feed where publisher_id = ${world.publisher.id} and sequence = (
        select max(sequence) from event_feed where publisher_id = ${world.publisher.id} and type = 'user.created')`,
  ],
  [
    'a missing delivery',
    ['feed ↔ deliveries'],
    () => null,
    (tx) => tx`
      delete from webhook_deliveries where publisher_id = ${world.publisher.id} and sequence = (
        select max(sequence) from webhook_deliveries where publisher_id = ${world.publisher.id})`,
  ],
  [
    'an exhausted delivery',
    ['feed ↔ deliveries'],
    () => null,
    (tx) => tx`
      update webhook_deliveries set status = 'exhausted', exhausted_position = 1
      where publisher_id = ${world.publisher.id} and sequence = (
        select max(sequence) from webhook_deliveries where publisher_id = ${world.publisher.id})`,
  ],
]

for (const [what, comparisons, findKey, plant] of PLANTS)
  test(`reconciliation reports ${what}, and nothing else`, async () => {
    const found = await foundAfter(plant)
    assert.deepEqual(
      [...new Set(found.map(({ title }) => title))].toSorted(),
      comparisons.toSorted(),
      JSON.stringify(found, null, 1),
    )
    const key = findKey()
    if (key !== null) for (const one of found) assert(one.key.startsWith(key), `${one.key} is not ${key}`)
  })

test('a difference includes the values of both sides with their currencies', async () => {
  const found = await foundAfter(
    (tx) => tx`update redemptions set amount = amount + 1 where redemption_id = ${rdm('paid')}`,
  )
  assert.deepEqual(found[0], {
    title: 'redemptions ↔ ledger',
    key: world.redemptions.paid,
    left: { 'paid out': '2.01 USD' },
    right: { 'paid out': '2.00 USD' },
  })
})

test('a delivery in progress is counted as waiting', async () => {
  await assert.rejects(
    app.owner.transaction(async (tx) => {
      await tx`update webhook_deliveries set status = 'pending' where publisher_id = ${world.publisher.id} and type = 'user.created'`
      const { found, seen } = await reconciled({ snapshot: (read) => read(tx) })
      assert.deepEqual(found, [])
      assert.match(seen.get('feed ↔ deliveries') ?? '', / 2 waiting$/)
      throw new Undo()
    }),
    Undo,
  )
})

test('errors in the books of other publishers or other days are ignored', async () => {
  const other = { ...span, publisher: app.publisher }
  const planted = async (tx: Tx, asked: ComparedSpan) => {
    await tx`set local session_replication_role = replica`
    await tx`update redemptions set amount = amount + 1 where redemption_id = ${rdm('paid')}`
    const { found } = await reconciled({ snapshot: (read) => read(tx) }, null, asked)
    assert.deepEqual(found, [])
    throw new Undo()
  }
  const earlier = toComparedSpan(span.publisher, { from: span.days.from, to: span.days.from }, span.deliveriesSince)
  for (const asked of [other, earlier])
    await assert.rejects(
      app.owner.transaction((tx) => planted(tx, asked)),
      Undo,
    )
})

test('reconciliation cannot write, because its transaction is read-only', async () => {
  const writing: Comparison = {
    left: 'a',
    right: 'b',
    hint: '',
    sides: async (tx) => {
      await tx`update publishers set name = name`
      return [[], []]
    },
  }
  await assert.rejects(reconciled(app.owner, writing), /read-only transaction/)
})
