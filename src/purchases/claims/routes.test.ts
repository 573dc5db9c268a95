import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { CATALOG, type Call, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { openRedeemer, type Redeemer } from '../../../test/support/redemptions.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import { insertClick } from '../../sources/affiliate/queries.ts'

let app: TestApp
let one: Call
let two: Call
let support: Call

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  ;[one, two, support] = await Promise.all([app.staff('finance'), app.staff('finance'), app.staff('support')])
})

after(async () => {
  assert.deepEqual(await verifyLedger(app.service.db.reader), [])
  await app.close()
})

type Settings = Parameters<typeof openRedeemer>[1]

async function claimant(settings: Settings = {}): Promise<Redeemer> {
  const redeemer = await openRedeemer(app, settings)
  await redeemer.user('ada', 0)
  return redeemer
}

const claimed = { publisher_user_id: 'ada', external_ref: 'ticket-1', kind: 'missing', amount: 50 }
const open = ({ call }: Redeemer, more: object = {}) => call('POST', '/claims', { ...claimed, ...more })
const GIFT_CARD = { source: 'GIFT_CARD', external_id: 'found', offer_uid: 'offer-gadgets-gift', amount: 50 }
const goodwill = (amount: number) => ({ adjustment: { kind: 'goodwill', amount, reason: 'The shop had closed early' } })
const grant = (id: string, body: object, call = one) => call('POST', `/operator/claims/${id}/grant`, body)
const NOT_FOUND = { reason: 'no_purchase_found', text: 'The shop has no record of this order.' }
const decline = (id: string, call = support) => call('POST', `/operator/claims/${id}/decline`, NOT_FOUND)
const seen = async ({ call }: Redeemer, id: string) => (await call('GET', `/claims/${id}`)).body

/** A purchase that earns nothing, because the user has no linked card. */
async function refusedPurchase({ call }: Redeemer, user = 'ada'): Promise<string> {
  const purchase = { publisher_user_id: user, external_id: `${user} at the market`, brand_uid: 'brand-market' }
  const { body } = await call('POST', '/transactions', { ...purchase, amount: 50 })
  assert.equal(body.status, 'CANCELLED')
  return body.transaction_uid
}

async function announced({ call }: Redeemer): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { content } = (await call('GET', '/events?limit=100')).body
  return content.filter(({ type }: { type: string }) => type.startsWith('claim.'))
}

test('granting a claim by event reports the purchase, links it to the claim, and is audited', async () => {
  const redeemer = await claimant()
  const { status, body } = await open(redeemer, { brand_uid: 'brand-gadgets', evidence: 'Receipt 17\nof May' })
  assert.deepEqual([status, body.status, body.opened_by, body.amount, body.currency], [200, 'open', 'user', 50, 'USD'])
  assert.equal(new Date(body.deadline).getTime() - new Date(body.created_at).getTime(), 30 * 86_400_000)
  const granted = await grant(body.claim_id, { event: GIFT_CARD }, support)
  assert.deepEqual([granted.status, granted.body.status, granted.body.version], [200, 'granted', 2])
  const { granted_transaction_uid: uid, adjustment_id, notes, decision } = await seen(redeemer, body.claim_id)
  assert.deepEqual([adjustment_id, decision], [null, null])
  assert.deepEqual([notes[0].author, notes[0].text], ['user', 'Receipt 17\nof May'])
  const { body: transaction } = await redeemer.call('GET', `/transactions/${uid}`)
  assert.deepEqual([transaction.publisher_user_id, transaction.user_cashback], ['ada', 2])
  const [opened, decided] = await eventually(async () => {
    const found = await announced(redeemer)
    return found.length === 2 ? found : null
  })
  assert.deepEqual([opened?.type, decided?.type], ['claim.opened', 'claim.decided'])
  assert.deepEqual([decided?.data['status'], decided?.data['decided_by']], ['granted', undefined])
  const { content } = (await app.operator('GET', `/operator/audit?subject=${body.claim_id}`)).body
  assert.deepEqual([content[0].action, content[0].after.granted_transaction_uid], ['claim.granted', uid])
})

