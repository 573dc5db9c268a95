import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyAll } from '../../cli/commands/ledger.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { addCurrency, changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, type Call, startTestApp, type TestApp } from '../support/app.ts'
import { openRedeemer, type Redeemer } from '../support/redemptions.ts'
import { close, documents } from '../support/settlement-world.ts'

// A publisher with books in dollars and euros, from listing offers to the month-end close. Each currency is kept
// separate.

let app: TestApp
let redeemer: Redeemer
let finance: Call
let publisher_id: string

before(async () => {
  app = await startTestApp()
  await app.catalog(catalog())
  finance = await app.staff('finance')
  redeemer = await openRedeemer(app, { redemptionMinimum: 100n })
  publisher_id = encodeId('pub', redeemer.publisher.id)
  await app.service.db.transaction(async (tx) => {
    await addCurrency(tx, redeemer.publisher.id, 'EUR', new Date())
    await changeSettings(tx, redeemer.publisher.id, { ownCardFeed: true, redemptionReviewAbove: null })
    await changeSettings(tx, redeemer.publisher.id, { redemptionReviewAbove: 10_00n, adjustmentAloneMax: 3_00n }, 'EUR')
  })
  await redeemer.user('ada', 0)
})

after(() => app.close())

/** Returns one brand with offers in dollars, euros and yen, and one with gift cards in euros. */
function catalog(): object {
  const offer = (offer_uid: string, currency: string, rate: number, more: object = {}) => ({
    offer_uid,
    name: offer_uid,
    description: offer_uid,
    offer_type: 'CARD_LINKED',
    currency,
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate },
    refund_period_days: 14,
    terms_and_conditions: 'Sample.',
    ...more,
  })
  const market = [offer('dollars', 'USD', 10), offer('euros', 'EUR', 20), offer('yen', 'JPY', 50)]
  const cards = [offer('euro-cards', 'EUR', 4, { offer_type: 'GIFT_CARD', denominations: [25] })]
  return {
    categories: CATALOG.categories,
    brands: [
      { brand_uid: 'market', category_id: 1, name: 'Corner Market', offers: market },
      { brand_uid: 'cards', category_id: 1, name: 'Paper Lantern', offers: cards },
    ],
  }
}

async function done(method: string, path: string, body?: object, call: Call = redeemer.call) {
  const answer = await call(method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const buy = (amount: number, currency: string) =>
  done('POST', '/transactions', {
    publisher_user_id: 'ada',
    amount,
    currency,
    brand_uid: 'market',
    external_id: `${amount} ${currency}`,
  })

type Account = { currency: string; pending_cashback: number; available_cashback: number; redeemed_cashback: number }
async function accounts(): Promise<[string, number, number, number][]> {
  const { accounts: all } = await done('GET', '/rewards/summary/ada')
  return all.map((one: Account) => [
    ...[one.currency, one.pending_cashback, one.available_cashback, one.redeemed_cashback],
  ])
}

test("offers in every ledger currency are listed; a brand's maximum is in the default one if possible", async () => {
  const { content } = await done('GET', '/publishers/brands?publisher_user_id=ada&sort=name')
  const [market, cards] = content
  assert.deepEqual(
    market.offers.map(({ offer_uid, currency }: { offer_uid: string; currency: string }) => [offer_uid, currency]),
    [
      ['dollars', 'USD'],
      ['euros', 'EUR'],
    ],
  )
  assert.deepEqual([market.max_customer_offer, market.currency], [10, 'USD'])
  assert.deepEqual([cards.max_customer_offer, cards.currency], [4, 'EUR'])
})

test("a purchase earns from an offer in its currency, and the reward goes to that currency's balance", async () => {
  const [dollars, euros, pounds] = [await buy(50, 'USD'), await buy(100, 'EUR'), await buy(70, 'GBP')]
  assert.deepEqual([dollars.user_cashback, dollars.currency], [5, 'USD'])
  assert.deepEqual([euros.user_cashback, euros.currency], [20, 'EUR'])
  assert.deepEqual([pounds.user_cashback, pounds.status_reason], [0, 'currency_mismatch'])
  assert.deepEqual(await accounts(), [
    ['USD', 5, 0, 0],
    ['EUR', 20, 0, 0],
  ])
  const { accounts: shown, ...first } = await done('GET', '/users/status/ada')
  assert.deepEqual([first.pending_cashback, shown.length], [5, 2])
})

test("a report in a currency other than its purchase's is rejected and changes nothing", async () => {
  const report = { publisher_user_id: 'ada', brand_uid: 'market', original_external_id: '50 USD', amount: 50 }
  for (const kind of ['REFUND', 'AUTHORIZATION']) {
    const other = { ...report, kind, currency: 'EUR', external_id: `${kind} in euros` }
    const { status, body } = await redeemer.call('POST', '/transactions', other)
    assert.deepEqual([status, body.code], [409, 'event_conflict'])
  }
  assert.deepEqual(await accounts(), [
    ['USD', 5, 0, 0],
    ['EUR', 20, 0, 0],
  ])
})

test("a redemption draws on one currency's balance, within that currency's limits", async () => {
  await redeemer.days(60)
  assert.deepEqual(await accounts(), [
    ['USD', 0, 5, 0],
    ['EUR', 0, 20, 0],
  ])
  const unknown = await redeemer.redeem('ada', { currency: 'GBP' })
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'currency_unknown'])
  assert.match(unknown.body.detail, /USD or EUR/)
  assert.equal((await redeemer.redeem('ada', { amount: 6 })).body.code, 'balance_insufficient')
  assert.equal((await redeemer.redeem('ada', { amount: 0.5 })).body.code, 'redemption_below_minimum')
  const [small, large] = [
    await redeemer.redeem('ada', { currency: 'EUR', amount: 0.5, method: 'publisher' }),
    await redeemer.redeem('ada', { currency: 'EUR', amount: 10.01, method: 'publisher' }),
  ]
  assert.deepEqual([small.body.status, small.body.currency, large.body.status], ['sent', 'EUR', 'requested'])
  await done('POST', `/redemptions/${small.body.redemption_id}/outcome`, { status: 'paid' })
  await done('POST', `/redemptions/${large.body.redemption_id}/cancel`, {})
  assert.deepEqual(await accounts(), [
    ['USD', 0, 5, 0],
    ['EUR', 0, 19.5, 0.5],
  ])
})

