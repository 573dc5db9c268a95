import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, openShelf, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import {
  activateOffer,
  createOffersOfUser,
  deactivateOffer,
  handOutCode,
  importCodes,
} from '../../../catalog/allowances/index.ts'
import type { Offer, OfferConditions } from '../../../catalog/catalog/index.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'
import { evaluatePurchase } from '../intake/evaluate.ts'
import { listTransactionsById } from '../rewards/queries.ts'
import { getDecision } from '../trace/decision.ts'

const { offersNow, offerWith, change } = openShelf()

const { db, world } = await openTestWorld('limits', { connections: 16, offersNow })
const publisher = await world.publisher()

/** Changes the conditions of an offer in the catalog. */
function changed(offer: Offer, conditions: Partial<OfferConditions>): Offer {
  return change(offer, { conditions: { ...offer.conditions, ...conditions } })
}

type Reported = { readonly id: string; readonly amount: bigint; readonly day?: number; readonly of?: string }

function event(userId: UserId, offer: Offer, kind: SourceEventInput['kind'], reported: Reported): SourceEventInput {
  return {
    userId,
    source: offer.offerType === 'VOUCHER_CODE' ? 'VOUCHER' : 'CARD',
    kind,
    externalId: `${userId} ${reported.id}`,
    originalExternalId: reported.of === undefined ? null : `${userId} ${reported.of}`,
    amount: reported.amount,
    currency: 'USD',
    occurredAt: at(reported.day ?? 0),
    dateOnly: false,
    facts: { brandUid: offer.brandUid },
  }
}

const at = (day: number): Date => new Date(START.getTime() + day * DAY_MS)
const report = (events: readonly SourceEventInput[], day = 0): Promise<void> => world.report(publisher, events, at(day))
const newUser = async (): Promise<UserId> => (await world.user(publisher)).userId

/** Returns the commission of the purchase with this id, the reason if there is none, and the offer. */
async function readOutcome(userId: UserId, id: string): Promise<[bigint, string | null, string | null]> {
  const [row] = await db.reader<[{ gross: bigint; reason: string | null; offer: string | null }]>`
    select coalesce(sum(t.gross), 0)::int8 as gross, max(t.status_reason) filter (where t.adjusts is null) as reason, max(t.offer_uid) as offer
    from transactions t join source_events k on k.user_id = t.user_id and k.transaction_id = coalesce(t.adjusts, t.transaction_id)
    where k.user_id = ${userId} and k.external_id = ${`${userId} ${id}`}`
  return [row.gross, row.reason, row.offer]
}

type Decision = {
  readonly candidates: readonly { readonly offer_uid: string; readonly rules: readonly { readonly rule: string }[] }[]
  readonly arithmetic: object
}

async function readDecision(userId: UserId, id: string, now: Date): Promise<Decision> {
  const [key] = await db.reader<[{ id: TransactionId }]>`
    select transaction_id as id from source_events where user_id = ${userId} and external_id = ${`${userId} ${id}`}`
  const [row] = await listTransactionsById(db.reader, publisher.id, [key.id])
  assert(row !== undefined)
  return (await getDecision(db.reader, publisher, row, now)).trace as Decision
}

const booksAgree = async (): Promise<void> => assert.deepEqual(await world.differences([publisher]), [])

test('a purchase that a budget cannot pay in full gets the next best offer', async () => {
  const best = offerWith({ budgets: [{ period: 'DAY', amount: 1_500n }] })
  const next = offerWith({}, { brandUid: best.brandUid, groups: [group(50_000, null)] })
  const user = await newUser()
  await report([event(user, best, 'CLEARING', { id: 'one', amount: 10_000n })])
  await report([event(user, best, 'CLEARING', { id: 'two', amount: 10_000n })])
  await report([event(user, best, 'CLEARING', { id: 'three', amount: 5_000n })])
  assert.deepEqual(await readOutcome(user, 'one'), [1_000n, null, best.offerUid])
  assert.deepEqual(await readOutcome(user, 'two'), [500n, null, next.offerUid])
  assert.deepEqual(await readOutcome(user, 'three'), [500n, null, best.offerUid])
  const { candidates } = await readDecision(user, 'two', START)
  const rules = candidates
    .filter((one) => one.offer_uid === best.offerUid)
    .flatMap((one) => one.rules.filter(({ rule }) => rule === 'budget'))
  assert.deepEqual(rules, [{ rule: 'budget', value: '10.00', bound: 'at most what is left', passed: false }])
  await booksAgree()
})

