import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TakeoutFault } from './errors.ts'
import { formatRow, readEnd, readRow } from './lines.ts'

test('a row is read back exactly as it was written, regardless of its content', () => {
  const rows = [
    { table: 'users', sealed: {}, text: '{"a":9007199254740993,"b":1.50}' },
    {
      table: 'links',
      sealed: { sealed_token: '01ff', sealed_old: '' },
      text: '{"a":"\\"}}","row":{"end":"{\\u2028"}}',
    },
  ]
  for (const row of rows) assert.deepEqual(readRow(formatRow(row)), row)
})

test('malformed lines are rejected', () => {
  for (const line of ['', '{}', '{"table":"a b","row":{}}', '{"table":"users","row":1}', '{"table":"users","row":{}'])
    assert.throws(() => readRow(line), TakeoutFault, line)
  assert.equal(readEnd('{"table":"users","row":{}}'), null)
})
