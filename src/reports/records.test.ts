import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellsOf } from './records.ts'

test('a row as PostgreSQL writes it is taken apart into its cells', () => {
  const table: [record: string, cells: (string | null)[]][] = [
    ['(a,1,2026-01-02)', ['a', '1', '2026-01-02']],
    ['(,,)', [null, null, null]],
    ['(a,,"")', ['a', null, '']],
    ['("",b,)', ['', 'b', null]],
    ['("a, b","(c)","2026-01-02 10:00:00+00")', ['a, b', '(c)', '2026-01-02 10:00:00+00']],
    ['("say ""hi""","""","\\\\","\\\\""",x)', ['say "hi"', '"', '\\', '\\"', 'x']],
    ['("""""","\\\\\\\\")', ['""', '\\\\']],
    ['("two\nlines",é)', ['two\nlines', 'é']],
  ]
  for (const [record, cells] of table) assert.deepEqual(cellsOf(record), cells, record)
})