test('an event that was already reported grants a claim without creating another transaction', async () => {
  const redeemer = await claimant()
  const { body: bought } = await redeemer.call('POST', '/transactions', { ...GIFT_CARD, publisher_user_id: 'ada' })
  const { body } = await open(redeemer)
  const granted = await grant(body.claim_id, { event: GIFT_CARD })
  assert.equal(granted.body.granted_transaction_uid, bought.transaction_uid)
  const { body: all } = await redeemer.call('GET', '/transactions')
  assert.equal(all.total_elements, 1)
  const { body: other } = await open(redeemer, { external_ref: 'ticket-2' })
  const conflict = await grant(other.claim_id, { event: { ...GIFT_CARD, amount: 25 } })
  assert.deepEqual([conflict.status, conflict.body.code], [409, 'event_conflict'])
  assert.equal((await seen(redeemer, other.claim_id)).status, 'open')
})

test('an event that earns nothing grants nothing and is not stored', async () => {
  const redeemer = await claimant()
  const { body } = await open(redeemer)
  const event = { external_id: 'found', brand_uid: 'brand-market', amount: 50 }
  const refused = await grant(body.claim_id, { event })
  assert.deepEqual([refused.status, refused.body.code], [409, 'claim_earns_nothing'])
  assert.equal(refused.body.status_reason, 'card_not_linked')
  // The publisher keeps no books in pounds.
  const inPounds = await grant(body.claim_id, { event: { ...event, currency: 'GBP' } })
  assert.deepEqual([inPounds.status, inPounds.body.code], [409, 'claim_earns_nothing'])
  assert.equal((await seen(redeemer, body.claim_id)).status, 'open')
  assert.equal((await redeemer.call('GET', '/transactions')).body.total_elements, 0)
  const unknown = await grant(body.claim_id, { event: { ...event, offer_uid: 'no-offer' } })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'offer_unknown'])
})

test('above the limit, a claim can be granted only with a previously reported event', async () => {
  const redeemer = await claimant({ adjustmentAloneMax: 199n })
  const { body } = await open(redeemer)
  const refused = await grant(body.claim_id, { event: GIFT_CARD })
  assert.deepEqual([refused.status, refused.body.code], [409, 'claim_above_limit'])
  assert.equal((await redeemer.call('GET', '/transactions')).body.total_elements, 0)
  await redeemer.call('POST', '/transactions', { ...GIFT_CARD, publisher_user_id: 'ada' })
  assert.equal((await grant(body.claim_id, { event: GIFT_CARD })).body.status, 'granted')
  // The purchase earned on its own, so nobody has used any of their limit yet.
  const user = { publisher_id: encodeId('pub', redeemer.publisher.id), publisher_user_id: 'ada' }
  const given = await one('POST', '/operator/adjustments', { ...user, ...goodwill(1.99).adjustment })
  assert.equal(given.body.status, 'booked')
})

test('all grants by one person on the same day share one limit across all users', async () => {
  const redeemer = await claimant({ adjustmentAloneMax: 399n })
  await redeemer.user('bob', 0)
  const granted: string[] = []
  for (const publisher_user_id of ['ada', 'bob']) {
    const { body } = await open(redeemer, { publisher_user_id })
    const event = { ...GIFT_CARD, external_id: `found by ${publisher_user_id}` }
    const { body: answer } = await grant(body.claim_id, { event })
    granted.push(answer.code ?? answer.status)
  }
  assert.deepEqual(granted, ['granted', 'claim_above_limit'])
  const user = { publisher_id: encodeId('pub', redeemer.publisher.id), publisher_user_id: 'bob' }
  const given = await one('POST', '/operator/adjustments', { ...user, ...goodwill(2).adjustment })
  assert.equal(given.body.status, 'proposed')
  const { body } = await open(redeemer, { external_ref: 'ticket-3' })
  assert.equal((await grant(body.claim_id, goodwill(2))).body.status, 'open')
  assert.equal((await grant(body.claim_id, goodwill(2), two)).body.code, 'claim_waiting')
})