test('a clawback returns its commission once, to the budget period it was taken from', async () => {
  const offer = offerWith({ budgets: [{ period: 'DAY', amount: 1_000n }] })
  const user = await newUser()
  await report([event(user, offer, 'CLEARING', { id: 'first day', amount: 10_000n })])
  await report([event(user, offer, 'CLEARING', { id: 'next day', amount: 10_000n, day: 1 })], 1)
  const back = event(user, offer, 'REFUND', { id: 'back', amount: 4_000n, day: 1, of: 'first day' })
  await report([back], 1)
  await report([back], 1)
  await report([event(user, offer, 'CLEARING', { id: 'late', amount: 5_000n })], 1)
  await report([event(user, offer, 'CLEARING', { id: 'fits', amount: 4_000n })], 1)
  await report([event(user, offer, 'CLEARING', { id: 'full', amount: 10n, day: 1 })], 1)
  assert.deepEqual((await readOutcome(user, 'first day')).slice(0, 2), [600n, null])
  assert.deepEqual((await readOutcome(user, 'late')).slice(0, 2), [0n, 'budget_exhausted'])
  assert.deepEqual((await readOutcome(user, 'fits')).slice(0, 2), [400n, null])
  assert.deepEqual((await readOutcome(user, 'full')).slice(0, 2), [0n, 'budget_exhausted'])
  await booksAgree()
})

for (const { title, undo } of [
  { title: 'a full refund after it matured', undo: 'refund' },
  { title: 'a reversal', undo: 'reverse' },
  { title: 'an authorization that no clearing followed', undo: 'lapse' },
] as const) {
  test(`${title} frees the budget`, async () => {
    const offer = offerWith({ budgets: [{ period: 'LIFETIME', amount: 1_000n }] })
    const user = await newUser()
    const kind = undo === 'lapse' ? 'AUTHORIZATION' : 'CLEARING'
    await report([event(user, offer, kind, { id: 'holds', amount: 10_000n })])
    await report([event(user, offer, 'CLEARING', { id: 'refused', amount: 10_000n, day: 1 })], 1)
    await world.fallDue(publisher, at(30))
    if (undo !== 'lapse') {
      const taking = undo === 'refund' ? 'REFUND' : 'REVERSAL'
      await report([event(user, offer, taking, { id: 'undone', amount: 10_000n, day: 30, of: 'holds' })], 30)
    }
    await report([event(user, offer, 'CLEARING', { id: 'after', amount: 10_000n, day: 30 })], 30)
    assert.deepEqual((await readOutcome(user, 'refused')).slice(0, 2), [0n, 'budget_exhausted'])
    assert.equal((await readOutcome(user, 'holds'))[0], 0n)
    assert.deepEqual((await readOutcome(user, 'after')).slice(0, 2), [1_000n, null])
    await booksAgree()
  })
}

test('a growing reward stops at its budget with a reason, and grows again when the budget is raised', async () => {
  const offer = offerWith({ budgets: [{ period: 'MONTH', amount: 1_200n }] })
  const user = await newUser()
  await report([event(user, offer, 'CLEARING', { id: 'grows', amount: 10_000n })])
  await report([event(user, offer, 'CLEARING', { id: 'more', amount: 10_000n, of: 'grows', day: 1 })], 1)
  assert.equal((await readOutcome(user, 'grows'))[0], 1_200n)
  const { arithmetic } = await readDecision(user, 'grows', at(1))
  assert.partialDeepStrictEqual(arithmetic, {
    gross: '20.00',
    limited_by: 'budget_left',
    limited_to: '12.00',
    user_reward: '8.40',
  })
  await booksAgree()
  changed(offer, { budgets: [{ period: 'MONTH', amount: 5_000n }] })
  await report([event(user, offer, 'CLEARING', { id: 'most', amount: 1_000n, of: 'grows', day: 2 })], 2)
  assert.equal((await readOutcome(user, 'grows'))[0], 2_100n)
  await booksAgree()
})

