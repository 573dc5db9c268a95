import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from './file-statement.ts'

const read = (currency: string, ...amounts: readonly string[]) =>
  readStatement(
    ['reference,status,amount,currency', ...amounts.map((amount, at) => `R${at},paid,${amount},${currency}`)].join(
      '\n',
    ),
    ['paid'],
  ).map(({ amount }) => Number(amount))

test('an amount such as 1.000 is rejected unless another amount or the currency shows what it means', () => {
  assert.throws(() => read('CLP', '500', '12.000'), /line 3: amount 12\.000 is ambiguous \(thousands or/)
  assert.throws(() => read('EUR', '1.000'), /line 2: amount 1\.000 is ambiguous/)
  assert.deepEqual(read('EUR', '1.000', '12.5'), [100, 1250])
  assert.deepEqual(read('CLP', '12000', '12000.00'), [12_000, 12_000])
  assert.deepEqual(read('KWD', '1.000', '12.500'), [1000, 12_500])
})
