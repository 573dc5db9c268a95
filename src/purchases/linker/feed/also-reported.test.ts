import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFeedWorld } from '../../../../test/support/feed-world.ts'
import { atSimulator, sourceEvents } from '../../../../test/support/linker-world.ts'
import { sample } from '../../../../test/support/runs.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import { ingestEvents, type SourceEventInput } from '../../transactions/index.ts'

// Purchases that appear in a linked card's feed and that the publisher also reports.
const { world, linked, buy, does, standings, read, shows, differences } = await openFeedWorld('also_reported')

after(() => world.close())

type Reported = Pick<SourceEventInput, 'kind' | 'externalId' | 'amount'> & {
  readonly of?: string
  /** Offset from now in days. */
  readonly days?: number
}

/** Reports an event as the publisher, with the card and merchant of the user's first purchase. */
async function reports(userId: UserId, { kind, externalId, amount, of, days = 0 }: Reported): Promise<void> {
  const [bought] = await world.db.reader<{ accountId: string; descriptor: string }[]>`
    select account_id, coalesce(merchant_descriptor, merchant_name) as descriptor from transactions
    where user_id = ${userId} order by created_at limit 1`
  assert(bought !== undefined)
  const event = {
    ...({ userId, source: 'CARD', kind, externalId, originalExternalId: of ?? null, amount, currency: 'USD' } as const),
    occurredAt: inDays(days),
    dateOnly: false,
    facts: { accountId: bought.accountId, merchantDescriptor: bought.descriptor, merchantName: 'Blue Kettle' },
  }
  const deps = { catalog: world.deps.catalog, findsRefunded: true } as const
  await world.db.transaction((tx) => ingestEvents(tx, deps, world.publisher, [event], world.clock.now()))
}

const inDays = (days: number): Date => new Date(world.clock.now().getTime() + days * DAY_MS)
const onDay = (days: number): { date: string } => ({ date: inDays(days).toISOString().slice(0, 10) })
const givesBack = (itemId: string, amount: number, more: object = {}) =>
  atSimulator(world, '/_sim/refunds', { item_id: itemId, merchant: 'Blue Kettle', amount, ...more })
const readRewards = async (userId: UserId): Promise<string[]> =>
  (await standings(userId)).map(({ reason, user }) => reason ?? String(user)).sort()
const hasEvents = (userId: UserId, count: number) => async () => (await sourceEvents(world, userId)).length === count

for (const [order, name] of [
  ['publisher first', 'reporter'],
  ['feed first', 'feed_first'],
] as const)
  test(`a refund reported by both publisher and feed reduces the reward once: ${order}`, async () => {
    const { userId, itemId } = await linked(name)
    await buy(itemId)
    await read(userId, shows(userId, 'PENDING 5000'))
    const before = (await sourceEvents(world, userId)).length
    const reported = { kind: 'REFUND', externalId: `${name} refund`, amount: 2_000n } as const
    if (order === 'publisher first') await reports(userId, reported)
    else await givesBack(itemId, 20).then(() => read(userId, hasEvents(userId, before + 1)))
    assert.deepEqual(await readRewards(userId), ['300'])
    if (order === 'publisher first') await givesBack(itemId, 20).then(() => read(userId, hasEvents(userId, before + 2)))
    else await reports(userId, reported)
    assert.deepEqual(await readRewards(userId), ['300'])
  })

test('a purchase and its refund count once each when publisher and feed both report them', async () => {
  const { userId, itemId } = await linked('both')
  await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  await reports(userId, { kind: 'CLEARING', externalId: 'both bought', amount: 5_000n })
  assert.deepEqual(await readRewards(userId), ['500', 'stacked'])
  const before = (await sourceEvents(world, userId)).length
  await givesBack(itemId, 50)
  await read(userId, hasEvents(userId, before + 1))
  assert.deepEqual(await readRewards(userId), ['refunded', 'refunded'])
  await reports(userId, { kind: 'REFUND', externalId: 'both refund', amount: 5_000n })
  assert.deepEqual(await readRewards(userId), ['refunded', 'refunded'])
  await buy(itemId, { amount: 61 })
  await read(userId, shows(userId, 'CANCELLED 0', 'CANCELLED 0', 'PENDING 6100'))
})