test('a budget lowered below its spending claws nothing back and pays nothing new', async () => {
  const offer = offerWith({ budgets: [{ period: 'LIFETIME', amount: 100_000n }] })
  const users = await Promise.all(Array.from({ length: 12 }, newUser))
  for (const user of users) await report([event(user, offer, 'CLEARING', { id: 'before', amount: 10_000n })])
  const lowered = changed(offer, { budgets: [{ period: 'LIFETIME', amount: 11_500n }] })
  const [one, two] = users as [UserId, UserId]
  await report([event(one, lowered, 'CLEARING', { id: 'new', amount: 1_000n })])
  assert.deepEqual((await readOutcome(one, 'new')).slice(0, 2), [0n, 'budget_exhausted'])
  assert.equal((await readOutcome(one, 'before'))[0], 1_000n)
  // 120.00 of 115.00 is spent. Giving back 3.00 frees nothing, and giving back another 4.00 frees 2.00.
  await report([event(one, lowered, 'REFUND', { id: 'back', amount: 3_000n, of: 'before' })])
  await report([event(two, lowered, 'CLEARING', { id: 'still none', amount: 1_000n })])
  assert.deepEqual((await readOutcome(two, 'still none')).slice(0, 2), [0n, 'budget_exhausted'])
  await report([event(two, lowered, 'REFUND', { id: 'back', amount: 4_000n, of: 'before' })])
  await report([event(two, lowered, 'CLEARING', { id: 'too much', amount: 2_010n })])
  await report([event(two, lowered, 'CLEARING', { id: 'fits', amount: 2_000n })])
  assert.deepEqual((await readOutcome(two, 'too much')).slice(0, 2), [0n, 'budget_exhausted'])
  assert.deepEqual((await readOutcome(two, 'fits')).slice(0, 2), [200n, null])
  await booksAgree()
})

test('after a full refund, a clearing that the budget cannot pay earns nothing, with a reason', async () => {
  const offer = offerWith({ budgets: [{ period: 'LIFETIME', amount: 1_000n }] })
  const [early, late] = [await newUser(), await newUser()]
  await report([event(early, offer, 'CLEARING', { id: 'a', amount: 10_000n })])
  await world.fallDue(publisher, at(40))
  await report([event(early, offer, 'REFUND', { id: 'back', amount: 10_000n, day: 40, of: 'a' })], 40)
  await report([event(late, offer, 'CLEARING', { id: 'b', amount: 10_000n, day: 41 })], 41)
  await report([event(early, offer, 'CLEARING', { id: 'again', amount: 5_000n, day: 42, of: 'a' })], 42)
  assert.equal((await readOutcome(early, 'a'))[0], 0n)
  const adjustments = await db.reader`
    select amount, gross, status, status_reason from transactions
    where user_id = ${early} and adjusts is not null order by created_at`
  assert.deepEqual(
    [...adjustments],
    [
      { amount: -10_000n, gross: -1_000n, status: 'EARNED', statusReason: 'refunded' },
      { amount: 5_000n, gross: 0n, status: 'EARNED', statusReason: 'budget_exhausted' },
    ],
  )
  await booksAgree()
})

test('a reward from before a budget does not count toward it, but its later growth does', async () => {
  const offer = offerWith({})
  const user = await newUser()
  await report([event(user, offer, 'CLEARING', { id: 'old', amount: 10_000n })])
  const now = changed(offer, { budgets: [{ period: 'LIFETIME', amount: 700n }] })
  await report([event(user, now, 'CLEARING', { id: 'more', amount: 5_000n, of: 'old', day: 1 })], 1)
  assert.equal((await readOutcome(user, 'old'))[0], 1_500n)
  await report([event(user, now, 'CLEARING', { id: 'other', amount: 2_010n, day: 1 })], 1)
  await report([event(user, now, 'CLEARING', { id: 'fits', amount: 2_000n, day: 1 })], 1)
  assert.deepEqual((await readOutcome(user, 'other')).slice(0, 2), [0n, 'budget_exhausted'])
  assert.deepEqual((await readOutcome(user, 'fits')).slice(0, 2), [200n, null])
  await booksAgree()
})

