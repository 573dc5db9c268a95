import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import {
  prepareNetwork,
  type ReconciledWorld,
  reconciledWorld,
  referenceOf,
} from '../../test/support/reconciled-world.ts'
import { DAY_MS, dayOf } from '../platform/calendar.ts'
import type { Database, Tx } from '../platform/database.ts'
import { decodeId, encodeId, newUuid } from '../platform/ids.ts'
import { getPublisher } from '../publishers/index.ts'
import type { Comparison } from './comparisons.ts'
import { bankComparison } from './outside/bank.ts'
import { networkComparison } from './outside/network.ts'
import { supplierComparison } from './outside/supplier.ts'
import { reconcile } from './reconcile.ts'
import type { RowDifference } from './rules.ts'
import { type ComparedSpan, comparedSpan } from './span.ts'

// Errors are planted past grants and triggers, as the owner of the tables could; each is found, and nothing else is.

let app: TestApp
let world: ReconciledWorld
let span: ComparedSpan

before(async () => {
  app = await startTestApp()
  await prepareNetwork(app)
  world = await reconciledWorld(app)
  const publisher = await getPublisher(app.owner.reader, world.publisher.id)
  const days = {
    from: dayOf(new Date(Date.now() - DAY_MS), 'UTC'),
    to: dayOf(new Date(Date.now() + publisher.clockOffsetMs), 'UTC'),
  }
  span = comparedSpan(publisher, days, new Date(Date.now() - 90 * DAY_MS))
})

after(() => app.close())

type Found = { readonly title: string } & RowDifference

async function reconciled(
  db: Pick<Database, 'snapshot'> = app.owner,
  outside: Comparison | null = null,
  asked: ComparedSpan = span,
) {
  const [found, seen]: [Found[], Map<string, string>] = [[], new Map()]
  const titleOf = ({ left, right }: Comparison) => `${left} ↔ ${right}`
  await reconcile(db, asked, outside, {
    found: (one, difference) => found.push({ title: titleOf(one), ...difference }),
    compared: (one, { rows, waiting }) => seen.set(titleOf(one), `${rows} rows, ${waiting} waiting`),
    skipped: (one, reason) => seen.set(titleOf(one), reason),
  })
  return { found, seen }
}

class Undo extends Error {}

/** Plants an error, returns what is found, and undoes it. */
async function foundAfter(plant: (tx: Tx) => Promise<unknown>, outside: Comparison | null = null): Promise<Found[]> {
  let found: Found[] = []
  const work = app.owner.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await plant(tx)
    found = (await reconciled({ snapshot: (read) => read(tx) }, outside)).found
    throw new Undo()
  })
  await assert.rejects(work, Undo)
  return found
}

const uuidOf = (prefix: string, id: string): string => decodeId(prefix, id) ?? assert.fail(id)
const rdm = (name: keyof ReconciledWorld['redemptions']) => uuidOf('rdm', world.redemptions[name])

test('books in which everything is right have no difference, and each comparison has rows', async () => {
  const { found, seen } = await reconciled()
  assert.deepEqual(found, [])
  assert.deepEqual(
    [...seen].filter(([, rows]) => rows.startsWith('0')),
    [],
  )
  // A redemption that is sent, and an adjustment that nobody has decided, are under way.
  assert.equal(seen.get('redemptions ↔ ledger'), '6 rows, 1 waiting')
  assert.equal(seen.get('adjustments ↔ ledger'), '3 rows, 1 waiting')
})

