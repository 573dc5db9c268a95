import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { encodeId } from '../../platform/ids.ts'
import type { ReportColumn } from './columns.ts'
import { createRowWriter } from './row-writer.ts'

const column = (name: string, type: ReportColumn['type']): ReportColumn => ({ name, expression: '', type })
const COLUMNS = [
  column('id', { id: 'txn' }),
  column('text', 'text'),
  column('amount', 'money'),
  column('currency', 'text'),
  column('day', 'day'),
  column('at', 'instant'),
  column('count', 'integer'),
]
const UUID = '0194e5ab-7f4e-7c1b-8f6c-0123456789ab'

/** Writes a file with these rows, passed in chunks as COPY sends them. */
function writeFile(rows: readonly string[], perChunk = 7): ArrayBuffer {
  const writer = createRowWriter(COLUMNS, 'parquet')
  const parts = [writer.head]
  for (let at = 0; at < rows.length; at += perChunk) parts.push(writer.add(rows.slice(at, at + perChunk).join('')))
  parts.push(writer.end())
  assert.equal(writer.count(), rows.length)
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part)))).buffer
}

const row = (...cells: readonly string[]): string => `${cells.join('\t')}\n`

test('each column type has the right Parquet type, values and nulls', async () => {
  const file = writeFile([
    row(UUID, 'a\\tb\\\\c "é" 😀', '-1234', 'USD', '2026-11-20', '2026-11-20 10:15:30.1239+00', '7'),
    row(UUID, '=1+1', '99999999999999', 'USD', '1969-12-31', '1969-12-31 23:59:59.5+00', '9007199254740993'),
    row(UUID, '', '1234', 'JPY', '\\N', '\\N', '0'),
    row(UUID, '\\N', '1234', 'KWD', '\\N', '\\N', '\\N'),
  ])

  const found = await parquetReadObjects({ file })
  assert(found.every((one) => one['id'] === encodeId('txn', UUID)))
  assert.deepEqual(
    found.map(({ id: _, ...rest }) => rest),
    [
      {
        text: 'a\tb\\c "é" 😀',
        amount: -12.34,
        currency: 'USD',
        count: 7n,
        day: new Date('2026-11-20'),
        at: new Date('2026-11-20T10:15:30.123Z'),
      },
      {
        text: '=1+1',
        amount: 999_999_999_999.99,
        currency: 'USD',
        count: 9007199254740993n,
        day: new Date('1969-12-31'),
        at: new Date('1969-12-31T23:59:59.500Z'),
      },
      { text: '', amount: 1234, currency: 'JPY', day: null, at: null, count: 0n },
      { text: null, amount: 1.234, currency: 'KWD', day: null, at: null, count: null },
    ],
  )
  const { schema } = await parquetMetadataAsync(file)
  const amount = schema.find(({ name }) => name === 'amount')
  assert.deepEqual([amount?.converted_type, amount?.precision, amount?.scale], ['DECIMAL', 18, 4])
})

test('rows are written in groups, and no row is lost', async () => {
  const rows = Array.from({ length: 10_001 }, (_, at) =>
    row(UUID, `row ${at}`, String(at), 'USD', '2026-11-20', '2026-11-20 10:15:30+00', String(at)),
  )
  const file = writeFile(rows, 230)
  const { row_groups } = await parquetMetadataAsync(file)
  assert.deepEqual(
    row_groups.map(({ num_rows }) => num_rows),
    [5_000n, 5_000n, 1n],
  )
  const found = await parquetReadObjects({ file })
  assert(found.every((one, at) => one['text'] === `row ${at}` && one['count'] === BigInt(at)))
  assert.equal(found.length, rows.length)
})

test('an amount outside the range of its type is rejected, never corrupted', () => {
  assert.throws(() => writeFile([row(UUID, '', '9223372036854775807', 'USD', '\\N', '\\N', '\\N')]), RangeError)
})
