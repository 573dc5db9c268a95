import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDelimited } from './delimited.ts'

const isHeader = (cells: readonly string[]) => cells.includes('code') && cells.includes('ends, on')
const read = (text: string, within?: number) => readDelimited(text, isHeader, within)

test('every delimiter is detected, in quoted and unquoted files, even if cells contain other delimiters', () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const quoted = [
      ['code', 'ends, on', 'a;b|c\td'],
      ['1', '2,5', 'say "hi"'],
    ].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
    for (const text of [quoted.join('\n'), `\uFEFF${quoted.join('\r\n')}\r\n\r\n${delimiter}\r\n`]) {
      const table = read(text)
      assert('rows' in table, JSON.stringify(table))
      assert.equal(table.delimiter, delimiter)
      assert.deepEqual(table.rows, [{ line: 2, cells: ['1', '2,5', 'say "hi"'] }])
    }
  }
  const bare = read('code;ends, on\n1,5;2')
  assert('rows' in bare)
  assert.deepEqual(bare.rows, [{ line: 2, cells: ['1,5', '2'] }])
})

test('other lines may precede the header, up to a limit', () => {
  const text = `"Account";"1,2"\n\n"Owner: ""A"""\ncode;ends, on\n1;2\n`
  assert('rows' in read(text, 3))
  assert('fault' in read(text, 2))
})

test('a missing header is reported with the titles found, and a syntax error with its line', () => {
  assert.deepEqual(read('"a";"b"\n"1";"2"'), { line: 1, fault: 'has no known column titles', titles: ['a', 'b'] })
  assert.deepEqual(read('"a","b"\n"1","2"'), { line: 1, fault: 'has no known column titles', titles: ['a', 'b'] })
  assert.deepEqual(read(''), { line: 1, fault: 'has no known column titles', titles: [] })
  const open = read('code,"ends, on"\n1,"2\n3')
  assert('fault' in open)
  assert.match(open.fault, /is not valid CSV from line \d on: a quote is never closed/)
})
