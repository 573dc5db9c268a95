import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { later, openRematchWorld } from '../../../../test/support/rematch-world.ts'
import { learnMerchants, listAliasHistory } from '../../../catalog/catalog/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'

// The linking provider's merchant ids are learned from purchases whose website and name agree, and revoked when the two
// disagree.

const db = await openTestDatabase('notes', { connections: 3 })
const world = await openRematchWorld(db)

type Row = { readonly shop: string; readonly website?: string; readonly id?: string }
const five = { shop: 'QUILLFEATHER', website: 'quillfeather.example', id: 'M1' }
const ten = { shop: 'MARMALADE DEPOT', website: 'marmaladedepot.example', id: 'M1' }
/** A merchant identified only by its id. */
const asked = { shop: 'ZORBLE KIOSK', id: 'M1' }

type Case = {
  readonly name: string
  /** Purchases, one per day. `learn` triggers learning from the purchases before it. */
  readonly reported: readonly (Row | 'learn')[]
  /** Earlier decisions by people. */
  readonly said?: Readonly<Record<string, string | null>>
  /** The brand of the purchase whose merchant is identified only by its id. */
  readonly brand: string | null
  readonly aliases: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'two purchases whose website and name agree are enough to learn the id',
    reported: [five, five, 'learn'],
    brand: 'five',
    aliases: ['provider:M1 five learnt'],
  },
  { name: 'one purchase teaches nothing', reported: [five, 'learn'], brand: null, aliases: [] },
  {
    name: 'evidence carries over from one learning run to the next',
    reported: [five, 'learn', five, 'learn'],
    brand: 'five',
    aliases: ['provider:M1 five learnt'],
  },
  {
    name: 'a website without a matching name is not enough to learn an id',
    reported: [{ ...five, shop: 'ZORBLE KIOSK' }, { ...five, shop: 'ZORBLE KIOSK' }, 'learn'],
    brand: null,
    aliases: [],
  },
  {
    name: 'a website of one brand with the name of another is not enough to learn an id',
    reported: [{ ...five, shop: ten.shop }, { ...five, shop: ten.shop }, 'learn'],
    brand: null,
    aliases: [],
  },
  {
    name: 'an id used by two brands is never learned',
    reported: [five, ten, 'learn', five, five, 'learn'],
    brand: null,
    aliases: ['provider:M1 five learnt, revoked by contradicted'],
  },
  {
    name: 'a learned id is revoked for good by the first purchase that contradicts it',
    reported: [five, five, 'learn', ten, 'learn', five, five, 'learn'],
    brand: null,
    aliases: ['provider:M1 five learnt, revoked by contradicted'],
  },
  {
    name: "learning does not overwrite a person's answer for the id",
    said: { 'provider:M1': 'ten' },
    reported: [five, five, 'learn'],
    brand: 'ten',
    aliases: ['provider:M1 ten Ana'],
  },
  {
    name: "a person's answer for the descriptor overrides what was learned about the id",
    said: { 'zorble kiosk': 'ten' },
    reported: [five, five, 'learn'],
    brand: 'ten',
    aliases: ['provider:M1 five learnt', 'zorble kiosk ten Ana'],
  },
  {
    name: "a person's answer that the merchant is no brand also overrides what was learned",
    said: { 'zorble kiosk': null },
    reported: [five, five, 'learn'],
    brand: null,
    aliases: ['provider:M1 five learnt', 'zorble kiosk none Ana'],
  },
]

for (const { name, reported, said = {}, brand, aliases } of CASES)
  test(name, async () => {
    const publisher = await world.publisher()
    for (const [key, brandUid] of Object.entries(said)) await world.say(publisher, key, brandUid)
    for (const [index, one] of reported.entries()) {
      if (one === 'learn') await learn(index)
      else await buy(publisher, one, index)
    }
    assert.equal(await buy(publisher, asked, 50), brand)
    assert.deepEqual(await readAliases(publisher), aliases)
    assert.deepEqual(await world.differences(publisher), [])
  })

test("evidence learned from one publisher's purchases does not apply to other publishers", async () => {
  const [one, other] = [await world.publisher(), await world.publisher()]
  for (const day of [0, 1]) await buy(one, { ...five, id: 'M2' }, day)
  await learn(2)
  assert.equal(await buy(one, { ...asked, id: 'M2' }, 3), 'five')
  assert.equal(await buy(other, { ...asked, id: 'M2' }, 3), null)
})

test('purchases with a learned merchant id leave no evidence at intake', async () => {
  const publisher = await world.publisher()
  for (const day of [0, 1]) await buy(publisher, { ...five, id: 'M3' }, day)
  await learn(2)
  for (const day of [3, 4]) await buy(publisher, { ...five, id: 'M3' }, day)
  const [row] = await db.reader`
    select count(*)::int as count from merchant_sightings where publisher_id = ${publisher.id}`
  assert.equal(row?.['count'], 0)
})

test('a purchase reported twice is counted as evidence only once', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  const facts = { website: five.website, providerMerchantId: 'M4' }
  await world.report(
    publisher,
    userId,
    [{ id: 'a', amount: 1_000, day: 0, shop: five.shop, kind: 'AUTHORIZATION' }],
    facts,
  )
  await world.report(publisher, userId, [{ id: 'b', amount: 1_000, day: 1, shop: five.shop, of: 'a' }], facts)
  await learn(2)
  assert.deepEqual(await readAliases(publisher), [])
})

test('events from earlier versions are matched by the provider id in merchantId', async () => {
  const publisher = await world.publisher()
  await world.say(publisher, 'provider:OLD', 'ten')
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [{ id: 'a', amount: 1_000, day: 0 }], { merchantId: 'OLD' })
  assert.match((await world.shown(publisher, userId)).join(), /^PENDING ten/)
})

/** Reports a purchase by a new user. Returns the matched brand. */
async function buy(publisher: Publisher, { shop, website, id }: Row, day: number): Promise<string | null> {
  const userId = await world.user(publisher)
  const facts = {
    ...(website === undefined ? {} : { website }),
    ...(id === undefined ? {} : { providerMerchantId: id }),
  }
  const [transactionId] = await world.report(publisher, userId, [{ id: 'a', amount: 1_000, day, shop }], facts)
  const [row] = await db.reader<{ brandUid: string | null }[]>`
    select brand_uid from transactions where transaction_id = ${transactionId ?? ''} and user_id = ${userId}`
  return row?.brandUid ?? null
}

async function learn(day: number): Promise<void> {
  while (await db.transaction((tx) => learnMerchants(tx, later(day)))) {}
  await world.catalog.refresh()
}

async function readAliases(publisher: Publisher): Promise<string[]> {
  const rows = await listAliasHistory(db.reader, publisher.id, 100)
  return rows
    .map(({ key, brandUid, decidedBy, revokedBy }) =>
      [`${key} ${brandUid ?? 'none'} ${decidedBy}`, revokedBy === null ? '' : `, revoked by ${revokedBy}`].join(''),
    )
    .sort()
}
