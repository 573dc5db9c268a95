import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allot, countByDenomination, deriveOrderStatus, maskNumber } from './rules.ts'

const cards = (...statuses: Parameters<typeof deriveOrderStatus>[0][number]['status'][]) =>
  statuses.map((status) => ({ status }))

test("an order's status is derived from the statuses of its cards", () => {
  for (const [status, ...some] of [
    ['ordered', 'ordered', 'ordered'],
    ['delivered', 'delivered', 'delivered'],
    ['delivered', 'delivered', 'refunded'],
    ['delivered', 'refunding', 'refunded'],
    ['partially_delivered', 'delivered', 'undelivered'],
    ['partially_delivered', 'refunding', 'undelivered', 'refunded'],
    ['failed', 'undelivered', 'undelivered'],
    ['refunded', 'refunded', 'refunded'],
    ['refunded', 'refunded', 'undelivered'],
  ] as const)
    assert.equal(deriveOrderStatus(cards(...some)), status)
})

test('delivered cards are matched to ordered ones of the same denomination, in order', () => {
  const one = (denomination: bigint, name = '') => ({ denomination, name })
  const ordered = [one(5n), one(10n), one(5n)]
  assert.deepEqual(allot(ordered, [one(5n, 'a'), one(10n, 'b')]), [one(5n, 'a'), one(10n, 'b'), null])
  assert.deepEqual(allot(ordered, []), [null, null, null])
  assert.equal(allot(ordered, [one(7n)]), null)
  assert.equal(allot([one(5n)], [one(5n), one(5n)]), null)
})

test('cards of the same denomination are counted on one line', () => {
  const some = [{ denomination: 5n }, { denomination: 10n }, { denomination: 5n }]
  assert.deepEqual(countByDenomination(some), [
    { denomination: 5n, quantity: 2 },
    { denomination: 10n, quantity: 1 },
  ])
})

test('a mask shows the last four digits of a card number, or none if the number is short', () => {
  assert.deepEqual(
    [maskNumber('1234567890123456'), maskNumber('12345678'), maskNumber('1234567')],
    ['••••3456', '••••5678', '••••'],
  )
})