test("a weekly limit on uses follows the publisher's calendar, and a full reversal frees a use", async () => {
  const offer = offerWith({ userLimits: [{ period: 'WEEK', uses: 2, reward: null }] })
  const user = await newUser()
  // January 10, 2026 is a Saturday, so the week ends the next day.
  await report([event(user, offer, 'CLEARING', { id: 'sat', amount: 1_000n, day: 0 })])
  await report([event(user, offer, 'CLEARING', { id: 'sun', amount: 1_000n, day: 1 })], 1)
  await report([event(user, offer, 'CLEARING', { id: 'third', amount: 1_000n, day: 1.1 })], 1.1)
  await report([event(user, offer, 'CLEARING', { id: 'mon', amount: 1_000n, day: 2 })], 2)
  assert.deepEqual((await readOutcome(user, 'third')).slice(0, 2), [0n, 'user_limit_reached'])
  assert.deepEqual((await readOutcome(user, 'mon')).slice(0, 2), [100n, null])
  await report([event(user, offer, 'REVERSAL', { id: 'undo', amount: 1_000n, day: 2, of: 'sat' })], 2)
  await report([event(user, offer, 'CLEARING', { id: 'in its place', amount: 1_000n, day: 1.2 })], 2)
  assert.deepEqual((await readOutcome(user, 'third')).slice(0, 2), [100n, null])
  assert.deepEqual((await readOutcome(user, 'in its place')).slice(0, 2), [0n, 'user_limit_reached'])
  // The restored purchase was made first.
  await report([event(user, offer, 'CLEARING', { id: 'sat again', amount: 1_000n, day: 2, of: 'sat' })], 2)
  assert.deepEqual((await readOutcome(user, 'sat')).slice(0, 2), [100n, null])
  assert.deepEqual((await readOutcome(user, 'sun')).slice(0, 2), [100n, null])
  assert.deepEqual((await readOutcome(user, 'third')).slice(0, 2), [0n, 'user_limit_reached'])
  await booksAgree()
})

test('a reward is reduced to what is left of its limit, and is zero once the limit is used up', async () => {
  const offer = offerWith({ userLimits: [{ period: 'MONTH', uses: null, reward: 1_000n }] })
  const user = await newUser()
  // The user's part of 100.00 is 7.00.
  await report([event(user, offer, 'CLEARING', { id: 'one', amount: 10_000n })])
  await report([event(user, offer, 'CLEARING', { id: 'two', amount: 10_000n, day: 0.1 })])
  await report([event(user, offer, 'CLEARING', { id: 'three', amount: 10_000n, day: 0.2 })])
  const rewards = await db.reader<{ reward: bigint }[]>`
    select user_amount as reward from transactions where user_id = ${user} order by transaction_id`
  assert.deepEqual(
    rewards.map((row) => row.reward),
    [700n, 300n, 0n],
  )
  assert.equal((await readOutcome(user, 'three'))[1], 'user_limit_reached')
  assert.partialDeepStrictEqual((await readDecision(user, 'two', START)).arithmetic, {
    gross: '10.00',
    limited_by: 'user_limit',
    user_reward: '3.00',
  })
  await booksAgree()
})

test('in a batch, purchases count against a limit in chronological order, regardless of batch order', async () => {
  const offer = offerWith({ userLimits: [{ period: 'DAY', uses: 2, reward: null }] })
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]
  for (const order of orders) {
    const user = await newUser()
    const made = ['a', 'b', 'c'].map((id, index) => ({
      ...event(user, offer, 'CLEARING', { id, amount: BigInt(1_000 * (index + 1)) }),
      occurredAt: new Date(START.getTime() + index * 1_000),
    }))
    await report(order.map((index) => made[index] as SourceEventInput))
    const earned = await Promise.all(['a', 'b', 'c'].map(async (id) => (await readOutcome(user, id))[0]))
    assert.deepEqual(earned, [100n, 200n, 0n], order.join())
  }
})

