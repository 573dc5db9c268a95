import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from './read.ts'
import type { ReadOptions } from './statement.ts'

const spent = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  readStatement(lines.join('\n'), { currency: 'USD', today: '2026-11-21', ...more }).rows.map((row) =>
    Number(row.spent),
  )
const signed = (...rows: readonly (readonly [description: string, amount: string])[]) => [
  'Date,Description,Amount',
  ...rows.map(([description, amount]) => `2026-03-01,${description},${amount}`),
]

test("a guesthouse called Pension or a payroll service's fee does not reverse the signs of a file", () => {
  const german = [
    'Buchungstag;Verwendungszweck;Betrag',
    ...['REWE;-20', 'LIDL;-30', 'Pension Alpenblick;-80', 'EDEKA;-10.50', 'Ueberweisung Firma X;+1500'].map(
      (row) => `01.03.2026;${row}`,
    ),
  ]
  assert.deepEqual(spent(german, { currency: 'EUR' }), [2000, 3000, 8000, 1050, -150_000])
  const purchases = [
    ['SHELL', '-20'],
    ['KFC', '-30'],
  ] as const
  for (const text of ['ADP PAYROLL FEES', 'PAYROLL TAX', 'SALARY FINANCE LOAN', 'DIVIDEND FINANCE', 'LOHNSTEUER'])
    assert.deepEqual(spent(signed(...purchases, [text, '-39'], ['ACME', '1500'])), [2000, 3000, 3900, -150_000], text)
})

test('a salary determines the sign of debits only if both signs are about equally common', () => {
  assert.deepEqual(spent(signed(['SHELL', '-5'], ['ACME PAYROLL', '9'])), [500, -900])
  assert.deepEqual(spent(signed(['SHELL', '-5'], ['ACME PAYROLL', '9'], ['BEN', '1'])), [500, -900, -100])
  assert.deepEqual(spent(signed(['SHELL', '-5'], ['KFC', '-6'], ['ACME PAYROLL', '9'])), [500, 600, -900])
})

test('a file whose salary has the more common sign is rejected until the caller states the sign of debits', () => {
  const file = signed(['SHELL', '-5'], ['ACME PAYROLL', '9'], ['BEN', '1'], ['EVE', '2'])
  assert.throws(() => spent(file), /line 3 .*--debits negative or --debits positive/i)
  assert.deepEqual(spent(file, { debits: 'negative' }), [500, -900, -100, -200])
  assert.deepEqual(spent(file, { debits: 'positive' }), [-500, 900, 100, 200])
  assert.throws(() => spent(signed(['SHELL', '5'], ['ACME PAYROLL', '9'])), /--debits/, 'no amount has a minus')
})

test('a plus sign in a file without minus signs is rejected until the caller states its meaning', () => {
  const file = signed(['SHELL', '20'], ['KFC', '30'], ['ACME', '+1500'])
  assert.throws(() => spent(file), /some have a plus/)
  assert.deepEqual(spent(file, { moneyIn: ['+'] }), [2000, 3000, -150_000])
  assert.deepEqual(spent(file, { debits: 'positive' }), [2000, 3000, 150_000])
  assert.throws(() => spent(signed(['ACME', '+1500'])), /some have a plus/)
  assert.deepEqual(spent(signed(['SHELL', '-20'], ['KFC', '-30'], ['ACME', '+1500'])), [2000, 3000, -150_000])
})

test('CR or DR after an amount determines its direction, regardless of which is more common', () => {
  const amounts = (...texts: readonly string[]) => spent(signed(...texts.map((text) => ['SHOP', text] as const)))
  assert.deepEqual(amounts('20', '30', '1500 CR'), [2000, 3000, -150_000])
  assert.deepEqual(amounts('20', '1500 CR', '900 C'), [2000, -150_000, -90_000])
  assert.deepEqual(amounts('20 DR', '1500', '900'), [2000, -150_000, -90_000])
  assert.deepEqual(amounts('20 DR', '1500 CR', '900 CR', '5-'), [2000, -150_000, -90_000, 500])
  assert.deepEqual(amounts('-20', '-30', '1500 CR'), [2000, 3000, -150_000])
  assert.throws(() => amounts('20 DR', '1500 CR', '900'), /Nothing was imported: 1 row/)
  assert.throws(() => amounts('20', '-30', '1500 CR'), /Nothing was imported: 1 row/)
})