test('a grant by another event of a purchase that has already earned counts toward the limit', async () => {
  const redeemer = await claimant({ adjustmentAloneMax: 399n })
  const user = { publisher_id: encodeId('pub', redeemer.publisher.id), publisher_user_id: 'ada' }
  const half = { ...GIFT_CARD, publisher_user_id: 'ada', amount: 25 }
  assert.equal((await redeemer.call('POST', '/transactions', half)).body.user_cashback, 1)
  await redeemer.days(60)
  const { body } = await open(redeemer)
  const event = { ...GIFT_CARD, external_id: 'more', original_external_id: GIFT_CARD.external_id, amount: 25 }
  const granted = await grant(body.claim_id, { event })
  assert.equal(granted.body.status, 'granted', JSON.stringify(granted.body))
  const given = await one('POST', '/operator/adjustments', { ...user, ...goodwill(2.5).adjustment })
  assert.equal(given.body.status, 'proposed', 'a dollar has matured, and a pending adjustment has another')
})

test('a claim cannot be granted with a refund', async () => {
  const redeemer = await claimant()
  const { body } = await open(redeemer)
  const event = { ...GIFT_CARD, external_id: 'back', kind: 'REFUND' }
  const refused = await grant(body.claim_id, { event })
  assert.deepEqual([refused.status, refused.body.code], [409, 'claim_earns_nothing'], JSON.stringify(refused.body))
})

test('a claim about a purchase shows its decision, simplified for publishers and in full for operators', async () => {
  const redeemer = await claimant()
  await redeemer.user('bob', 0)
  const [own, foreign] = [await refusedPurchase(redeemer), await refusedPurchase(redeemer, 'bob')]
  for (const kind of ['incorrect', 'declined']) {
    assert.equal((await open(redeemer, { kind })).status, 400, kind)
    for (const transaction_uid of [foreign, 'txn_01kbjyt5v3f4nvj5yq5yfypr9v', 'nonsense'])
      assert.equal((await open(redeemer, { kind, transaction_uid })).body.code, 'transaction_not_found')
    const { body } = await open(redeemer, { kind, transaction_uid: own, external_ref: kind })
    const { decision } = await seen(redeemer, body.claim_id)
    assert.deepEqual(decision, (await redeemer.call('GET', `/transactions/${own}/decision?view=user`)).body)
    const { body: whole } = await support('GET', `/operator/claims/${body.claim_id}`)
    assert.deepEqual(whole.decision, (await redeemer.call('GET', `/transactions/${own}/decision`)).body)
    assert.equal(whole.transaction.transaction_uid, own)
  }
})

test('one person can grant an adjustment within the limit, and the money is available immediately', async () => {
  const redeemer = await claimant()
  const transaction_uid = await refusedPurchase(redeemer)
  const { body } = await open(redeemer, { kind: 'declined', transaction_uid })
  assert.equal((await grant(body.claim_id, goodwill(1.005))).body.code, 'amount_invalid')
  const granted = await grant(body.claim_id, goodwill(2.5), support)
  assert.deepEqual([granted.body.status, granted.body.granted_transaction_uid], ['granted', null])
  assert.equal((await redeemer.balances('ada')).available, 2.5)
  const { content } = (await one('GET', '/operator/adjustments?status=booked')).body
  const made = content.find((row: { adjustment_id: string }) => row.adjustment_id === granted.body.adjustment_id)
  assert.deepEqual([made.amount, made.external_ref], [2.5, `${body.claim_id}/1`])
  assert.equal((await grant(body.claim_id, goodwill(2.5))).body.code, 'claim_decided')
  assert.equal((await redeemer.balances('ada')).available, 2.5)
})

