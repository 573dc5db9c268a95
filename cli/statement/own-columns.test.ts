import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../errors.ts'
import { readStatement } from './read.ts'
import type { ReadOptions } from './statement.ts'

const file = (...rows: readonly string[]) =>
  ['Date,Description,Debit,Credit', ...rows.map((row, at) => `2026-03-01,X${at},${row}`)].join('\n')
const spent = (text: string, more: Partial<ReadOptions> = {}) =>
  readStatement(text, { currency: 'USD', today: '2026-11-21', ...more }).rows.map((row) => Number(row.spent))

test('in a debit column, the less common sign marks a reversed debit', () => {
  assert.deepEqual(spent(file('20,', '30,', '-30,', ',7')), [2000, 3000, -3000, -700])
  assert.deepEqual(spent(file('-20,', '-30,', '30,', ',7')), [2000, 3000, -3000, -700])
  assert.deepEqual(spent(file('20 DR,', '30 DR,', '30 CR,')), [2000, 3000, -3000])
})

test('a sign shared by all amounts in a column is ignored', () => {
  assert.deepEqual(spent(file('-20,', '-30,', ',7')), [2000, 3000, -700])
  assert.deepEqual(spent(file('20,', '30,', ',-7')), [2000, 3000, -700])
  assert.deepEqual(spent(file('-20,', '-30,', ',-7'), { debits: 'positive' }), [2000, 3000, -700])
})

test('a debit column with as many minus as plus amounts is rejected until the sign is stated', () => {
  const text = file('20,', '-20,', ',7')
  assert.throws(() => spent(text), /debit column.*--debits negative or --debits positive/)
  assert.deepEqual(spent(text, { debits: 'positive' }), [2000, -2000, -700])
  assert.deepEqual(spent(text, { debits: 'negative' }), [-2000, 2000, -700])
})

test('a reversed credit is rejected with its line number, because it is not a purchase', () => {
  const text = file('20,', ',1500', ',7', ',-1500')
  assert.throws(
    () => spent(text),
    (error) => error instanceof UserError && /^line 5: .*sign/.test(error.details[0] ?? ''),
  )
  assert.deepEqual(spent(text, { skipInvalid: true }), [2000, -150_000, -700])
})
