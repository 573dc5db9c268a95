import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/support/runs.ts'
import { FIELDS, KINDS } from './columns.ts'
import { lineWriter } from './lines.ts'
import { FORMATS, lineOf } from './schema.ts'

test('lines carry any texts, however long and however many, in both formats', () => {
  const unit = fc.constantFrom('a', '"', '\\', ',', '=', '\r', '\n', '\u0001', '\u001f', '\u007f', 'é', '\u2028', '😀')
  const few = fc.string({ unit, maxLength: 10 })
  const long = fc.constantFrom('"', '\u0001', 'é', 'x').map((character) => character.repeat(20_000))
  const text = fc.oneof({ weight: 100, arbitrary: few }, { weight: 1, arbitrary: long })
  const row = fc.array(fc.option(text, { freq: 3 }), { minLength: FIELDS.length, maxLength: FIELDS.length })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (given) => {
      const rows = given.map((cells) =>
        cells.map((cell, at) => (KINDS[at]?.is === 'text' ? cell : null)).with(CURRENCY, 'USD'),
      )
      for (const format of Object.values(FORMATS)) {
        const chunks = [...lineWriter(format)(rows.map(recordOf))]
        assert.equal(Buffer.concat(chunks).toString(), rows.map((cells) => lineOf(format, cells)).join(''))
      }
    }),
    { numRuns: runs(30) },
  )
})

test('the same few chunks carry many lines, and none is empty', () => {
  const row: (string | null)[] = FIELDS.map((field, at) => (KINDS[at]?.is === 'text' ? field : null))
  row[CURRENCY] = 'USD'
  const records = Array.from({ length: 10_000 }, () => recordOf(row))
  const chunks = [...lineWriter(FORMATS.csv)(records)]
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  assert.equal(bytes, 10_000 * Buffer.byteLength(lineOf(FORMATS.csv, row)))
  assert(chunks.length <= bytes / 32_768, `${chunks.length} chunks`)
  assert.deepEqual([...lineWriter(FORMATS.csv)([])], [])
})

test('a row that has other columns than were asked for is refused', () => {
  assert.throws(() => [...lineWriter(FORMATS.csv)([recordOf(['USD'])])], /other columns/)
})

const CURRENCY = FIELDS.indexOf('currency')

/** A row of texts as record_send writes it. */
function recordOf(cells: readonly (string | null)[]): Buffer {
  const TEXT = 25
  const parts = cells.flatMap((cell) => {
    const bytes = Buffer.from(cell ?? '')
    return [int4(TEXT), int4(cell === null ? -1 : bytes.length), bytes]
  })
  return Buffer.concat([int4(cells.length), ...parts])
}

function int4(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(number)
  return bytes
}