test('above the limit, a claim waits until another person books the adjustment', async () => {
  const redeemer = await claimant({ adjustmentAloneMax: 1_000n })
  const { body } = await open(redeemer)
  const proposed = await grant(body.claim_id, goodwill(20))
  const { status, adjustment_id } = proposed.body
  assert.deepEqual([status, proposed.body.decided_at], ['open', null])
  assert.equal((await seen(redeemer, body.claim_id)).adjustment_id, adjustment_id)
  for (const again of [
    await grant(body.claim_id, goodwill(1), two),
    await grant(body.claim_id, { event: GIFT_CARD }, two),
    await decline(body.claim_id),
    await redeemer.call('POST', `/claims/${body.claim_id}/withdraw`),
  ])
    assert.deepEqual([again.status, again.body.code], [409, 'claim_waiting'])
  const waiting = (await two('GET', `/operator/claims/${body.claim_id}`)).body.adjustment
  assert.deepEqual([waiting.status, waiting.amount, waiting.reason], ['proposed', 20, goodwill(20).adjustment.reason])
  assert.doesNotMatch(waiting.proposed_by_name, /^(opr|acc)_/)
  const book = (call: Call) => call('POST', `/operator/adjustments/${adjustment_id}/book`)
  assert.equal((await book(one)).body.code, 'adjustment_proposed_by_you')
  assert.equal((await redeemer.balances('ada')).available, 0)
  assert.equal((await book(two)).status, 200)
  const granted = await seen(redeemer, body.claim_id)
  assert.deepEqual([granted.status, granted.adjustment_id, granted.version], ['granted', adjustment_id, 3])
  assert.equal((await redeemer.balances('ada')).available, 20)
})

test('an adjustment is booked and its claim granted atomically', async () => {
  const redeemer = await claimant({ adjustmentAloneMax: 0n })
  const { body } = await open(redeemer)
  const { adjustment_id } = (await grant(body.claim_id, goodwill(5))).body
  const decide = (verdict: string) => two('POST', `/operator/adjustments/${adjustment_id}/${verdict}`)
  await app.owner.transaction(
    (tx) => tx`alter table claims add constraint none_is_decided check (decided_at is null) not valid`,
  )
  assert.equal((await decide('book')).status, 500)
  await app.owner.transaction((tx) => tx`alter table claims drop constraint none_is_decided`)
  assert.equal((await redeemer.balances('ada')).available, 0)
  assert.equal((await seen(redeemer, body.claim_id)).status, 'open')
  assert.equal((await decide('book')).body.status, 'booked')
  assert.equal((await seen(redeemer, body.claim_id)).status, 'granted')
})

test('declining an adjustment reopens the claim, which another adjustment can then grant', async () => {
  const redeemer = await claimant({ adjustmentAloneMax: 1_000n })
  const { body } = await open(redeemer)
  const { adjustment_id } = (await grant(body.claim_id, goodwill(20))).body
  assert.equal((await two('POST', `/operator/adjustments/${adjustment_id}/decline`)).status, 200)
  const opened = await seen(redeemer, body.claim_id)
  assert.deepEqual([opened.status, opened.adjustment_id, opened.notes[0].author], ['open', null, 'laurel'])
  assert.equal((await grant(body.claim_id, goodwill(10))).body.status, 'granted')
  assert.equal((await redeemer.balances('ada')).available, 10)
})

test("a claim is declined at its deadline on the publisher's clock, unless an adjustment is pending", async () => {
  const redeemer = await claimant({ claimDays: 5, adjustmentAloneMax: 0n })
  const [late, waiting] = [await open(redeemer), await open(redeemer, { external_ref: 'ticket-2' })]
  const { adjustment_id } = (await grant(waiting.body.claim_id, goodwill(5))).body
  await redeemer.days(4)
  assert.equal((await seen(redeemer, late.body.claim_id)).status, 'open')
  await redeemer.days(1)
  const { status, reason, reason_text, decided_at } = await seen(redeemer, late.body.claim_id)
  assert.deepEqual([status, reason, reason_text], ['declined', 'deadline', null])
  assert(decided_at >= late.body.deadline)
  assert.equal((await seen(redeemer, waiting.body.claim_id)).status, 'open')
  const { body } = await support('GET', `/operator/claims/${late.body.claim_id}`)
  assert.equal(body.decided_by, 'laurel')
  await two('POST', `/operator/adjustments/${adjustment_id}/book`)
  await redeemer.days(1)
  assert.equal((await seen(redeemer, waiting.body.claim_id)).status, 'granted')
})

