import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { createPublisher, type Publisher } from '../../tenants/publishers/index.ts'
import type { BrandMatch } from '../merchants/index.ts'
import { listReviews } from './queries.ts'
import { type Doubt, recordDoubts } from './record-doubts.ts'
import { removeNumbers } from './rules.ts'

const database = await testDatabase('reviews')
const db = openDatabase(database.url, { connections: 3 })
after(() => db.close())

const NOW = new Date('2026-01-10T08:00:00Z')
const day = (days: number): Date => new Date(NOW.getTime() + (days - 30) * 86_400_000)
const match: BrandMatch = {
  brandUid: null,
  proposedUid: 'five',
  band: 'review',
  score: 0.7,
  method: 'name',
  reason: 'name_unconfirmed',
  evidence: [{ field: 'merchant_descriptor', value: 'QUILL 4111 1111 1111 1111', matched: 'quill' }],
  runnerUp: { brandUid: 'ten', score: 0.6 },
}
const doubt = (template: string, at: number, more: Partial<Doubt> = {}): Doubt => ({
  template,
  match,
  transactionId: newUuid<'transaction'>(),
  isNew: true,
  at: day(at),
  ...more,
})

const newPublisher = (): Promise<Publisher> =>
  db.transaction((tx) => createPublisher(tx, { name: 'One', environment: 'sandbox' }, NOW))
const note = (publisher: Publisher, doubts: readonly Doubt[]): Promise<void> =>
  db.transaction((tx) => recordDoubts(tx, publisher.id, doubts, NOW))
const open = (publisher: Publisher) =>
  listReviews(db.reader, { publisherId: publisher.id, isOpen: true }, { sort: [], size: 100, offset: 0 })

test('one review covers every purchase with the same descriptor template', async () => {
  const publisher = await newPublisher()
  await note(publisher, [doubt('quill', 3), doubt('quill', 5), doubt('other', 1)])
  await note(publisher, [doubt('quill', 2)])
  const items = await open(publisher)
  assert.deepEqual(
    items.map((one) => [one.template, one.purchases, one.samples.length, one.firstSeenAt, one.lastSeenAt]),
    [
      ['quill', 3, 3, day(2), day(5)],
      ['other', 1, 1, day(1), day(1)],
    ],
  )
})

test('a purchase reported twice is counted once', async () => {
  const publisher = await newPublisher()
  const first = doubt('quill', 1)
  await note(publisher, [first])
  await note(publisher, [{ ...first, isNew: false }])
  const [item] = await open(publisher)
  assert.deepEqual([item?.purchases, item?.samples], [1, [first.transactionId]])
})

test('a review lists at most five sample purchases', async () => {
  const publisher = await newPublisher()
  for (let turn = 0; turn < 3; turn++)
    await note(
      publisher,
      Array.from({ length: 4 }, () => doubt('quill', turn)),
    )
  const [item] = await open(publisher)
  assert.deepEqual([item?.purchases, item?.samples.length], [12, 5])
})

test('a review shows the latest proposal and no card numbers', async () => {
  const publisher = await newPublisher()
  await note(publisher, [doubt('quill', 1)])
  await note(publisher, [doubt('quill', 2, { match: { ...match, proposedUid: 'ten', score: 0.8, runnerUp: null } })])
  const [item] = await open(publisher)
  assert.deepEqual([item?.proposedUid, item?.score, item?.runnerUp], ['ten', 0.8, null])
  assert.deepEqual(item?.evidence, [{ field: 'merchant_descriptor', value: 'QUILL …', matched: 'quill' }])
})

test('concurrent batches that update the same reviews are serialized and all counted', async () => {
  const publisher = await newPublisher()
  const templates = ['a', 'b', 'c', 'd']
  await Promise.all(
    [templates, templates.toReversed(), templates].map((order) =>
      note(
        publisher,
        order.map((template) => doubt(template, 1)),
      ),
    ),
  )
  assert.deepEqual(
    (await open(publisher)).map((one) => one.purchases),
    [3, 3, 3, 3],
  )
})

const NUMBERS: readonly [text: string, shown: string][] = [
  ['SHOP 4111111111111111', 'SHOP …'],
  ['SHOP 4111 1111 1111 1111 US', 'SHOP … US'],
  ['SHOP 4111-1111-1111-1111', 'SHOP …'],
  ['SHOP XXXX1234', 'SHOP …'],
  ['SHOP ****1234', 'SHOP …'],
  ['SHOP #0423', 'SHOP #0423'],
  ['SHOP 7042', 'SHOP 7042'],
]
for (const [text, shown] of NUMBERS)
  test(`"${text}" is displayed as "${shown}"`, () => {
    assert.equal(removeNumbers(text), shown)
  })