test('an external_ref identifies one redemption regardless of the currency', async () => {
  const asked = { amount: 1, external_ref: 'one' }
  const first = await redeemer.redeem('ada', { ...asked, currency: 'EUR' })
  assert.equal((await redeemer.redeem('ada', asked)).body.code, 'redemption_conflict')
  await done('POST', `/redemptions/${first.body.redemption_id}/outcome`, { status: 'failed' })
})

test('a payout file contains one currency, which its format must support', async () => {
  const iban = { type: 'iban', holder_name: 'Ada Example', iban: 'DE89370400440532013000' }
  await done('PUT', '/users/ada/payout-destination', iban)
  const dollars = await redeemer.redeem('ada', { amount: 1, method: 'file' })
  const euros = await redeemer.redeem('ada', { amount: 2, method: 'file', currency: 'EUR' })
  assert.deepEqual([dollars.body.status, euros.body.status], ['approved', 'approved'])
  const make = (more: object) => finance('POST', '/operator/payout-files', { publisher_id, ...more })
  assert.match((await make({ format: 'nacha', currency: 'EUR' })).body.detail, /EUR/)
  const { body: file } = await make({ format: 'pain.001', currency: 'EUR' })
  assert.deepEqual([file.entries, file.total, file.currency], [1, 2, 'EUR'])
  const content = await done('GET', `/operator/payout-files/${file.file_id}/content`, undefined, finance)
  assert.match(content, /Ccy="EUR">2\.00</)
  // Neither two dollars nor two hundred yen equals two euros.
  for (const amount of ['Ccy="USD">2.00', 'Ccy="JPY">200']) {
    const answer = { content: pain002(content, amount) }
    const path = `/operator/payout-files/${file.file_id}/answers`
    const { failed, unknown: strange } = await done('POST', path, answer, finance)
    assert.deepEqual([failed, strange.length], [0, 1], amount)
  }
  await done('POST', `/operator/payout-files/${file.file_id}/settle`, {}, finance)
  assert.equal(await redeemer.readStatus(euros.body.redemption_id), 'paid')
  assert.equal(await redeemer.readStatus(dollars.body.redemption_id), 'approved')
})