test('each day alone has no difference either, wherever it begins, and each event is of one day', async () => {
  const recorded = await app.owner.reader<{ createdAt: Date }[]>`
    select distinct created_at from events where publisher_id = ${world.publisher.id}`
  for (const timeZone of ['America/New_York', 'Pacific/Auckland']) {
    const days = new Set(recorded.map(({ createdAt }) => dayOf(createdAt, timeZone)))
    assert(days.size > 3)
    let events = 0
    for (const day of days) {
      const asked = comparedSpan({ ...span.publisher, timeZone }, { from: day, to: day }, span.deliveriesSince)
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

/** The transaction of this external id of Ada. */
const named = (tx: Tx, externalId: string) => tx`
  select transaction_id from transactions
  where publisher_id = ${world.publisher.id} and external_id = ${externalId} and adjusts is null`

const PLANTS: readonly Plant[] = [
  [
    'a reward of another amount',
    ['transactions ↔ ledger', 'report ↔ ledger', 'transactions ↔ events'],
    () => null,
    (tx) => tx`
      update transactions set user_amount = user_amount + 1, publisher_amount = publisher_amount - 1
      where transaction_id = (${named(tx, 'kept')})`,
  ],
  [
    'a reward of another currency',
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
    'a journal of a transaction that does not exist',
    ['transactions ↔ ledger'],
    () => null,
    (tx) => tx`
      insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts, owners, amounts)
      select user_id, gen_random_uuid(), publisher_id, 'reassignment', ${newUuid()}, 1, ${span.from}, 'USD',
        '{advertiser_receivable,advertiser_receivable}', '{a,b}', '{1,-1}'
      from redemptions where redemption_id = ${rdm('paid')}`,
  ],
  [
    'a redemption of another amount',
    ['redemptions ↔ ledger', 'redemptions ↔ events'],
    () => world.redemptions.paid,
    (tx) => tx`update redemptions set amount = amount + 1 where redemption_id = ${rdm('paid')}`,
  ],
  [
    'a redemption that failed and whose money is held',
    ['redemptions ↔ ledger', 'redemptions ↔ steps'],
    () => world.redemptions.waits,
    (tx) => tx`update redemptions set status = 'failed' where redemption_id = ${rdm('waits')}`,
  ],
  [
    'a redemption under way whose money is not held',
    ['redemptions ↔ ledger', 'balances ↔ ledger'],
    () => null,
    (tx) => tx`delete from journals where kind = 'redemption_hold' and cause_id = ${rdm('waits')}`,
  ],
  [
    'a redemption whose last step is lost',
    ['redemptions ↔ steps', 'redemptions ↔ events'],
    () => world.redemptions.paid,
    (tx) => tx`delete from redemption_steps where redemption_id = ${rdm('paid')} and status = 'paid'`,
  ],
  [
    'a payout file that holds more than its redemptions',
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
    'an adjustment of another amount',
    ['adjustments ↔ ledger', 'adjustments ↔ events'],
    () => world.adjustment,
    (tx) => tx`update adjustments set amount = amount + 1 where adjustment_id = ${uuidOf('adj', world.adjustment)}`,
  ],
  [
    'an adjustment that was declined and whose money is there',
    ['adjustments ↔ ledger', 'adjustments ↔ events'],
    () => world.adjustment,
    (tx) => tx`update adjustments set status = 'declined' where adjustment_id = ${uuidOf('adj', world.adjustment)}`,
  ],
  [
    'a payment of another amount',
    ['payments ↔ ledger'],
    () => null,
    (tx) => tx`update payments set amount = amount * 2 where publisher_id = ${world.publisher.id}`,
  ],
  [
    'a claim that is granted by an adjustment that is not there',
    ['claims ↔ grants'],
    () => world.claim,
    (tx) => tx`update claims set adjustment_id = gen_random_uuid() where claim_id = ${uuidOf('clm', world.claim)}`,
  ],
  [
    'an order whose cards are worth less',
    ['gift-card orders ↔ cards', 'gift cards ↔ transactions'],
    () => null,
    (tx) => tx`
      update gift_cards set denomination = denomination - 1
      where ordinal = 1 and order_id = ${uuidOf('gco', world.orders.delivered)}`,
  ],
  [
    'an order without cards, although it is under way',
    ['gift-card orders ↔ cards'],
    () => world.orders.delivered,
    async (tx) => {
      const order = uuidOf('gco', world.orders.delivered)
      await tx`delete from gift_cards where order_id = ${order}`
      await tx`update gift_card_orders set status = 'ordered' where order_id = ${order}`
    },
  ],
  [
    'an order that its redemption does not pay for',
    ['gift-card orders ↔ redemptions', 'redemptions ↔ ledger', 'redemptions ↔ events'],
    () => null,
    (tx) =>
      tx`update redemptions set amount = amount - 1 where redemption_id = ${uuidOf('rdm', world.orders.redeemed)}`,
  ],
  [
    'a card that is on order, although its redemption has failed',
    ['gift-card orders ↔ redemptions', 'redemptions ↔ ledger', 'redemptions ↔ steps'],
    () => null,
    async (tx) => {
      const redeemed = uuidOf('rdm', world.orders.redeemed)
      await tx`update redemptions set status = 'failed' where redemption_id = ${redeemed}`
      await tx`update gift_card_orders set status = 'ordered' where redemption_id = ${redeemed}`
    },
  ],
  [
    'a redemption for a card that was never ordered',
    ['gift-card orders ↔ redemptions', 'gift-card orders ↔ events'],
    () => null,
    (tx) => tx`delete from gift_card_orders where redemption_id = ${uuidOf('rdm', world.orders.redeemed)}`,
  ],
  [
    'a balance that the postings do not add up to',
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
    'a redemption that was announced with another status',
    ['redemptions ↔ events'],
    () => `${world.redemptions.failed} 000004`,
    (tx) => tx`
      update events set stored_data = (stored_data::jsonb || '{"status": "paid"}')::json
      where publisher_id = ${world.publisher.id} and type = 'redemption.failed'`,
  ],
  [
    'an event that has no number and does not wait for one',
    ['events ↔ feed'],
    () => null,
    (tx) => tx`
      delete from event_feed where publisher_id = ${world.publisher.id} and sequence = (
        select max(sequence) from event_feed where publisher_id = ${world.publisher.id} and type = 'user.created')`,
  ],
  [
    'a delivery that is lost',
    ['feed ↔ deliveries'],
    () => null,
    (tx) => tx`
      delete from webhook_deliveries where publisher_id = ${world.publisher.id} and sequence = (
        select max(sequence) from webhook_deliveries where publisher_id = ${world.publisher.id})`,
  ],
  [
    'a delivery that was given up',
    ['feed ↔ deliveries'],
    () => null,
    (tx) => tx`
      update webhook_deliveries set status = 'exhausted', exhausted_position = 1
      where publisher_id = ${world.publisher.id} and sequence = (
        select max(sequence) from webhook_deliveries where publisher_id = ${world.publisher.id})`,
  ],
]

for (const [what, comparisons, keyOf, plant] of PLANTS)
  test(`it names ${what}, and nothing else`, async () => {
    const found = await foundAfter(plant)
    assert.deepEqual(
      [...new Set(found.map(({ title }) => title))].toSorted(),
      comparisons.toSorted(),
      JSON.stringify(found, null, 1),
    )
    const key = keyOf()
    if (key !== null) for (const one of found) assert(one.key.startsWith(key), `${one.key} is not ${key}`)
  })

test('a difference has what both sides say, amounts with their currency', async () => {
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

test('a delivery under way is waiting', async () => {
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

test('errors of another publisher, and of other days, do not matter', async () => {
  const other = { ...span, publisher: app.publisher }
  const planted = async (tx: Tx, asked: ComparedSpan) => {
    await tx`set local session_replication_role = replica`
    await tx`update redemptions set amount = amount + 1 where redemption_id = ${rdm('paid')}`
    const { found } = await reconciled({ snapshot: (read) => read(tx) }, null, asked)
    assert.deepEqual(found, [])
    throw new Undo()
  }
  const earlier = comparedSpan(span.publisher, { from: span.days.from, to: span.days.from }, span.deliveriesSince)
  for (const asked of [other, earlier])
    await assert.rejects(
      app.owner.transaction((tx) => planted(tx, asked)),
      Undo,
    )
})

async function against(outside: Comparison): Promise<string[]> {
  const { found } = await reconciled(app.owner, outside)
  return found.map(({ key, left, right }) => `${key} ${JSON.stringify(left)} ${JSON.stringify(right)}`)
}

test("a bank's statement: missing on either side, another amount, another outcome", async () => {
  const filed = world.redemptions.filed
  const reference = referenceOf(filed)
  const head = 'reference,amount,currency,status\n'
  const stranger = referenceOf(encodeId('rdm', newUuid()))
  assert.deepEqual(await against(bankComparison(`${head}${reference},2.00,USD,paid\n`)), [])
  assert.deepEqual(await against(bankComparison(`reference,status\n${reference},paid\n`)), [])
  const table: readonly [string, string[]][] = [
    [`${reference},2.01,USD,paid\n`, [`${filed} {"amount":"2.00 USD"} {"amount":"2.01 USD"}`]],
    [`${reference},2.00,EUR,paid\n`, [`${filed} {"amount":"2.00 USD"} {"amount":"2.00 EUR"}`]],
    [`${reference},2.00,USD,returned\n`, [`${filed} {"outcome":"paid"} {"outcome":"unpaid"}`]],
    [
      `${stranger},1.00,USD,paid\n`,
      [
        `${stranger} null {"amount":"1.00 USD","outcome":"paid"}`,
        `${filed} {"amount":"2.00 USD","outcome":"paid"} null`,
      ],
    ],
  ]
  for (const [text, expected] of table) assert.deepEqual(await against(bankComparison(head + text)), expected, text)
  // Somebody else's payout, and one that is named twice.
  const theirs = { ...span, publisher: app.publisher }
  const whole = `${head}${reference},9.99,USD,paid\n`
  assert.deepEqual((await reconciled(app.owner, bankComparison(whole), theirs)).found, [])
  assert.throws(
    () => bankComparison(`${whole}${reference.slice(-15)},2,USD,paid\n`),
    /two of its lines name one payout/,
  )
  // Where only failures are reported, what was paid need not be named.
  assert.equal((await against(bankComparison(`${head}${stranger},1.00,USD,failed\n`))).length, 1)
  assert.throws(
    () => bankComparison(`${head}${reference},x,USD,paid\n${reference},1,USD,lost\n`),
    /line 2: amount.*line 3: status/,
  )
  assert.throws(() => bankComparison('a,b\n1,2\n'), /lacks the column reference and status/)
  assert.throws(
    () => bankComparison(`reference,amount,currency,status,amount\n${reference},9.00,USD,paid,2.00\n`),
    /the first line names the column amount twice/,
  )
  const sheet = `\uFEFFreference;status;amount;currency\r\n${reference};paid;2.00;USD\r\n`
  assert.deepEqual(await against(bankComparison(sheet)), [])
})

test("a network's report: missing on either side, another amount, currency or status", async () => {
  const row = (order_id: string, status: string, amount: number, more: object = {}) => ({
    ...{ sub_id: world.subId, order_id, status, amount, currency: 'USD', ...more },
  })
  const reported = (...rows: object[]) => against(networkComparison('default', JSON.stringify(rows)))
  const [kept, gone] = [row('order-1', 'approved', 80), row('order-2', 'rejected', 60)]
  assert.deepEqual(await reported(kept, gone), [])
  assert.deepEqual(await reported(row('order-1', 'approved', 81), gone), [
    'order-1 {"amount":"80.00 USD"} {"amount":"81.00 USD"}',
  ])
  assert.deepEqual(await reported(row('order-1', 'approved', 80, { currency: 'EUR' }), gone), [
    'order-1 {"amount":"80.00 USD"} {"amount":"80.00 EUR"}',
  ])
  assert.deepEqual(await reported(row('order-1', 'pending', 80), gone), [
    'order-1 {"status":"approved"} {"status":"pending"}',
  ])
  assert.deepEqual(await reported(gone, row('order-3', 'pending', 7)), [
    'order-1 {"amount":"80.00 USD","status":"approved"} null',
    'order-3 null {"amount":"7.00 USD","status":"pending"}',
  ])
  // A click of another publisher, and what was only ever rejected.
  await app.owner.transaction(
    (tx) => tx`
    insert into sub_ids (sub_id, user_id, click_id, publisher_id, offer_uid, network, clicked_at)
    values ('foreign', ${newUuid()}, ${newUuid()}, ${app.publisher.id}, 'offer-gadgets-link', 'default', now())`,
  )
  const foreign = row('order-4', 'pending', 7, { sub_id: 'FOREIGN' })
  assert.deepEqual(await reported(kept, gone, foreign, row('order-5', 'rejected', 9)), [])
  await assert.rejects(reported(row('order-1', 'perhaps', 80)), /line 1: status must be one of/)
})

test("a network's amounts are those of their currencies, and one that it does not name is the known one", async () => {
  const orders = async (currency: string, rows: readonly object[]) => {
    const text = JSON.stringify(
      rows.map((row) => ({ sub_id: world.subId, order_id: 'order-1', status: 'approved', ...row })),
    )
    return foundAfter(
      (tx) => tx`
        update transactions set order_id = 'order-1', currency = ${currency}, amount = 2000, refunded = 0,
          cleared_on = '2026-01-01'
        where publisher_id = ${world.publisher.id} and source = 'AFFILIATE' and order_id = 'order-2'`,
      networkComparison('default', text),
    ).then((found) => found.filter(({ title }) => title.endsWith('↔ default')).map(({ left, right }) => [left, right]))
  }
  const [first, second] = [
    { transaction_id: 'a', amount: 80, currency: 'USD' },
    { transaction_id: 'b', amount: 20 },
  ]
  assert.deepEqual(await orders('EUR', [first, { ...second, currency: 'EUR' }]), [])
  assert.deepEqual(await orders('EUR', [first, { ...second, currency: 'USD' }]), [
    [{ amount: '20.00 EUR and 80.00 USD' }, { amount: '100.00 USD' }],
  ])
  const yen = await foundAfter(
    (tx) => tx`
      update transactions set currency = 'JPY'
      where publisher_id = ${world.publisher.id} and source = 'AFFILIATE' and order_id = 'order-1'`,
    networkComparison(
      'default',
      JSON.stringify([{ sub_id: world.subId, order_id: 'order-1', status: 'approved', amount: 8000 }]),
    ),
  )
  assert.deepEqual(
    yen.filter(({ title, key }) => title.endsWith('↔ default') && key === 'order-1'),
    [],
  )
})

test("a supplier's list of orders: missing on either side, another amount, another status", async () => {
  const { delivered, second, redeemed } = world.orders
  const [bought] = await app.owner.reader<{ orderId: string }[]>`
    select order_id from gift_card_orders where redemption_id = ${uuidOf('rdm', redeemed)}`
  const paidFor = encodeId('gco', bought?.orderId ?? '')
  const answer = await fetch(
    `${app.simulatorUrl}/_sim/gift-cards/statement?account=${encodeId('pub', world.publisher.id)}`,
  )
  const text = await answer.text()
  assert.match(text, new RegExp(`^reference,amount,currency,status\n(.*\n)*${delivered},50.00,USD,delivered\n`))
  assert.deepEqual(await against(supplierComparison(text)), [])
  assert.deepEqual(await against(supplierComparison(text.replace(`${delivered},50.00`, `${delivered},49.00`))), [
    `${delivered} {"total":"50.00 USD"} {"total":"49.00 USD"}`,
  ])
  assert.deepEqual(
    (await reconciled(app.owner, supplierComparison(text), { ...span, publisher: app.publisher })).found,
    [],
  )
  const without = text.replace(new RegExp(`${paidFor}.*\n`), '')
  const stranger = encodeId('gco', newUuid())
  assert.deepEqual(await against(supplierComparison(`${without}${stranger},1.00,USD,failed\n`)), [
    `${paidFor} {"total":"25.00 USD","status":"delivered"} null`,
    `${stranger} null {"total":"1.00 USD","status":"failed"}`,
  ])
  assert.deepEqual(
    await against(supplierComparison(text.replace(`${second},50.00,USD,delivered`, `${second},50.00,USD,failed`))),
    [`${second} {"status":"delivered"} {"status":"failed"}`],
  )
})

test('it changes nothing: its transaction cannot write', async () => {
  const writing: Comparison = {
    ...{ left: 'a', right: 'b', hint: '' },
    sides: async (tx) => {
      await tx`update publishers set name = name`
      return [[], []]
    },
  }
  await assert.rejects(reconciled(app.owner, writing), /read-only transaction/)
})

test('answers of a bank in its own formats are compared by the references that they have room for', async () => {
  const reference = referenceOf(world.redemptions.filed)
  const pain002 = (status: string, amount: string, currency = 'USD') => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-03-04T15:16:17</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>F</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>F</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId>
<TxSts>${status}</TxSts><OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
  assert.deepEqual(await against(bankComparison(pain002('ACSC', '2.00'))), [])
  assert.deepEqual(await against(bankComparison(pain002('RJCT', '2.00'))), [
    `${world.redemptions.filed} {"outcome":"paid"} {"outcome":"unpaid"}`,
  ])
  assert.deepEqual(await against(bankComparison(pain002('ACSC', '2.00', 'EUR'))), [
    `${world.redemptions.filed} {"amount":"2.00 USD"} {"amount":"2.00 EUR"}`,
  ])
  // As NACHA files have it.
  assert.deepEqual(await against(bankComparison(`reference,status\n${reference.slice(-15)},paid\n`)), [])
  assert.throws(() => bankComparison('<Document/>'), /The file cannot be read: line 1/)
})