test('twenty concurrent purchases by one user stay within a limit and use a one-time offer once', async () => {
  const limited = offerWith({
    userLimits: [
      { period: 'DAY', uses: 3, reward: null },
      { period: 'LIFETIME', uses: null, reward: 175n },
    ],
  })
  const once = offerWith({}, { oneTimeUse: true })
  const user = await newUser()
  const purchases = Array.from({ length: 20 }, (_, index) => [
    event(user, limited, 'CLEARING', { id: `limited ${index}`, amount: 1_000n }),
    event(user, once, 'CLEARING', { id: `once ${index}`, amount: 1_000n }),
  ])
  await Promise.all(purchases.flat().map((one) => report([one])))
  const [sums] = await db.reader<[{ limited: bigint; uses: number; once: number }]>`
    select sum(user_amount) filter (where brand_uid = ${limited.brandUid}) as limited,
      count(*) filter (where brand_uid = ${limited.brandUid} and user_amount > 0)::int as uses,
      count(*) filter (where brand_uid = ${once.brandUid} and user_amount > 0)::int as once
    from transactions where user_id = ${user}`
  assert.deepEqual([Number(sums.limited), sums.uses, sums.once], [175, 3, 1])
  await booksAgree()
})

test('an offer that requires activation applies only while it is activated', async () => {
  const offer = offerWith({ activationRequired: true })
  const { userId, name } = await world.user(publisher)
  const assortment = await world.catalog.getAssortment(publisher)
  const named = { publisherUserId: name, offerUid: offer.offerUid }
  const buy = (id: string, day: number) => report([event(userId, offer, 'CLEARING', { id, amount: 1_000n, day })], 9)
  await report([event(userId, offer, 'CLEARING', { id: 'too early', amount: 1_000n, day: 1 })], 1)
  const first = await db.transaction((tx) => activateOffer(tx, { assortment }, publisher, named, at(2)))
  const again = await db.transaction((tx) => activateOffer(tx, { assortment }, publisher, named, at(3)))
  assert.deepEqual([first, again], [at(2), at(2)])
  await db.transaction((tx) => deactivateOffer(tx, { assortment }, publisher, named, at(5)))
  await db.transaction((tx) => deactivateOffer(tx, { assortment }, publisher, named, at(6)))
  await buy('before', 1.9)
  await buy('at once', 2)
  await buy('within', 4)
  await buy('put off', 5)
  const outcomes = await Promise.all(
    ['too early', 'before', 'at once', 'within', 'put off'].map(async (id) => (await readOutcome(userId, id))[1]),
  )
  assert.deepEqual(outcomes, ['not_activated', 'not_activated', null, null, 'not_activated'])
})

test('each pool code goes to one user, who gets the same code until it is used, even concurrently', async () => {
  const offer = offerWith({ uniqueCodes: true }, { offerType: 'VOUCHER_CODE' })
  const assortment = await world.catalog.getAssortment(publisher)
  const { vault } = world
  const codes = Array.from({ length: 12 }, (_, index) => ({ code: `Code-${index}`, expiresOn: null }))
  const dups = await db.transaction((tx) =>
    importCodes(
      tx,
      vault,
      { offerUid: offer.offerUid, environment: 'sandbox' },
      [...codes, { code: ' code-3 ', expiresOn: null }],
      START,
    ),
  )
  assert.deepEqual(dups, [12])
  const users = await Promise.all(Array.from({ length: 15 }, () => world.user(publisher)))
  const ask = (name: string) =>
    db
      .transaction((tx) =>
        handOutCode(tx, { assortment, vault }, publisher, { publisherUserId: name, offerUid: offer.offerUid }, START),
      )
      .then(({ code }) => code)
      .catch((error: { code?: string }) => {
        if (error.code === 'codes_exhausted') return null
        throw error
      })
  const given = await Promise.all(users.map(({ name }) => Promise.all([ask(name), ask(name), ask(name)])))
  for (const [one, ...others] of given) for (const other of others) assert.equal(other, one)
  const handedOut = given.flatMap(([code]) => code ?? [])
  assert.deepEqual(handedOut.toSorted(), codes.map(({ code }) => code).toSorted())
  assert.equal(given.filter(([code]) => code === null).length, 3)

  const lucky = users.filter((_, index) => given[index]?.[0] != null)
  const [one, two] = lucky as [(typeof users)[number], (typeof users)[number]]
  const getCode = (user: (typeof users)[number]): string => given[users.indexOf(user)]?.[0] ?? ''
  const use = (user: typeof one, id: string, voucherCode: string, day = 0) =>
    report([{ ...event(user.userId, offer, 'CLEARING', { id, amount: 1_000n, day }), facts: { voucherCode } }])
  // A code identifies its offer. Codes are not case-sensitive.
  await use(one, 'own', getCode(one).toLowerCase())
  await use(one, 'again', getCode(one), 0.1)
  await use(two, 'stolen', getCode(one))
  assert.deepEqual(await readOutcome(one.userId, 'own'), [100n, null, offer.offerUid])
  assert.deepEqual((await readOutcome(one.userId, 'again')).slice(0, 2), [0n, 'voucher_code_used'])
  assert.deepEqual((await readOutcome(two.userId, 'stolen')).slice(0, 2), [0n, 'voucher_code_mismatch'])
  await report([event(one.userId, offer, 'REVERSAL', { id: 'undo', amount: 1_000n, of: 'own' })])
  assert.deepEqual(
    (await readOutcome(one.userId, 'again')).slice(0, 2),
    [100n, null],
    'the freed code is used by the next',
  )
  await report([event(one.userId, offer, 'REVERSAL', { id: 'undo again', amount: 1_000n, of: 'again' })])
  assert.equal(await ask(one.name), getCode(one), 'what was reversed is not used')
  await use(one, 'once more', getCode(one), 0.2)
  assert.deepEqual((await readOutcome(one.userId, 'once more')).slice(0, 2), [100n, null])
  const kept = await db.reader`select facts from source_events union all select trace::jsonb from decisions`
  assert.doesNotMatch(JSON.stringify(kept), new RegExp(getCode(one), 'i'), 'a code was kept in the clear')
  await booksAgree()
})