/** Returns a bank response that rejects the only transfer in a pain.001 file, with this amount. */
function pain002(file: string, amount: string): string {
  const [message, reference] = ['MsgId', 'EndToEndId'].map((name) => new RegExp(`<${name}>(.*?)<`).exec(file)?.[1])
  return `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${message}</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId>
<TxSts>RJCT</TxSts><OrgnlTxRef><Amt><InstdAmt ${amount}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
}

test("an adjustment changes one currency's balance, and an operator's limit applies per currency", async () => {
  const give = async (amount: number, currency?: string) =>
    done(
      'POST',
      '/operator/adjustments',
      {
        publisher_id,
        publisher_user_id: 'ada',
        kind: 'goodwill',
        reason: 'Sorry',
        amount,
        ...(currency === undefined ? {} : { currency }),
      },
      finance,
    )
  const made = [await give(20), await give(3, 'EUR'), await give(0.01, 'EUR')]
  assert.deepEqual(
    made.map(({ status, currency }) => [status, currency]),
    [
      ['booked', 'USD'],
      ['booked', 'EUR'],
      ['proposed', 'EUR'],
    ],
  )
})

test('a claim about a purchase in euros is granted in euros unless another currency is requested', async () => {
  const claim = { publisher_user_id: 'ada', kind: 'missing', amount: 30, currency: 'EUR', brand_uid: 'market' }
  const before = await accounts()
  for (const [external_ref, currency] of [
    ['plain', undefined],
    ['named', 'USD'],
  ] as const) {
    const { claim_id } = await done('POST', '/claims', { ...claim, external_ref })
    const adjustment = { kind: 'goodwill', amount: 0.25, reason: 'Sorry', ...(currency ? { currency } : {}) }
    const granted = await done('POST', `/operator/claims/${claim_id}/grant`, { adjustment }, finance)
    // In euros a second person must book it, because today's limit is used up.
    assert.equal(granted.status, currency === undefined ? 'open' : 'granted')
  }
  const given = (await accounts()).map(([, , available], nth) => available - (before[nth]?.[2] ?? 0))
  assert.deepEqual(given, [0.25, 0])
})

test('gift cards in euros are quoted and paid for in euros', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ product: 'euro-cards', currency: 'EUR' })
  const sold = await fetch(`${app.simulatorUrl}/_sim/gift-cards/products`, { method: 'POST', headers, body })
  assert.equal(sold.status, 200)
  const wanted = { publisher_user_id: 'ada', offer_uid: 'euro-cards' }
  const quote = await done('POST', '/gift-cards/quotes', { ...wanted, items: [{ denomination: 25, quantity: 2 }] })
  assert.deepEqual([quote.currency, quote.total, quote.user_cashback], ['EUR', 50, 2])
  const order = { ...wanted, external_ref: 'order', items: [{ denomination: 25, quantity: 1 }] }
  assert.equal((await done('POST', '/gift-cards/orders', order)).currency, 'EUR')
  const card = { amount: 25, method: 'gift_card', offer_uid: 'euro-cards' }
  const inDollars = await redeemer.redeem('ada', { ...card, amount: 20 })
  assert.deepEqual([inDollars.status, inDollars.body.code], [409, 'offer_not_available'])
  assert.match(inDollars.body.detail, /in EUR, not in USD/)
})

test('a user statement adds up in its own currency', async () => {
  for (const { currency, available_cashback } of (await done('GET', '/rewards/summary/ada')).accounts) {
    const statement = await done('GET', `/users/ada/statement?currency=${currency}&size=1000`)
    assert.deepEqual([statement.currency, statement.closing.available], [currency, available_cashback])
    assert.deepEqual(statement.content.at(-1)?.balances, statement.closing)
  }
  const unknown = await redeemer.call('GET', '/users/ada/statement?currency=JPY')
  assert.equal(unknown.body.code, 'currency_unknown')
})

test('the month closes with one statement per currency, and the books balance', async () => {
  const { now } = await done('GET', '/sandbox/clock')
  const payment = {
    publisher_id,
    direction: 'received',
    party: 'advertiser',
    brand_uid: 'market',
    amount: 12,
    external_ref: 'wire-1',
    value_date: now.slice(0, 10),
  }
  const inPounds = await app.operator('POST', '/operator/payments', { ...payment, currency: 'GBP' })
  assert.equal(inPounds.body.code, 'currency_unknown')
  await done('POST', '/operator/payments', { ...payment, currency: 'EUR' }, app.operator)
  const { content } = await done('GET', `/operator/trial-balance?publisher_id=${publisher_id}`, undefined, finance)
  assert.ok(content.some(({ account, currency }: Record<string, string>) => account === 'bank' && currency === 'EUR'))
  await redeemer.days(31)
  await close(app, now.slice(0, 7), redeemer)
  const closed = await documents(app, { month: now.slice(0, 7), kind: 'publisher', books: publisher_id })
  assert.deepEqual(closed.map(({ currency }: { currency: string }) => currency).toSorted(), ['EUR', 'USD'])
  assert.deepEqual((await verifyAll(app.service.db)).differences, [])
})
