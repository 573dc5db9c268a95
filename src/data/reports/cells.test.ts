import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { createIdWriter, type WriteCell, writeDay, writeInstant, writeInteger, writeMoney } from './cells.ts'

test('an amount is written as the number that the API returns', () => {
  const edges = [0n, 10n ** 15n, 10n ** 15n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 5n]
  const minor = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -100_000n, max: 100_000n }),
    fc.constantFrom(...edges, ...edges.map((one) => -one)),
  )
  fc.assert(
    fc.property(minor, fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'), (amount, currency) => {
      assert.equal(written(writeMoney, String(amount), currency), JSON.stringify(toJsonNumber(amount, currency)))
    }),
    { numRuns: runs(5_000) },
  )
})

test('an instant is written as the API returns it, rounded down to the millisecond', () => {
  const table: [string, string][] = [
    ['2026-10-02 10:15:30+00', '2026-10-02T10:15:30.000Z'],
    ['2026-10-02 10:15:30.1+00', '2026-10-02T10:15:30.100Z'],
    ['2026-10-02 10:15:30.012+00', '2026-10-02T10:15:30.012Z'],
    ['2026-10-02 10:15:30.999999+00', '2026-10-02T10:15:30.999Z'],
    ['1969-12-31 23:59:59.0009+00', '1969-12-31T23:59:59.000Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999999+00', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [cell, shown] of table) assert.equal(written(writeInstant, cell), shown)
})

test('a day is written as PostgreSQL prints it, and infinity is rejected', () => {
  for (const day of ['2000-01-01', '1999-12-31', '0001-01-01', '10000-01-01']) assert.equal(written(writeDay, day), day)
  for (const infinity of ['infinity', '-infinity']) {
    assert.throws(() => written(writeDay, infinity), RangeError)
    assert.throws(() => written(writeInstant, infinity), RangeError)
  }
})

test('integers and IDs are written as the API returns them', () => {
  fc.assert(
    fc.property(fc.integer(), fc.uuid(), (number, uuid) => {
      assert.equal(written(writeInteger, String(number)), String(number))
      assert.equal(written(createIdWriter('txn'), uuid), encodeId('txn', uuid))
    }),
  )
})

function written(write: WriteCell, cell: string, currency = 'USD'): string {
  return write(cell, { none: '', quote: '', encodeText: (text) => text }, currency)
}