test('a publisher can keep claims open past their deadline', async () => {
  const redeemer = await claimant({ claimDays: 1, claimDefault: 'keep_open' })
  const { body } = await open(redeemer)
  await redeemer.days(40)
  assert.equal((await seen(redeemer, body.claim_id)).status, 'open')
  assert.equal((await decline(body.claim_id)).body.status, 'declined')
})

test('external_ref identifies one claim, and a conflicting reuse lists the differing fields', async () => {
  const redeemer = await claimant()
  const story = { brand_uid: 'brand-market', purchase_date: '2026-05-01', evidence: 'Receipt 17' }
  const [first, again] = [await open(redeemer, story), await open(redeemer, story)]
  assert.deepEqual(again.body, first.body)
  assert.equal((await seen(redeemer, first.body.claim_id)).notes.length, 1)
  for (const other of [{ amount: 51 }, { kind: 'other' }, { evidence: 'Receipt 18' }, { opened_by: 'publisher' }]) {
    const { status, body } = await open(redeemer, { ...story, ...other })
    assert.deepEqual([status, body.code, body.differing_fields], [409, 'claim_conflict', Object.keys(other)])
  }
  for (const [more, code] of [
    [{ publisher_user_id: 'nobody' }, 'user_not_found'],
    [{ brand_uid: 'no-brand' }, 'brand_unknown'],
    [{ offer_uid: 'no-offer' }, 'offer_unknown'],
    [{ amount: 1.005 }, 'invalid_input'],
    [{ kind: 'stolen' }, 'invalid_input'],
    [{ purchase_date: '2999-01-01' }, 'date_invalid'],
    [{ currency: 'JPY' }, 'currency_unknown'],
  ] as const)
    assert.equal((await open(redeemer, { external_ref: 'new', ...more })).body.code, code)
})

test('twenty concurrent requests open only one claim', async () => {
  const redeemer = await claimant()
  const answers = await Promise.all(Array.from({ length: 20 }, () => open(redeemer, { evidence: 'Receipt 17' })))
  assert.equal(new Set(answers.map(({ body }) => body.claim_id)).size, 1)
  assert.equal((await redeemer.call('GET', '/claims')).body.total_elements, 1)
})

test('twenty concurrent decisions decide a claim only once', async () => {
  const redeemer = await claimant()
  const { body } = await open(redeemer)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      nth % 2 === 0 ? grant(body.claim_id, goodwill(5)) : grant(body.claim_id, { event: GIFT_CARD }, two),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert(answers.every(({ status, body }) => status === 200 || body.code === 'claim_decided'))
  await redeemer.days(1)
  const { available } = await redeemer.balances('ada')
  const { adjustment_id } = await seen(redeemer, body.claim_id)
  assert.equal(available, adjustment_id === null ? 2 : 5)
})

test('an operator declines a claim with one of the listed reasons, and the publisher sees it', async () => {
  const redeemer = await claimant()
  const { body } = await open(redeemer)
  for (const reason of ['deadline', 'bad_mood'])
    assert.equal(
      (await support('POST', `/operator/claims/${body.claim_id}/decline`, { reason, text: 'x' })).status,
      400,
    )
  assert.equal((await decline(body.claim_id)).status, 200)
  const shown = await seen(redeemer, body.claim_id)
  assert.deepEqual([shown.status, shown.reason, shown.reason_text], ['declined', ...Object.values(NOT_FOUND)])
  assert.equal((await decline(body.claim_id)).body.code, 'claim_decided')
  assert.equal((await grant(body.claim_id, { event: GIFT_CARD })).body.code, 'claim_decided')
})

