import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import {
  type ComparedWorld,
  openComparedWorld,
  type ReconciledWorld,
  toReference,
} from '../../../../test/support/reconciled-world.ts'
import { decodeId, encodeId, newUuid } from '../../../platform/ids.ts'
import type { Comparison } from '../comparisons.ts'
import type { ComparedSpan } from '../span.ts'
import { compareBankFile } from './bank.ts'
import { compareNetworkReport } from './network.ts'
import { compareSupplierFile } from './supplier.ts'

// Compares files from banks, networks and suppliers with correct books.

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

async function against(outside: Comparison): Promise<string[]> {
  const { found } = await reconciled(app.owner, outside)
  return found.map(({ key, left, right }) => `${key} ${JSON.stringify(left)} ${JSON.stringify(right)}`)
}

test('a bank statement is checked for missing entries on either side and for differing values', async () => {
  const filed = world.redemptions.filed
  const reference = toReference(filed)
  const head = 'reference,amount,currency,status\n'
  const stranger = toReference(encodeId('rdm', newUuid()))
  assert.deepEqual(await against(compareBankFile(`${head}${reference},2.00,USD,paid\n`)), [])
  assert.deepEqual(await against(compareBankFile(`reference,status\n${reference},paid\n`)), [])
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
  for (const [text, expected] of table) assert.deepEqual(await against(compareBankFile(head + text)), expected, text)
  // Another publisher's payout is not a difference, and a payout listed twice is refused.
  const theirs = { ...span, publisher: app.publisher }
  const whole = `${head}${reference},9.99,USD,paid\n`
  assert.deepEqual((await reconciled(app.owner, compareBankFile(whole), theirs)).found, [])
  assert.throws(
    () => compareBankFile(`${whole}${reference.slice(-15)},2,USD,paid\n`),
    /two of its lines refer to the same payout/,
  )
  // A file that lists only failures need not include successful payouts.
  assert.equal((await against(compareBankFile(`${head}${stranger},1.00,USD,failed\n`))).length, 1)
  assert.throws(
    () => compareBankFile(`${head}${reference},x,USD,paid\n${reference},1,USD,lost\n`),
    /line 2: amount.*line 3: status/,
  )
  assert.throws(() => compareBankFile('a,b\n1,2\n'), /lacks the column reference and status/)
  assert.throws(
    () => compareBankFile(`reference,amount,currency,status,amount\n${reference},9.00,USD,paid,2.00\n`),
    /the header row has the column amount twice/,
  )
  const sheet = `\uFEFFreference;status;amount;currency\r\n${reference};paid;2.00;USD\r\n`
  assert.deepEqual(await against(compareBankFile(sheet)), [])
  assert.deepEqual(
    await against(compareBankFile(sheet.replaceAll(/[^;\r\n\uFEFF]+/g, '"$&"').replaceAll(';', '\t'))),
    [],
  )
})

test('a network report is checked for missing sales on either side and for differing values', async () => {
  const row = (order_id: string, status: string, amount: number, more: object = {}) => ({
    sub_id: world.subId,
    order_id,
    status,
    amount,
    currency: 'USD',
    ...more,
  })
  const reported = (...rows: object[]) => against(compareNetworkReport('default', JSON.stringify(rows)))
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
  // An amendment has no status.
  assert.deepEqual(await reported(row('order-1', 'amended', 80), gone), [])
  assert.deepEqual(await reported(kept, row('order-1', 'amended', 81), gone), [
    'order-1 {"amount":"80.00 USD"} {"amount":"81.00 USD"}',
  ])
  assert.deepEqual(await reported(gone, row('order-3', 'pending', 7)), [
    'order-1 {"amount":"80.00 USD","status":"approved"} null',
    'order-3 null {"amount":"7.00 USD","status":"pending"}',
  ])
  // Neither a sale from another publisher's click nor one that was only ever rejected is a difference.
  await app.owner.transaction(
    (tx) => tx`
    insert into sub_ids (sub_id, user_id, click_id, publisher_id, offer_uid, network, clicked_at)
    values ('foreign', ${newUuid()}, ${newUuid()}, ${app.publisher.id}, 'offer-gadgets-link', 'default', now())`,
  )
  const foreign = row('order-4', 'pending', 7, { sub_id: 'FOREIGN' })
  assert.deepEqual(await reported(kept, gone, foreign, row('order-5', 'rejected', 9)), [])
  await assert.rejects(reported(row('order-1', 'perhaps', 80)), /line 1: status must be one of/)
})

