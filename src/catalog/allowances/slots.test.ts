import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import type { UserId } from '../../platform/ids.ts'
import { computeSlotCount, spreadOverSlots, toSlot } from './slots.ts'

const KEY = { offerUid: 'o', environment: 'production', period: 'DAY', startsOn: '2026-01-10' } as const
const held = (total: bigint, used: number, present: number): bigint[] =>
  spreadOverSlots(KEY, total, used, present).map((slot) => slot.unspent)

test('a budget is split into slots that each have room for many purchases', () => {
  // A slot pays off once it holds 16 purchases, and one process never needs more than 16 slots.
  for (const [amount, need, slots] of [
    [0n, 100n, 1],
    [1_599n, 100n, 1],
    [3_199n, 100n, 1],
    [3_200n, 100n, 2],
    [23_999n, 100n, 14],
    [25_600n, 100n, 16],
    [1_000_000n, 100n, 16],
    [-5_000n, 100n, 1],
  ] as const) {
    assert.equal(computeSlotCount(amount, need), slots, `${amount} for purchases of ${need}`)
  }
})

test('a budget has a single slot if the amount per purchase is unknown', () => {
  assert.equal(computeSlotCount(1_000_000n, 0n), 1)
})

test('a user always gets the same slot, and users are distributed over all slots', () => {
  const makeId = (end: string): UserId => `ffffffff-ffff-8fff-8fff-ffff${end}` as UserId
  const toHex = (number: number): string => number.toString(16).padStart(8, '0')
  const slots = Array.from({ length: 32 }, (_, number) => toSlot(makeId(toHex(number)), 16))
  assert.deepEqual(
    [...new Set(slots)].sort((a, b) => a - b),
    [...Array(16).keys()],
  )
  assert.equal(toSlot(makeId('0000000a'), 16), toSlot(`00000000-0000-8000-8000-00000000000a` as UserId, 16))
  assert.equal(toSlot(makeId('00000010'), 16), 0)
})

test('spreading preserves the total, and the first slot gets the remainder', () => {
  const total = fc.bigInt({ min: -100_000n, max: 100_000n })
  const count = fc.integer({ min: 1, max: 16 })
  fc.assert(
    fc.property(total, count, fc.integer({ min: 0, max: 16 }), (amount, used, present) => {
      const slots = held(amount, used, present)
      assert.equal(slots.length, Math.max(used, present))
      assert.equal(
        slots.reduce((sum, one) => sum + one, 0n),
        amount,
      )
      assert(slots.slice(used).every((one) => one === 0n))
      if (amount >= 0n) for (const one of slots.slice(1, used)) assert.equal(one, amount / BigInt(used))
    }),
    { numRuns: runs(2_000) },
  )
})

test('a negative amount goes into the first slot, and every slot is marked as overspent', () => {
  assert.deepEqual(held(-7n, 3, 4), [-7n, 0n, 0n, 0n])
  const marks = (total: bigint) => new Set(spreadOverSlots(KEY, total, 3, 4).map((slot) => slot.isOverspent))
  assert.deepEqual([marks(-1n), marks(0n), marks(1n)], [new Set([true]), new Set([false]), new Set([false])])
})

test("each slot has its budget's key and its own number", () => {
  assert.deepEqual(spreadOverSlots(KEY, 7n, 2, 3), [
    { ...KEY, slot: 0, unspent: 4n, isOverspent: false },
    { ...KEY, slot: 1, unspent: 3n, isOverspent: false },
    { ...KEY, slot: 2, unspent: 0n, isOverspent: false },
  ])
})
