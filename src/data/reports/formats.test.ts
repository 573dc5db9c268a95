import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import type { PresentedTransaction } from '../../purchases/transactions/index.ts'
import { COLUMNS } from './columns.ts'
import { reportedExample } from './examples.ts'
import { buildLineFormat, formatLine, formatLines, LINE_FORMATS, splitRows } from './formats.ts'

const FIELDS = COLUMNS.transactions.map(({ name }) => name) as (keyof PresentedTransaction)[]
const EMPTY = Object.fromEntries(FIELDS.map((field) => [field, null])) as unknown as PresentedTransaction
const TEXT_FIELDS = FIELDS.filter((_, at) => COLUMNS.transactions[at]?.type === 'text')
const FORMATS = LINE_FORMATS.map((name) => buildLineFormat(COLUMNS.transactions, name))

test('lines in both formats can hold any text of any length', () => {
  const unit = fc.constantFrom(
    ...[
      'a',
      'N',
      '"',
      '\\',
      ',',
      '=',
      '\r',
      '\n',
      '\t',
      '\b',
      '\f',
      '\v',
      '\u0001',
      '\u001f',
      '\u007f',
      'é',
      '\u2028',
      '😀',
    ],
  )
  const few = fc.string({ unit, maxLength: 10 })
  const long = fc.constantFrom('"', '\u0001', 'é', 'x').map((character) => character.repeat(20_000))
  const text = fc.oneof({ weight: 100, arbitrary: few }, { weight: 1, arbitrary: long })
  const row = fc
    .record(Object.fromEntries(TEXT_FIELDS.map((field) => [field, fc.option(text, { freq: 3 })])))
    .map((texts): PresentedTransaction => ({ ...EMPTY, ...texts }))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      for (const format of FORMATS)
        assert.equal(
          formatLines(format, splitRows(rows.map(copied).join(''))),
          rows.map((one) => formatLine(format, one)).join(''),
        )
    }),
    { numRuns: runs(30) },
  )
})

test('an NDJSON line equals the output of JSON.stringify', () => {
  assert.equal(
    formatLine(buildLineFormat(COLUMNS.transactions, 'ndjson'), reportedExample),
    `${JSON.stringify(reportedExample)}\n`,
  )
})

test('a row whose columns differ from the requested ones is rejected', () => {
  assert.throws(() => formatLines(buildLineFormat(COLUMNS.transactions, 'csv'), ['USD']), /different columns/)
})

/** Formats a row in COPY's text format. */
function copied(shown: PresentedTransaction): string {
  const cells = FIELDS.map((field) =>
    shown[field] === null ? '\\N' : String(shown[field]).replace(/[\\\b\f\n\r\t\v]/g, escaped),
  )
  return `${cells.join('\t')}\n`
}

const LETTERS = new Map([...'\b\f\n\r\t\v'].map((character, at) => [character, 'bfnrtv'[at]]))

function escaped(character: string): string {
  return `\\${LETTERS.get(character) ?? character}`
}
