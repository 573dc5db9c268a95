import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { escapeFormula, formatCsvText } from './csv.ts'

test('cells are quoted as RFC 4180 requires', () => {
  const table: [string, string][] = [
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['cr\rhere', '"cr\rhere"'],
  ]
  for (const [text, written] of table) assert.equal(formatCsvText(text), written)
})

test('text that a spreadsheet would run as a formula is escaped', () => {
  const table: [string, string][] = [
    ['=1+1', "'=1+1"],
    ['+15551234', "'+15551234"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['=HYPERLINK("https://example.com","x")', '"\'=HYPERLINK(""https://example.com"",""x"")"'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['﹦1', "'﹦1"],
    [' =1+1', "' =1+1"],
    ['\u00a0\u3000=1', "'\u00a0\u3000=1"],
    ['\u200b\ufeff@x', "'\u200b\ufeff@x"],
    [' \n=1', '"\' \n=1"'],
    ['a=b', 'a=b'],
    [' a =b', ' a =b'],
    ["'quoted", "'quoted"],
  ]
  for (const [text, written] of table) assert.equal(formatCsvText(text), written)
})

test('formatted cells always parse back to the same number of cells, none of which is a formula', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=', '"', ',', '\r\n', '@x', '-', "'", ' =', '＝'),
  )
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), (cells) => {
      const [read, ...more] = parse(`${cells.map(formatCsvText).join(',')}\r\n`, { record_delimiter: '\r\n' })
      assert.equal(more.length, 0)
      assert.deepEqual(read, cells.map(escapeFormula))
    }),
  )
})
