import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShelf, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { activateOffer, deactivateOffer, handOutCode, importCodes } from '../../../catalog/allowances/index.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'

// Neither late events nor changes to the offer in the meantime cost the user the reward or leave holds behind.
const { offersNow, offerWith, change } = openShelf()

const { db, world } = await openTestWorld('late_news', { connections: 6, offersNow })
const publisher = await world.publisher()

type Reported = {
  readonly id: string
  readonly amount: bigint
  readonly day: number
  readonly of?: string
  readonly code?: string
}

async function reportEvent(
  user: UserId,
  offer: Offer,
  kind: SourceEventInput['kind'],
  reported: Reported,
  now: number,
): Promise<void> {
  const event: SourceEventInput = {
    userId: user,
    source: offer.offerType === 'VOUCHER_CODE' ? 'VOUCHER' : 'CARD',
    kind,
    externalId: `${user} ${reported.id}`,
    originalExternalId: reported.of === undefined ? null : `${user} ${reported.of}`,
    amount: reported.amount,
    currency: 'USD',
    occurredAt: at(reported.day),
    dateOnly: false,
    facts: { brandUid: offer.brandUid, ...(reported.code === undefined ? {} : { voucherCode: reported.code }) },
  }
  await world.report(publisher, [event], at(now))
}

const at = (day: number): Date => new Date(START.getTime() + day * DAY_MS)
const newUser = async (): Promise<UserId> => (await world.user(publisher)).userId

async function shown(user: UserId): Promise<string[]> {
  const rows = await db.reader<{ text: string }[]>`
    select concat_ws(' ', status, status_reason, offer_uid, gross) as text from transactions where user_id = ${user}
    order by authorized_at, transaction_id`
  return rows.map((row) => row.text)
}

for (const [name, more] of Object.entries({
  'ends earlier': { endDate: '2026-01-09' },
  'requires a larger purchase': { minSpend: 20_000n },
  'must be activated': { conditions: { ...noConditions, activationRequired: true } },
  'is limited to stores elsewhere': { location: 'NY' },
} satisfies Record<string, Partial<Offer>>))
  test(`a late authorization keeps its reward even if the offer now ${name}`, async () => {
    const offer = offerWith({})
    const user = await newUser()
    await reportEvent(user, offer, 'CLEARING', { id: 'posted', amount: 10_000n, day: 1, of: 'hold' }, 1)
    change(offer, more)
    await reportEvent(user, offer, 'AUTHORIZATION', { id: 'hold', amount: 10_000n, day: 0 }, 2)
    assert.deepEqual(await shown(user), [`PENDING ${offer.offerUid} 1000`])
  })

test('a late clearing that the budget cannot pay does not use up a one-time offer', async () => {
  const offer = offerWith({ budgets: [{ period: 'LIFETIME', amount: 1_000n }] }, { oneTimeUse: true })
  const [user, other] = [await newUser(), await newUser()]
  await reportEvent(user, offer, 'AUTHORIZATION', { id: 'hold', amount: 10_000n, day: 0 }, 0)
  await world.fallDue(publisher, at(11))
  await reportEvent(other, offer, 'CLEARING', { id: 'faster', amount: 10_000n, day: 11 }, 11)
  await reportEvent(user, offer, 'CLEARING', { id: 'late', amount: 10_000n, day: 12, of: 'hold' }, 12)
  assert.deepEqual(await shown(user), ['CANCELLED budget_exhausted 0'])
  change(offer, { conditions: { ...noConditions, budgets: [{ period: 'LIFETIME', amount: 5_000n }] } })
  await reportEvent(user, offer, 'CLEARING', { id: 'next', amount: 10_000n, day: 13 }, 13)
  assert.deepEqual((await shown(user))[1], `PENDING ${offer.offerUid} 1000`)
  await reportEvent(user, offer, 'CLEARING', { id: 'more', amount: 100n, day: 14, of: 'hold' }, 14)
  assert.deepEqual(await shown(user), [`PENDING ${offer.offerUid} 1010`, 'CANCELLED offer_already_used 0'])
  assert.deepEqual(await world.differences([publisher]), [])
})

test('an offer can be reactivated at the very instant it was deactivated', async () => {
  const offer = offerWith({ activationRequired: true })
  const { userId, name } = await world.user(publisher)
  const assortment = await world.catalog.getAssortment(publisher)
  const named = { publisherUserId: name, offerUid: offer.offerUid }
  await db.transaction((tx) => activateOffer(tx, { assortment }, publisher, named, at(0)))
  await db.transaction((tx) => deactivateOffer(tx, { assortment }, publisher, named, at(0)))
  await db.transaction((tx) => activateOffer(tx, { assortment }, publisher, named, at(0)))
  await reportEvent(userId, offer, 'CLEARING', { id: 'bought', amount: 1_000n, day: 1 }, 1)
  assert.deepEqual(await shown(userId), [`PENDING ${offer.offerUid} 100`])
})

test('a purchase that turns out to have used another code frees the first code', async () => {
  const offer = offerWith({ uniqueCodes: true }, { offerType: 'VOUCHER_CODE' })
  const { userId, name } = await world.user(publisher)
  const assortment = await world.catalog.getAssortment(publisher)
  const { vault } = world
  const named = { publisherUserId: name, offerUid: offer.offerUid }
  const codes = ['ONE', 'TWO'].map((code) => ({ code, expiresOn: null }))
  await db.transaction((tx) =>
    importCodes(tx, vault, { offerUid: offer.offerUid, environment: 'sandbox' }, codes, START),
  )
  const ask = async () =>
    (await db.transaction((tx) => handOutCode(tx, { assortment, vault }, publisher, named, START))).code
  const first = await ask()
  await reportEvent(userId, offer, 'CLEARING', { id: 'a', amount: 1_000n, day: 1, of: 'hold', code: first }, 1)
  const second = await ask()
  assert.notEqual(first, second)
  await reportEvent(userId, offer, 'AUTHORIZATION', { id: 'hold', amount: 1_000n, day: 0, code: second }, 2)
  assert.equal(await ask(), first)
})
