import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BookRow, compareSides, sortRows } from './rules.ts'

const verdicts = (left: readonly BookRow[], right: readonly BookRow[]) => Array.fromAsync(compareSides(left, right))

const row = (key: string, amount: string, waits = false): BookRow => ({
  key,
  values: { amount, status: 'paid' },
  waits,
})

test('a missing record is reported in full, and a mismatched one only with its differing values', async () => {
  const left = [row('a', '1'), row('b', '1'), row('c', '1')]
  const right = [row('b', '2'), row('c', '1'), row('d', '1')]
  assert.deepEqual(await verdicts(left, right), [
    { key: 'a', left: { amount: '1', status: 'paid' }, right: null },
    { key: 'b', left: { amount: '1' }, right: { amount: '2' } },
    'equal',
    { key: 'd', left: null, right: { amount: '1', status: 'paid' } },
  ])
})

test('a record in progress may be missing on the other side, but must not contradict it', async () => {
  assert.deepEqual(await verdicts([row('a', '1', true)], []), ['waiting'])
  assert.deepEqual(await verdicts([row('a', '1', true)], [row('a', '1')]), ['waiting'])
  assert.deepEqual(await verdicts([row('a', '1', true)], [row('a', '2')]), [
    { key: 'a', left: { amount: '1' }, right: { amount: '2' } },
  ])
})

test('rows out of order are rejected, because one record would be reported as two differences', async () => {
  await assert.rejects(verdicts([row('b', '1'), row('a', '1')], []), /a does not follow b/)
  await assert.rejects(verdicts([row('a', '1'), row('a', '1')], []), /a does not follow a/)
})

test('for any two sides, the differences are exactly the keys whose values differ', async () => {
  const side = fc.dictionary(fc.string({ maxLength: 3 }), fc.constantFrom('1', '2'), { noNullPrototype: true })
  const makeRows = (values: Readonly<Record<string, string>>) =>
    sortRows(Object.entries(values).map(([key, value]) => row(key, value)))
  await fc.assert(
    fc.asyncProperty(side, side, async (left, right) => {
      const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
      const expected = keys.filter(
        (key) => !Object.hasOwn(left, key) || left[key] !== right[key] || !Object.hasOwn(right, key),
      )
      const found = (await verdicts(makeRows(left), makeRows(right))).flatMap((one) =>
        typeof one === 'string' ? [] : [one.key],
      )
      assert.deepEqual(found.toSorted(), expected.toSorted())
    }),
  )
})