test('both sides can add notes until the claim is withdrawn, and withdrawing is idempotent', async () => {
  const redeemer = await claimant()
  const { body } = await open(redeemer, { opened_by: 'publisher' })
  const path = `/claims/${body.claim_id}`
  assert.equal((await redeemer.call('POST', `${path}/notes`, { author: 'user', text: 'Receipt 17' })).status, 200)
  assert.equal((await support('POST', `/operator${path}/notes`, { text: 'We have asked the shop.' })).status, 200)
  const { notes } = await seen(redeemer, body.claim_id)
  assert.deepEqual(
    notes.map((note: { author: string; text: string }) => [note.author, note.text]),
    [
      ['user', 'Receipt 17'],
      ['operator', 'We have asked the shop.'],
    ],
  )
  const { body: whole } = await support('GET', `/operator${path}`)
  assert.match(whole.notes[1].author, /^opr_/)
  assert.doesNotMatch(whole.notes[1].author_name, /^opr_/)
  const withdraw = () => redeemer.call('POST', `${path}/withdraw`)
  const withdrawn = (await withdraw()).body
  assert.deepEqual([withdrawn.status, withdrawn.version], ['withdrawn', 2])
  assert.deepEqual((await withdraw()).body, withdrawn)
  assert.equal((await redeemer.call('POST', `${path}/notes`, { text: 'late' })).body.code, 'claim_decided')
  assert.equal((await decline(body.claim_id)).body.code, 'claim_decided')
})

test('claim lists support filters and paging, and operators see the nearest deadline first', async () => {
  const [slow, fast] = [await claimant(), await claimant({ claimDays: 2 })]
  await slow.user('bob', 0)
  const [a, b] = [await open(slow), await open(slow, { publisher_user_id: 'bob', kind: 'other' })]
  const c = await open(fast)
  const ids = async (query: string) =>
    (await slow.call('GET', `/claims?${query}`)).body.content.map((claim: { claim_id: string }) => claim.claim_id)
  assert.deepEqual(await ids('sort=created_at'), [a.body.claim_id, b.body.claim_id])
  assert.deepEqual(await ids('size=1'), [b.body.claim_id])
  for (const [query, wanted] of [
    ['publisher_user_id=ada', [a.body.claim_id]],
    ['kind=other', [b.body.claim_id]],
    ['status=granted', []],
    ['end_date=2020-01-01', []],
    ['start_date=2020-01-01&status=open&kind=missing', [a.body.claim_id]],
  ] as const)
    assert.deepEqual(await ids(query), wanted, query)
  assert.equal((await slow.call('GET', '/claims?publisher_user_id=nobody')).status, 404)
  const { content } = (await support('GET', '/operator/claims?limit=500')).body
  const order = content.map((claim: { claim_id: string }) => claim.claim_id)
  assert(order.indexOf(c.body.claim_id) < order.indexOf(a.body.claim_id))
  const { publisher_id } = content.find((claim: { claim_id: string }) => claim.claim_id === a.body.claim_id)
  const ofAda = `publisher_id=${publisher_id}&publisher_user_id=ada&kind=missing&start_date=2020-01-01`
  const listed = (await support('GET', `/operator/claims?${ofAda}`)).body.content
  assert.deepEqual([listed.length, listed[0].claim_id], [1, a.body.claim_id])
  assert.equal((await support('GET', '/operator/claims?publisher_user_id=ada')).status, 400)
})

test("publishers cannot see each other's claims, and only operators with the right role can decide", async () => {
  const [redeemer, other, clerk] = [await claimant(), await claimant(), await app.staff('catalog')]
  const { body } = await open(redeemer)
  const path = `/claims/${body.claim_id}`
  for (const [method, address, content] of [
    ['GET', path],
    ['POST', `${path}/notes`, { text: 'x' }],
    ['POST', `${path}/withdraw`],
  ] as const)
    assert.equal((await other.call(method, address, content)).body.code, 'claim_not_found')
  assert.equal((await other.call('GET', '/claims')).body.total_elements, 0)
  for (const answer of [
    await clerk('GET', '/operator/claims'),
    await clerk('GET', `/operator${path}`),
    await grant(body.claim_id, goodwill(1), clerk),
    await decline(body.claim_id, clerk),
    await clerk('POST', `/operator${path}/notes`, { text: 'x' }),
  ])
    assert.equal(answer.status, 403)
  assert.equal((await grant(body.claim_id, {})).status, 400)
  assert.equal((await grant(body.claim_id, { event: GIFT_CARD, ...goodwill(1) })).status, 400)
  for (const unknown of ['clm_01kbjyt5v3f4nvj5yq5yfypr9v', 'nonsense'])
    for (const answer of [await decline(unknown), await grant(unknown, goodwill(1))])
      assert.equal(answer.body.code, 'claim_not_found')
  const reader = await app.tenant({ scopes: ['transactions:read'] })
  assert.equal((await reader.call('POST', '/claims', claimed)).status, 403)
})