test('an offer with an empty pool is listed only for users with a code', async () => {
  const offer = offerWith({ uniqueCodes: true }, { offerType: 'VOUCHER_CODE' })
  const assortment = await world.catalog.getAssortment(publisher)
  const { vault } = world
  const [one, two] = [await world.user(publisher), await world.user(publisher)]
  const isListed = async (who: UserId): Promise<boolean> =>
    !(await createOffersOfUser()(db.reader, publisher, who, assortment, START)).usedUp.has(offer.offerUid)
  const bothListed = async () => [await isListed(one.userId), await isListed(two.userId)]
  const fill = (code: string, environment: 'sandbox' | 'production') =>
    db.transaction((tx) =>
      importCodes(tx, vault, { offerUid: offer.offerUid, environment }, [{ code, expiresOn: null }], START),
    )
  assert.deepEqual(await bothListed(), [false, false])
  await fill('REAL', 'production')
  assert.deepEqual(await bothListed(), [false, false], 'codes of production are none here')
  await fill('PLAY', 'sandbox')
  assert.deepEqual(await bothListed(), [true, true])
  const named = { publisherUserId: one.name, offerUid: offer.offerUid }
  const { code } = await db.transaction((tx) => handOutCode(tx, { assortment, vault }, publisher, named, START))
  assert.equal(code, 'PLAY')
  assert.deepEqual(await bothListed(), [true, false])
  await report([
    { ...event(one.userId, offer, 'CLEARING', { id: 'use', amount: 1_000n }), facts: { voucherCode: 'PLAY' } },
  ])
  assert.deepEqual(await bothListed(), [false, false], 'the code is used')
})

test('a code is valid through its last day', async () => {
  const offer = offerWith({ uniqueCodes: true }, { offerType: 'VOUCHER_CODE' })
  const assortment = await world.catalog.getAssortment(publisher)
  const { vault } = world
  const { userId, name } = await world.user(publisher)
  const codes = [
    { code: 'ENDED', expiresOn: '2026-01-09' },
    { code: 'ENDS', expiresOn: '2026-01-11' },
    { code: 'LASTS', expiresOn: null },
  ]
  await db.transaction((tx) =>
    importCodes(tx, vault, { offerUid: offer.offerUid, environment: 'sandbox' }, codes, START),
  )
  const ask = (day: number) =>
    db.transaction((tx) =>
      handOutCode(tx, { assortment, vault }, publisher, { publisherUserId: name, offerUid: offer.offerUid }, at(day)),
    )
  assert.deepEqual(await ask(0), { code: 'ENDS', expiresOn: '2026-01-11' })
  const use = (id: string, voucherCode: string, day: number) =>
    report([{ ...event(userId, offer, 'CLEARING', { id, amount: 1_000n, day }), facts: { voucherCode } }], 5)
  await use('late', 'ENDS', 2)
  assert.equal((await readOutcome(userId, 'late'))[1], 'voucher_code_mismatch')
  await use('in time', 'ENDS', 1)
  assert.deepEqual((await readOutcome(userId, 'in time')).slice(0, 2), [100n, null])
  assert.deepEqual(await ask(2), { code: 'LASTS', expiresOn: null })
})

