import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../errors.ts'
import { readStatement } from './read.ts'
import type { ReadOptions } from './statement.ts'

const file = (titles: string, ...rows: readonly string[]) =>
  [`Date,Description,Amount,${titles}`, ...rows.map((row, at) => `2026-03-01,X${at},${row}`)].join('\n')
const read = (text: string, more: Partial<ReadOptions> = {}) =>
  readStatement(text, { currency: 'USD', today: '2026-11-21', ...more })
const spent = (text: string, more: Partial<ReadOptions> = {}) =>
  read(text, more).rows.map((row) => `${row.description} ${row.spent}`)
const refused = (text: string, more: Partial<ReadOptions> = {}): string => {
  try {
    read(text, more)
  } catch (error) {
    assert(error instanceof UserError, String(error))
    return [error.message, ...error.details].join(' ')
  }
  return assert.fail('it was read')
}

test('a row is completed only if every status column marks it as completed', () => {
  assert.deepEqual(spent(file('Status,State', '-1,,COMPLETED', '-2,,DECLINED', '-3,,PENDING')), ['X0 100'])
  const several = file('Status,Payment Status', '-1,Completed,', '-2,Completed,REVERTED', '-3,Pending,Completed')
  assert.deepEqual(spent(several), ['X0 100'])
  assert.deepEqual(read(several).leftOut, { pending: 1, void: 1, otherCurrency: 0 })
})

test('an unknown word in any status column is rejected until the caller defines or ignores it', () => {
  const text = file('Status,State', '-1,Completed,OK', '-2,Completed,NOK', '-3,Declined,OK')
  assert.match(refused(text), /status column State contains unknown words.*OK, NOK.*ignore=State/)
  assert.deepEqual(spent(text, { completed: ['ok'] }), ['X0 100'])
  assert.deepEqual(spent(text, { columns: { ignore: ['State'] } }), ['X0 100', 'X1 200'])
  assert.deepEqual(spent(text, { columns: { status: ['Status'] } }), ['X0 100', 'X1 200'])
  assert.equal(read(file('State', '-1,NOK'), { completed: ['ok'] }).leftOut.void, 1)
  assert.match(refused(file('Status,Flag', '-1,Completed,', '-2,Completed,declined')), /"status=Flag".*"ignore=Flag"/)
})

test('a column with both directions is rejected until defined, regardless of its other words', () => {
  const cases = [
    file('Indicator', '20,DR', '1500,CR', '2,FEE'),
    file('Indicator', '-20,DR', '1500,CR', '-2,FEE'),
    file('Type,Indicator', '20,Debit,DR', '1500,Debit,CR'),
    file('Type,Indicator', '20,Card,DR', '1500,Card,CR'),
  ]
  for (const text of cases) assert.match(refused(text), /"direction=Indicator".*"ignore=Indicator"/, text)
  const answered = { columns: { direction: ['Indicator'] } }
  assert.match(refused(cases[0] ?? '', answered), /contains DR, CR, FEE.*--money-in/)
  assert.deepEqual(spent(cases[0] ?? '', { ...answered, moneyIn: ['CR'] }), ['X0 2000', 'X1 -150000', 'X2 200'])
  assert.deepEqual(spent(cases[2] ?? '', answered), ['X0 2000', 'X1 -150000'])
})

test('unknown words in a direction column are rejected unless the signs agree with the known words', () => {
  const titled = (...rows: readonly string[]) => file('Transaction Type', ...rows)
  const fee = titled('12.50,debit', '1500.00,credit', '-3.00,adjustment')
  for (const text of [fee, titled('20,card', '1500,credit', '-3,adjustment'), titled('20,debit', '-1500,debit', '9,x')])
    assert.match(refused(text), /column Transaction Type contains .*--money-in ".*"ignore=Transaction Type"/, text)
  assert.match(refused(fee, { debits: 'positive' }), /--money-in "credit"/)
  const answered = { moneyIn: ['credit'] }
  assert.match(refused(fee, answered), /line 4: it says debit, but its amount has the sign of the other direction/)
  assert.deepEqual(spent(fee, { ...answered, skipInvalid: true }), ['X0 1250', 'X1 -150000'])
  const ignored = { columns: { ignore: ['Transaction Type'] } }
  assert.deepEqual(spent(fee, ignored), ['X0 1250', 'X1 150000', 'X2 -300'])
  assert.deepEqual(spent(titled('-12.50,debit', '1500.00,credit', '-3.00,fee')), ['X0 1250', 'X1 -150000', 'X2 300'])
})

test('credits marked only by a word are rejected until the column is defined', () => {
  const marked = file('Indicator', '20,', '1500,CR', '2,')
  assert.match(refused(marked), /"direction=Indicator"/)
  assert.deepEqual(spent(file('Indicator', '-20,', '1500,CR', '-2,')), ['X0 2000', 'X1 -150000', 'X2 200'])
})

test('direction columns that contradict each other are rejected until one is ignored', () => {
  const text = file('Type,Direction', '20,Debit,out', '1500,Debit,in')
  assert.match(refused(text), /Type and Direction contradict each other.*"ignore=Type"/)
  assert.deepEqual(spent(text, { columns: { ignore: ['Type'] } }), ['X0 2000', 'X1 -150000'])
  assert.deepEqual(spent(file('Type,Direction', '20,Debit,out', '1500,,in')), ['X0 2000', 'X1 -150000'])
})

test('a currency symbol means the same thing in the currency column as in an amount', () => {
  const text = file('Currency', '-1,$', '-2,USD', '-3,€', '-4,US$', '-5,')
  assert.deepEqual(spent(text), ['X0 100', 'X1 200', 'X3 400', 'X4 500'])
  assert.deepEqual(spent(text, { currency: 'EUR' }), ['X2 300', 'X4 500'])
  assert.deepEqual(spent(file('Currency', '-1,zł'), { currency: 'PLN' }), ['X0 100'])
  assert.match(refused(file('Flag', '-1,$', '-2,€')), /"currency=Flag"/)
  assert.deepEqual(spent(file('Flag', '-1,$', '-2,USD')), ['X0 100', 'X1 200'])
})
