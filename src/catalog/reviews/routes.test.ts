import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type Tenant, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { encodeId } from '../../platform/ids.ts'

// A merchant that resembles a brand waits for a person's answer. The answer applies to new purchases right away, and to
// earlier ones once they are re-matched.

let app: TestApp
let other: Tenant
let descriptor = ''

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  other = await app.tenant()
  for (const { call } of [app, other]) {
    await call('POST', '/users', { publisher_user_id: 'user-1' })
    await call('POST', '/terms/accept', { publisher_user_id: 'user-1', tnc_id: app.tncId })
  }
})
after(() => app.close())

let bought = 0
/** Reports a card purchase at a merchant. The publishers in this test track linked cards themselves. */
async function buy(tenant: Tenant, merchant_descriptor: string) {
  const { status, body } = await tenant.call('POST', '/transactions', {
    publisher_user_id: 'user-1',
    source: 'OTHER',
    external_id: `event-${bought++}`,
    kind: 'CLEARING',
    merchant_descriptor,
    amount: 40,
    currency: 'USD',
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const listOpen = async ({ call }: Tenant) => (await call('GET', '/reviews')).body.content

test('a doubtful purchase earns nothing, records why, and opens a review only for its own publisher', async () => {
  descriptor = await doubtful('ROASTING')
  const [first, second] = [await buy(app, `${descriptor} 12`), await buy(app, `${descriptor} 77`)]
  assert.deepEqual([first.status, first.status_reason, first.brand_uid], ['CANCELLED', 'unmatched', null])
  const { body: decision } = await app.call('GET', `/transactions/${first.transaction_uid}/decision`)
  const { band, reason, score, proposed_brand_uid, evidence } = decision.matching
  assert.deepEqual([band, reason, proposed_brand_uid], ['review', 'needs_review', 'brand-market'])
  assert(score >= 0.5 && score < 0.9)
  assert(evidence.length > 0)
  const [review] = await listOpen(app)
  assert.deepEqual([review.proposed_brand_uid, review.purchases], ['brand-market', 2])
  assert.deepEqual([review.proposed_brand_name, review.brand_name], ['Corner Market', null])
  assert.deepEqual(
    review.sample_transaction_uids.toSorted(),
    [first.transaction_uid, second.transaction_uid].toSorted(),
  )
  assert.deepEqual(await listOpen(other), [])
  const foreign = await other.call('POST', `/reviews/${review.review_uid}/decide`, {
    brand_uid: 'brand-market',
    scope: 'PUBLISHER',
  })
  assert.equal(foreign.body.code, 'review_not_found')
})

test('an answer applies to new purchases, and to earlier ones through an undoable re-match', async () => {
  const [review] = await listOpen(app)
  const path = `/reviews/${review.review_uid}/decide`
  const unknown = await app.call('POST', path, { brand_uid: 'brand-of-nobody', scope: 'PUBLISHER' })
  assert.equal(unknown.body.code, 'brand_not_found')
  const learnt = await app.call('POST', path, { brand_uid: null, scope: 'PUBLISHER', decided_by: 'Learnt' })
  assert.equal(learnt.body.code, 'decider_invalid')
  const answer = { brand_uid: 'brand-market', scope: 'PUBLISHER', decided_by: 'Ana' }
  const [one, twin] = await Promise.all([app.call('POST', path, answer), app.call('POST', path, answer)])
  assert.deepEqual([one.status, twin.status], [200, 200])
  assert.deepEqual([one.body.closed, twin.body.closed].toSorted(), [0, 1])
  const against = await app.call('POST', path, { ...answer, brand_uid: null })
  assert.deepEqual([against.status, against.body.code], [409, 'review_decided'])
  const [decided] = (await app.call('GET', '/reviews?status=DECIDED')).body.content
  assert.deepEqual([decided.decided_by, decided.brand_uid, decided.status], ['Ana', 'brand-market', 'DECIDED'])
  assert.equal(decided.brand_name, 'Corner Market')
  assert.deepEqual(await listOpen(app), [])

  // Other processes pick up the answer within a second. Until then, purchases match as before.
  await eventually(async () => (await buy(app, `${descriptor} 5`)).brand_uid === 'brand-market' || undefined)

  const earlier = decided.sample_transaction_uids[0]
  const asked = { publisher_id: encodeId('pub', app.publisher.id), ...one.body.rematch }
  const preview = await app.operator('POST', '/operator/rematches/preview', asked)
  assert.equal(preview.status, 200, JSON.stringify(preview.body))
  const change = preview.body.changes.find(
    ({ transaction_uid }: { transaction_uid: string }) => transaction_uid === earlier,
  )
  assert.deepEqual([change.before.status_reason, change.after.brand_uid], ['unmatched', 'brand-market'])
  const order = { ...asked, reason: 'It is ours', hash: preview.body.hash }
  const applied = await app.operator('POST', '/operator/rematches', order)
  assert.equal(applied.status, 200, JSON.stringify(applied.body))
  assert.deepEqual([applied.body.changed, applied.body.totals], [preview.body.changed, preview.body.totals])
  assert.equal((await app.call('GET', `/transactions/${earlier}`)).body.brand_uid, 'brand-market')
  const late = await app.operator('POST', '/operator/rematches', order)
  assert.deepEqual([late.status, late.body.code], [409, 'rematch_differs'])

  const undone = await app.operator('POST', `/operator/rematches/${applied.body.rematch_uid}/undo`)
  assert.deepEqual([undone.body.changed, undone.body.kept], [applied.body.changed, 0])
  assert.equal((await app.call('GET', `/transactions/${earlier}`)).body.brand_uid, null)
  const listed = await app.operator('GET', `/operator/rematches?publisher_id=${asked.publisher_id}`)
  assert.deepEqual(
    listed.body.content.map(({ undoes }: { undoes: string | null }) => undoes),
    [applied.body.rematch_uid, null],
  )
  const { body: audit } = await app.operator('GET', '/operator/audit?limit=5')
  const actions = audit.content.map(({ action }: { action: string }) => action)
  assert(actions.includes('rematch.applied') && actions.includes('rematch.undone'), actions.join())
})

test('every change made by a re-match emits a regular event', async () => {
  await eventually(async () => {
    const { body } = await app.call('GET', '/events?limit=100')
    const updates = body.content.filter(
      ({ type, previous }: { type: string; previous: { brand_uid?: unknown } | null }) =>
        type === 'transaction.updated' && previous !== null && 'brand_uid' in previous,
    )
    return updates.length > 0
  })
})

test('an answer for all publishers closes all their reviews and applies to all their purchases', async () => {
  descriptor = await doubtful('DENTAL')
  await buy(app, descriptor)
  await buy(other, descriptor)
  const { body: listed } = await app.operator('GET', '/operator/reviews?sort=-purchases')
  const alike = listed.content.filter((one: { template: string }) => /dental/.test(one.template))
  assert.equal(alike.length, 2)
  for (const one of alike) assert.deepEqual([one.publisher_name, one.proposed_brand_name], ['Test', 'Corner Market'])
  const path = `/operator/reviews/${alike[0].review_uid}/decide`
  const { body } = await app.operator('POST', path, { brand_uid: 'brand-market', scope: 'ALL' })
  assert.equal(body.closed, 2)
  for (const tenant of [app, other])
    await eventually(async () => (await buy(tenant, descriptor)).brand_uid === 'brand-market' || undefined)
})

test('an answer for all publishers can be previewed, and undoing it reopens each review exactly once', async () => {
  descriptor = await doubtful('FLORIST')
  await buy(app, descriptor)
  await buy(other, descriptor)
  await buy(other, descriptor)
  const [mine] = await listOpen(app)
  const path = `/operator/reviews/${mine.review_uid}`
  const { body: seen } = await app.operator('GET', path)
  assert.deepEqual(
    seen.alike.map((one: { purchases: number }) => one.purchases),
    [2, 1],
  )
  assert.equal((await app.operator('POST', `${path}/undo`)).body.code, 'review_not_undoable')
  await app.operator('POST', `${path}/decide`, { brand_uid: 'brand-market', scope: 'ALL' })
  const { body: answered } = await app.operator('GET', '/operator/reviews?status=DECIDED')
  const decided = answered.content.find((one: { review_uid: string }) => one.review_uid === mine.review_uid)
  assert.deepEqual([decided.is_for_all, decided.decided_by !== null, decided.decided_at !== null], [true, true, true])
  await eventually(async () => (await buy(app, descriptor)).brand_uid === 'brand-market' || undefined)

  const undone = await app.operator('POST', `${path}/undo`)
  assert.deepEqual([undone.status, undone.body.opened, undone.body.review.status], [200, 2, 'OPEN'])
  assert.equal((await listOpen(other)).length, 1)
  await eventually(async () => (await buy(app, descriptor)).brand_uid === null || undefined)
  assert.equal((await app.operator('POST', `${path}/undo`)).status, 409)
  const { body: log } = await app.operator('GET', `/operator/audit?subject=${mine.review_uid}`)
  assert.equal(log.content[0].action, 'review.undone')
  await app.operator('POST', `${path}/decide`, { brand_uid: null, scope: 'ALL' })
})

test('an answer for one publisher can be extended to all publishers once, but not changed', async () => {
  descriptor = await doubtful('LAUNDRY')
  await buy(app, descriptor)
  await buy(other, descriptor)
  const [mine] = await listOpen(app)
  const own = { brand_uid: 'brand-market', scope: 'PUBLISHER' }
  assert.equal((await app.call('POST', `/reviews/${mine.review_uid}/decide`, own)).body.closed, 1)
  const forAll = (brand_uid: string | null) =>
    app.operator('POST', `/operator/reviews/${mine.review_uid}/decide`, { brand_uid, scope: 'ALL' })
  assert.equal((await forAll(null)).body.code, 'review_decided')
  const closed = [(await forAll('brand-market')).body.closed, (await forAll('brand-market')).body.closed]
  assert.deepEqual(closed, [1, 0])
  assert.deepEqual(await listOpen(other), [])
  await eventually(async () => (await buy(other, descriptor)).brand_uid === 'brand-market' || undefined)
  const alive = await app.service.db.reader`
    select publisher_id from match_aliases where key = ${mine.template} and revoked_at is null order by 1 nulls first`
  assert.deepEqual(
    alive.map((one) => one['publisherId']),
    [null, app.publisher.id],
  )
})

test('undoing an answer extended to all publishers revokes it for all but those that gave it themselves', async () => {
  descriptor = await doubtful('PLUMBING')
  const third = await app.tenant()
  await third.call('POST', '/users', { publisher_user_id: 'user-1' })
  await third.call('POST', '/terms/accept', { publisher_user_id: 'user-1', tnc_id: app.tncId })
  const all = [app, third, other]
  for (const tenant of all) await buy(tenant, descriptor)
  const [mine, thirds] = [(await listOpen(app))[0], (await listOpen(third))[0]]
  const own = { brand_uid: 'brand-market', scope: 'PUBLISHER' }
  for (const [{ call }, { review_uid }] of [[app, mine] as const, [third, thirds] as const])
    assert.equal((await call('POST', `/reviews/${review_uid}/decide`, own)).body.closed, 1)
  const extend = () => app.operator('POST', `/operator/reviews/${mine.review_uid}/decide`, { ...own, scope: 'ALL' })
  const undo = (review: { review_uid: string }) => app.operator('POST', `/operator/reviews/${review.review_uid}/undo`)
  const buyForBrands = async () => {
    const bought = []
    for (const tenant of all) bought.push((await buy(tenant, descriptor)).brand_uid)
    return bought.join()
  }
  const become = (brands: string) => eventually(async () => (await buyForBrands()) === brands || undefined)

  // The third publisher gave its own answer, which stays.
  assert.equal((await extend()).body.closed, 1)
  await become('brand-market,brand-market,brand-market')
  const undone = await undo(mine)
  assert.deepEqual([undone.status, undone.body.opened, undone.body.review.status], [200, 2, 'OPEN'])
  await become(',brand-market,')
  assert.equal((await undo(mine)).body.code, 'review_not_undoable')

  // The answer for all matches the third publisher's own, so undoing the latter revokes both.
  assert.equal((await extend()).body.closed, 2)
  await become('brand-market,brand-market,brand-market')
  const undoneByThird = await undo(thirds)
  assert.deepEqual([undoneByThird.body.opened, undoneByThird.body.review.status], [3, 'OPEN'])
  await become(',,')
  const alive = await app.service.db.reader`
    select 1 from match_aliases where key = ${mine.template} and revoked_at is null`
  assert.equal(alive.length, 0)
})

test('answers are stamped with the real time, even in a sandbox whose clock was moved', async () => {
  const moved = await app.tenant()
  await moved.call('POST', '/users', { publisher_user_id: 'user-1' })
  await moved.call('POST', '/terms/accept', { publisher_user_id: 'user-1', tnc_id: app.tncId })
  assert.equal((await moved.call('POST', '/sandbox/clock', { advance_days: 450 })).status, 200)
  descriptor = await doubtful('BAKING')
  await buy(moved, descriptor)
  const [review] = await listOpen(moved)
  const answer = { brand_uid: 'brand-market', scope: 'PUBLISHER' }
  const { body } = await moved.call('POST', `/reviews/${review.review_uid}/decide`, answer)
  const tomorrow = Date.now() + 86_400_000
  assert(new Date(body.review.decided_at).getTime() < tomorrow, body.review.decided_at)
  const [alias] = await app.service.db
    .reader`select decided_at from match_aliases where publisher_id = ${moved.publisher.id}`
  assert(alias?.['decidedAt'].getTime() < tomorrow)
})

/** Returns the descriptor of a merchant that resembles Corner Market without matching it for certain. */
async function doubtful(word: string): Promise<string> {
  for (const text of [`CRNR MKT ${word}`, `CRNR MKT ${word} SUPPLY`, `CORNER MARKET ${word}`]) {
    const { body } = await app.call('POST', '/transactions/evaluate', {
      publisher_user_id: 'user-1',
      source: 'OTHER',
      external_id: 'never',
      kind: 'CLEARING',
      merchant_descriptor: text,
      amount: 40,
      currency: 'USD',
    })
    const { band, proposed_brand_uid } = body.decision.matching
    if (band === 'review' && proposed_brand_uid === 'brand-market') return text
  }
  throw new Error('no spelling of the market is in doubt')
}
