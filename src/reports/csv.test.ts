import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

test('cells are written as RFC 4180 says', () => {
  assert.equal(csvLine(['plain', 12.5, null, 0]), 'plain,12.5,,0\r\n')
  assert.equal(csvLine(['a,b', 'say "hi"', 'two\nlines', 'cr\rhere']), '"a,b","say ""hi""","two\nlines","cr\rhere"\r\n')
})

test('a text that a spreadsheet would take for a formula becomes plain text, a number stays a number', () => {
  const table: [string, string][] = [
    ['=1+1', "'=1+1"],
    ['+15551234', "'+15551234"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['=HYPERLINK("https://example.com","x")', '"\'=HYPERLINK(""https://example.com"",""x"")"'],
    ['a=b', 'a=b'],
    ["'quoted", "'quoted"],
  ]
  for (const [text, written] of table) assert.equal(csvLine([text]), `${written}\r\n`)
  assert.equal(csvLine([-1.5]), '-1.5\r\n')
})

test('whatever the cells hold, a reader finds the same number of cells and no formula', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=', '"', ',', '\r\n', '@x', '-', "'"))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), (cells) => {
      const [read, ...more] = parse(csvLine(cells), { record_delimiter: '\r\n' })
      assert.equal(more.length, 0)
      assert.deepEqual(
        read,
        cells.map((text) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)),
      )
    }),
  )
})
