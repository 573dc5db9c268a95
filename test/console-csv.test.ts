import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvCell } from '../console/src/csv.ts'
import { formatCsvText } from '../src/platform/text/csv.ts'

test('the console and the service escape CSV cells identically', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[\s\u200b]{0,2}[=+\-@＝＋－＠﹦﹢﹣﹫'a]?[",\n]?x?$/u),
  )
  fc.assert(fc.property(text, (value) => assert.equal(csvCell(value), formatCsvText(value))))
})