test("a network's amounts are compared by currency, which defaults to that of the recorded sale", async () => {
  const orders = async (currency: string, rows: readonly object[]) => {
    const text = JSON.stringify(
      rows.map((row) => ({ sub_id: world.subId, order_id: 'order-1', status: 'approved', ...row })),
    )
    return foundAfter(
      (tx) => tx`
        update transactions set order_id = 'order-1', currency = ${currency}, amount = 2000, refunded = 0,
          cleared_on = '2026-01-01'
        where publisher_id = ${world.publisher.id} and source = 'AFFILIATE' and order_id = 'order-2'`,
      compareNetworkReport('default', text),
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
    compareNetworkReport(
      'default',
      JSON.stringify([{ sub_id: world.subId, order_id: 'order-1', status: 'approved', amount: 8000 }]),
    ),
  )
  assert.deepEqual(
    yen.filter(({ title, key }) => title.endsWith('↔ default') && key === 'order-1'),
    [],
  )
})

test("a supplier's order list is checked for missing orders on either side and for differing values", async () => {
  const { delivered, second, redeemed } = world.orders
  const [bought] = await app.owner.reader<{ orderId: string }[]>`
    select order_id from gift_card_orders where redemption_id = ${toUuid('rdm', redeemed)}`
  const paidFor = encodeId('gco', bought?.orderId ?? '')
  const answer = await fetch(
    `${app.simulatorUrl}/_sim/gift-cards/statement?account=${encodeId('pub', world.publisher.id)}`,
  )
  const text = await answer.text()
  assert.match(text, new RegExp(`^reference,amount,currency,status\n(.*\n)*${delivered},50.00,USD,delivered\n`))
  assert.deepEqual(await against(compareSupplierFile(text)), [])
  assert.deepEqual(await against(compareSupplierFile(text.replace(`${delivered},50.00`, `${delivered},49.00`))), [
    `${delivered} {"total":"50.00 USD"} {"total":"49.00 USD"}`,
  ])
  assert.deepEqual(
    (await reconciled(app.owner, compareSupplierFile(text), { ...span, publisher: app.publisher })).found,
    [],
  )
  const without = text.replace(new RegExp(`${paidFor}.*\n`), '')
  const stranger = encodeId('gco', newUuid())
  assert.deepEqual(await against(compareSupplierFile(`${without}${stranger},1.00,USD,failed\n`)), [
    `${paidFor} {"total":"25.00 USD","status":"delivered"} null`,
    `${stranger} null {"total":"1.00 USD","status":"failed"}`,
  ])
  assert.deepEqual(
    await against(compareSupplierFile(text.replace(`${second},50.00,USD,delivered`, `${second},50.00,USD,failed`))),
    [`${second} {"status":"delivered"} {"status":"failed"}`],
  )
})

test('bank responses in native formats are matched, even by shortened references', async () => {
  const reference = toReference(world.redemptions.filed)
  const pain002 = (status: string, amount: string, currency = 'USD') => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-03-04T15:16:17</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>F</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>F</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId>
<TxSts>${status}</TxSts><OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
  assert.deepEqual(await against(compareBankFile(pain002('ACSC', '2.00'))), [])
  assert.deepEqual(await against(compareBankFile(pain002('RJCT', '2.00'))), [
    `${world.redemptions.filed} {"outcome":"paid"} {"outcome":"unpaid"}`,
  ])
  assert.deepEqual(await against(compareBankFile(pain002('ACSC', '2.00', 'EUR'))), [
    `${world.redemptions.filed} {"amount":"2.00 USD"} {"amount":"2.00 EUR"}`,
  ])
  // The shortened reference that NACHA files contain.
  assert.deepEqual(await against(compareBankFile(`reference,status\n${reference.slice(-15)},paid\n`)), [])
  assert.throws(() => compareBankFile('<Document/>'), /The file cannot be parsed: line 1/)
  const nacha = (id: string) =>
    [
      `101${' '.repeat(31)}094101`,
      `5220${' '.repeat(90)}`,
      `621${' '.repeat(26)}0000000200${id}`,
      `9${'000001'.padEnd(12, '0')}${'1'.padStart(8, '0')}`,
    ].join('\n')
  // An unreadable entry is ignored if it belongs to another product, and is an error if it is our payout.
  assert.deepEqual(await against(compareBankFile(nacha('CUSTOMER0000042'))), [])
  await assert.rejects(against(compareBankFile(nacha(reference.slice(-15)))), /line 3: The entry has no addenda record/)
})