test('an operator sees purchases, clicks and unmatched refunds around the day of the claim', async () => {
  const redeemer = await claimant()
  const { call, publisher } = redeemer
  const today = new Date().toISOString().slice(0, 10)
  const uid = await refusedPurchase(redeemer)
  await call('POST', '/transactions', { ...GIFT_CARD, publisher_user_id: 'ada' })
  const refund = {
    publisher_user_id: 'ada',
    external_id: 'back',
    kind: 'REFUND',
    merchant_descriptor: 'BLUE KETTLE 12',
  }
  await call('POST', '/transactions', { ...refund, amount: 7 })
  const userId = toUserId(publisher.id, 'ada')
  for (const [offerUid, daysAgo] of [
    ['offer-gadgets-link', 1],
    ['offer-gadgets-link', 40],
    ['offer-market', 1],
  ] as const) {
    const clickId = randomUUID()
    const clickedAt = new Date(Date.now() - daysAgo * 86_400_000)
    const click = { userId, clickId, subId: clickId.replaceAll('-', ''), offerUid, network: 'default', clickedAt }
    await app.service.db.transaction((tx) => insertClick(tx, publisher.id, click))
  }
  const readCandidates = async (more: object) => {
    const { body } = await open(redeemer, { purchase_date: today, ...more })
    return (await support('GET', `/operator/claims/${body.claim_id}`)).body.candidates
  }
  const atMarket = await readCandidates({ brand_uid: 'brand-market' })
  const uids = (rows: { transaction_uid: string }[]) => rows.map((row) => row.transaction_uid)
  assert(uids(atMarket.purchases).includes(uid))
  assert.equal(atMarket.purchases.filter((row: { brand_uid: string }) => row.brand_uid === 'brand-gadgets').length, 0)
  assert.deepEqual([atMarket.refunds.length, atMarket.refunds[0].amount], [1, 7])
  const atGadgets = await readCandidates({ offer_uid: 'offer-gadgets-link', external_ref: 'ticket-2' })
  assert(!uids(atGadgets.purchases).includes(uid))
  assert.deepEqual(
    atGadgets.clicks.map((click: { offer_uid: string; network: string }) => [click.offer_uid, click.network]),
    [['offer-gadgets-link', 'default']],
  )
  const anywhere = await readCandidates({ external_ref: 'ticket-3' })
  assert.equal(anywhere.clicks.length, 2)
  const longAgo = await readCandidates({ purchase_date: '2020-01-01', external_ref: 'ticket-4' })
  assert.deepEqual(longAgo, { purchases: [], clicks: [], refunds: [] })
})

test('the desk counts the work that awaits a person and links to every list', async () => {
  const desk = async () => {
    const { content } = (await support('GET', '/operator/desk')).body
    return new Map<string, { count: number; oldest_at: string | null; address: string }>(
      content.map((row: { what: string }) => [row.what, row]),
    )
  }
  const earlier = await desk()
  const redeemer = await claimant({ adjustmentAloneMax: 0n, redemptionReviewAbove: 0n })
  await redeemer.user('bob', 2)
  await redeemer.redeem('bob')
  const { body } = await open(redeemer)
  await grant(body.claim_id, goodwill(5))
  const back = { publisher_user_id: 'ada', external_id: 'back', kind: 'REFUND', merchant_descriptor: 'CRNR MKT 12' }
  await redeemer.call('POST', '/transactions', { ...back, amount: 7 })
  const later = await desk()
  for (const what of ['claims', 'adjustments', 'redemptions', 'unmatched_refunds'])
    assert.equal((later.get(what)?.count ?? 0) - (earlier.get(what)?.count ?? 0), 1, what)
  for (const [what, { address, count, oldest_at }] of later) {
    const listed = await app.operator('GET', address)
    assert.deepEqual([listed.status, count > 0], [200, listed.body.content.length > 0], what)
    assert.equal(oldest_at !== null, count > 0, what)
  }
})
