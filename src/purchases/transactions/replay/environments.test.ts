import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, offerBase, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { createOffersOfUser, handOutCode, importCodes, listBudgetsOnDay } from '../../../catalog/allowances/index.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import type { UserId } from '../../../platform/ids.ts'
import { changeSettings, createPublisher, type Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEventInput } from '../event.ts'

// Sandboxes must not affect production.
const budgeted: Offer = {
  ...offerBase,
  offerUid: 'off_budgeted',
  brandUid: 'budgeted',
  rewardType: 'CASHBACK_DOLLAR',
  groups: [group(null, 1_000n)],
  refundPeriodDays: 10,
  ordinal: 1,
  conditions: { ...noConditions, budgets: [{ period: 'LIFETIME', amount: 1_500n }] },
}
const pooled: Offer = {
  ...budgeted,
  offerUid: 'off_pooled',
  brandUid: 'pooled',
  offerType: 'VOUCHER_CODE',
  ordinal: 2,
  conditions: { ...noConditions, uniqueCodes: true },
}

const { db, world } = await openTestWorld('environments', { offersNow: () => [budgeted, pooled] })
const sandbox = await world.publisher()
const otherSandbox = await world.publisher()
const live = await db.transaction(async (tx) => {
  const { id } = await createPublisher(tx, { name: 'Live', environment: 'production' }, START)
  return changeSettings(tx, id, { ownCardFeed: true })
})

function purchase(userId: UserId, offer: Offer, id: string, more: Partial<SourceEventInput> = {}): SourceEventInput {
  return {
    userId,
    source: 'CARD',
    kind: 'CLEARING',
    externalId: id,
    originalExternalId: null,
    amount: 5_000n,
    currency: 'USD',
    occurredAt: START,
    dateOnly: false,
    facts: { brandUid: offer.brandUid },
    ...more,
  }
}

async function readOutcome(id: string): Promise<[bigint, string | null]> {
  const [row] = await db.reader<[{ gross: bigint; reason: string | null }]>`
    select sum(t.gross)::int8 as gross, max(t.status_reason) filter (where t.adjusts is null) as reason
    from transactions t join source_events k on k.user_id = t.user_id and k.transaction_id = coalesce(t.adjusts, t.transaction_id)
    where k.external_id = ${id}`
  return [row.gross, row.reason]
}

const booksAgree = async (): Promise<void> =>
  assert.deepEqual(await world.differences([sandbox, otherSandbox, live]), [])

test('a sandbox purchase spends a budget shared by all sandboxes, not the production budget', async () => {
  const [played, again, real] = [await world.user(sandbox), await world.user(otherSandbox), await world.user(live)]
  const isListed = async (publisher: Publisher, userId: UserId): Promise<boolean> => {
    const assortment = await world.catalog.getAssortment(publisher)
    return !(await listing(db.reader, publisher, userId, assortment, START)).usedUp.has(budgeted.offerUid)
  }
  const listing = createOffersOfUser()
  const bought = purchase(played.userId, budgeted, 'played')
  await world.report(sandbox, [bought], START)
  await world.report(otherSandbox, [purchase(again.userId, budgeted, 'again')], START)
  assert.deepEqual(await readOutcome('played'), [1_000n, null])
  assert.deepEqual(await readOutcome('again'), [0n, 'budget_exhausted'])
  assert.deepEqual([await isListed(sandbox, played.userId), await isListed(live, real.userId)], [false, true])
  await world.report(live, [purchase(real.userId, budgeted, 'real')], START)
  assert.deepEqual(await readOutcome('real'), [1_000n, null])
  await booksAgree()
  const back = { kind: 'REFUND', originalExternalId: 'played' } as const
  await world.report(sandbox, [purchase(played.userId, budgeted, 'back', back)], START)
  await booksAgree()
  const states = await listBudgetsOnDay(db.reader, '2030-01-01')
  assert.deepEqual(
    states.map(({ environment, unspent }) => [environment, unspent]),
    [
      ['production', 500n],
      ['sandbox', 1_500n],
    ],
  )
})

test('a sandbox user never gets a production code and cannot use one', async () => {
  const [played, real] = [await world.user(sandbox), await world.user(live)]
  const { vault } = world
  const fill = (environment: 'sandbox' | 'production', code: string) =>
    db.transaction((tx) =>
      importCodes(tx, vault, { offerUid: pooled.offerUid, environment }, [{ code, expiresOn: null }], START),
    )
  const ask = async (publisher: Publisher, publisherUserId: string): Promise<string> => {
    const assortment = await world.catalog.getAssortment(publisher)
    const named = { publisherUserId, offerUid: pooled.offerUid }
    return (await db.transaction((tx) => handOutCode(tx, { assortment, vault }, publisher, named, START))).code
  }
  await fill('production', 'SAME-1')
  await assert.rejects(ask(sandbox, played.name), { code: 'codes_exhausted' })
  const stated = { source: 'VOUCHER', facts: { voucherCode: 'SAME-1' } } as const
  await world.report(sandbox, [purchase(played.userId, pooled, 'guessed', stated)], START)
  assert.deepEqual(await readOutcome('guessed'), [0n, 'voucher_code_mismatch'])
  const kept = JSON.stringify(await db.reader`select facts from source_events`)
  assert(!kept.includes('SAME-1'), 'a code of production was kept in the clear')
  // Both pools contain the same code text, and each environment uses its own code.
  await fill('sandbox', 'SAME-1')
  assert.deepEqual([await ask(sandbox, played.name), await ask(live, real.name)], ['SAME-1', 'SAME-1'])
  await world.report(sandbox, [purchase(played.userId, pooled, 'own', stated)], START)
  await world.report(live, [purchase(real.userId, pooled, 'real own', stated)], START)
  assert.deepEqual(
    [await readOutcome('own'), await readOutcome('real own')],
    [
      [1_000n, null],
      [1_000n, null],
    ],
  )
  await booksAgree()
})
