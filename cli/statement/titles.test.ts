import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from './read.ts'
import { findCurrencyInTitle, normalizeTitle } from './titles.ts'

test('a title contains a currency only if it ends with a real code or a symbol', () => {
  const cases = [
    ['MONEY OUT', 'money out', null],
    ['PAID OUT', 'paid out', null],
    ['TRANSACTION AMT', 'transaction amt', null],
    ['Amount (NET)', 'amount net', null],
    ['Amount in OUT', 'amount in out', null],
    ['MONEY OUT (GBP)', 'money out', 'GBP'],
    ['AMOUNT EUR', 'amount', 'EUR'],
    ['Amount in EUR', 'amount', 'EUR'],
    ['Amount (US$)', 'amount', 'US$'],
    ['Cargos US$', 'cargos', 'US$'],
  ] as const
  for (const [title, plain, currency] of cases)
    assert.deepEqual([normalizeTitle(title), findCurrencyInTitle(title)], [plain, currency], title)
})

test('statements with all-caps titles are read', () => {
  const spent = (text: string) =>
    readStatement(text, { currency: 'USD', today: '2026-11-21' }).rows.map((row) => Number(row.spent))
  assert.deepEqual(spent('DATE,DESCRIPTION,MONEY OUT,MONEY IN\n2026-03-01,A,5,\n2026-03-02,B,,7'), [500, -700])
  assert.deepEqual(spent('DATE,DESCRIPTION,TRANSACTION AMT\n2026-03-01,A,-5'), [500])
  assert.deepEqual(spent('DATE,DESCRIPTION,DEBIT AMT,CREDIT AMT\n2026-03-01,A,5,\n2026-03-02,B,,7'), [500, -700])
})