test('evaluate shows what a purchase would earn without taking any allowance', async () => {
  const offer = offerWith({
    budgets: [{ period: 'DAY', amount: 1_500n }],
    userLimits: [{ period: 'MONTH', uses: 3, reward: 800n }],
  })
  const user = await newUser()
  for (const [index, amount] of [10_000n, 10_000n, 1_000n, 100n].entries()) {
    const purchase = event(user, offer, 'CLEARING', { id: `${index}`, amount })
    const evaluate = () => evaluatePurchase(db.reader, world, publisher, purchase, START)
    const reported = [await evaluate(), await evaluate()]
    await report([purchase])
    const [row] = await db.reader<[{ reward: number; reason: string | null }]>`
      select (user_amount::float8 / 100) as reward, status_reason as reason from transactions t
      join source_events k using (user_id, transaction_id)
      where k.user_id = ${user} and k.external_id = ${purchase.externalId}`
    for (const { trace } of reported)
      assert.deepEqual([trace.user_reward, trace.status_reason], [row.reward, row.reason])
  }
  await booksAgree()
})

test('evaluate shows the same arithmetic as the decision when an authorization has lapsed', async () => {
  const [user, offer] = [await newUser(), offerWith({ userLimits: [{ period: 'DAY', uses: null, reward: 200n }] })]
  const hold = event(user, offer, 'AUTHORIZATION', { id: 'hold', amount: 10_000n })
  const { trace } = await evaluatePurchase(db.reader, world, publisher, hold, at(20))
  await report([hold], 20)
  assert.deepEqual((await readDecision(user, 'hold', at(20))).arithmetic, trace.arithmetic)
})

test('offers are listed as used up once their use, limit or budget is spent', async () => {
  const once = offerWith({}, { oneTimeUse: true })
  const limited = offerWith({ userLimits: [{ period: 'DAY', uses: 1, reward: null }] })
  const spent = offerWith({ budgets: [{ period: 'DAY', amount: 100n }] })
  const short = offerWith({ budgets: [{ period: 'DAY', amount: 700n }] }, { groups: [group(null, 400n)] })
  const free = offerWith({ budgets: [{ period: 'DAY', amount: 900n }], activationRequired: true })
  const { userId, name } = await world.user(publisher)
  const other = await newUser()
  const assortment = await world.catalog.getAssortment(publisher)
  const mine = new Set([once, limited, spent, short, free].map((offer) => offer.offerUid))
  const reported = async (who: UserId, day: number) => {
    const { usedUp, activated } = await createOffersOfUser()(db.reader, publisher, who, assortment, at(day))
    return { usedUp: [...usedUp].filter((uid) => mine.has(uid)).toSorted(), activated: [...activated] }
  }
  assert.deepEqual(await reported(userId, 0), { usedUp: [], activated: [] })
  const named = { publisherUserId: name, offerUid: free.offerUid }
  await db.transaction((tx) => activateOffer(tx, { assortment }, publisher, named, START))
  for (const offer of [once, limited, spent, short, free])
    await report([event(userId, offer, 'CLEARING', { id: offer.offerUid, amount: 1_000n })])
  const everybody = [spent.offerUid, short.offerUid].toSorted()
  assert.deepEqual(await reported(userId, 0), {
    usedUp: [once.offerUid, limited.offerUid, ...everybody].toSorted(),
    activated: [free.offerUid],
  })
  assert.deepEqual(await reported(other, 0), { usedUp: everybody, activated: [] })
  assert.deepEqual(await reported(userId, 1), { usedUp: [once.offerUid], activated: [free.offerUid] })
  await report([event(userId, once, 'REVERSAL', { id: 'undone', amount: 1_000n, of: once.offerUid, day: 1 })], 1)
  assert.deepEqual((await reported(userId, 1)).usedUp, [])
})