for (const isPublisherFirst of [true, false])
  test(`of two equal purchases, only the refunded one loses its reward, publisher first: ${isPublisherFirst}`, async () => {
    const name = isPublisherFirst ? 'pair' : 'feed_pair'
    const { userId, itemId } = await linked(name)
    await buy(itemId)
    await read(userId, shows(userId, 'PENDING 5000'))
    await buy(itemId, { amount: 50, ...onDay(4) })
    await read(userId, shows(userId, 'PENDING 5000', 'PENDING 5000'))
    await reports(userId, { kind: 'CLEARING', externalId: `${name} first`, amount: 5_000n })
    await reports(userId, { kind: 'CLEARING', externalId: `${name} second`, amount: 5_000n, days: 4 })
    assert.deepEqual(await readRewards(userId), ['500', '500', 'stacked', 'stacked'])
    const of = { externalId: `${name} back`, of: `${name} first`, days: 5 }
    const reportRefund = () => reports(userId, { kind: 'REFUND', amount: 5_000n, ...of })
    const events = (await sourceEvents(world, userId)).length
    if (isPublisherFirst) await reportRefund()
    // The bank's row references no purchase, so the refund counts against the second one until the publisher reports
    // which purchase it belongs to.
    await givesBack(itemId, 50, onDay(6))
    await read(userId, hasEvents(userId, events + (isPublisherFirst ? 2 : 1)))
    if (!isPublisherFirst) await reportRefund()
    assert.deepEqual(await readRewards(userId), ['500', 'refunded', 'refunded', 'stacked'])
    const [paid] = await world.db.reader<{ id: string }[]>`
      select external_id as id from transactions where user_id = ${userId} and user_amount > 0`
    assert.equal(paid?.id, `${name} second`)
  })

test('a correction of a refund in the feed does not reduce the amount that the publisher may refund', async () => {
  const { userId, itemId } = await linked('corrected')
  await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  const row = await givesBack(itemId, 20)
  await read(userId, shows(userId, 'PENDING 3000'))
  await does(row, 'change', { amount: 30 })
  await read(userId, shows(userId, 'PENDING 2000'))
  await reports(userId, { kind: 'REFUND', externalId: 'corrected back', amount: 5_000n })
  assert.deepEqual(await readRewards(userId), ['refunded'])
})

test('a hold or purchase reported by both publisher and feed earns one reward, in either order', async () => {
  const either = [false, true]
  const cases = either.flatMap((isPublisherFirst) =>
    sample(
      either.flatMap((isPending) => either.map((hasAccount) => ({ isPending, isPublisherFirst, hasAccount }))),
      0.5,
    ),
  )
  let users = 0
  for (const { isPending, isPublisherFirst, hasAccount } of cases) {
    const { userId, itemId, name } = await linked(`twice_${users++}`)
    const [card] = await world.db.reader<{ accountId: string }[]>`
      select account_id from cards where user_id = ${userId} limit 1`
    const event = {
      ...({ userId, source: 'CARD', kind: isPending ? 'AUTHORIZATION' : 'CLEARING', externalId: name } as const),
      ...({ originalExternalId: null, amount: 5_000n, currency: 'USD', dateOnly: false } as const),
      occurredAt: world.clock.now(),
      facts: { merchantName: 'Blue Kettle', ...(hasAccount && card !== undefined ? card : {}) },
    }
    const post = () =>
      world.db.transaction((tx) =>
        ingestEvents(tx, { catalog: world.deps.catalog }, world.publisher, [event], world.clock.now()),
      )
    if (isPublisherFirst) await post()
    await buy(itemId, { pending: isPending })
    await read(userId, hasEvents(userId, isPublisherFirst ? 2 : 1))
    if (!isPublisherFirst) await post()
    assert.deepEqual(
      await readRewards(userId),
      ['500', 'stacked'],
      JSON.stringify({ isPending, isPublisherFirst, hasAccount }),
    )
  }
})

test('a purchase and a refund reported under a former account id match the feed', async () => {
  const { userId, itemId } = await linked('replaced')
  await buy(itemId, { amount: 20 })
  await read(userId, shows(userId, 'PENDING 2000'))
  await reports(userId, { kind: 'CLEARING', externalId: 'replaced bought', amount: 5_000n })
  await atSimulator(world, `/_sim/items/${itemId}/change-ids`, {})
  await buy(itemId)
  await read(userId, async () => (await standings(userId)).length === 3)
  assert.deepEqual(await readRewards(userId), ['200', '500', 'stacked'])
  await reports(userId, { kind: 'REFUND', externalId: 'replaced refund', amount: 3_000n })
  assert.deepEqual(await readRewards(userId), ['200', '200', 'stacked'])
  await buy(itemId, { amount: 70 })
  await read(userId, async () => (await readRewards(userId)).includes('700'))
  await reports(userId, { kind: 'REFUND', externalId: 'replaced next', amount: 7_000n })
  assert.deepEqual(await readRewards(userId), ['200', '200', 'refunded', 'stacked'])
})

test('a row with only a posting date matches a purchase reported days earlier', async () => {
  const { userId, itemId } = await linked('posted')
  await buy(itemId, { amount: 20 })
  await read(userId, shows(userId, 'PENDING 2000'))
  await reports(userId, { kind: 'CLEARING', externalId: 'posted bought', amount: 5_000n })
  await buy(itemId, onDay(3))
  await read(userId, async () => (await standings(userId)).length === 3)
  assert.deepEqual(await readRewards(userId), ['200', '500', '500'])
  await buy(itemId, { ...onDay(3), authorized_date: null })
  await read(userId, async () => (await standings(userId)).length === 4)
  assert.deepEqual(await readRewards(userId), ['200', '500', '500', 'stacked'])
})

test('the books balance at the end', async () => {
  assert.deepEqual(await differences(), [])
})
