import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/support/runs.ts'
import { encodeId } from '../platform/ids.ts'
import { exponentOf, toJsonNumber } from '../platform/money.ts'
import { idWriter, type Write, writeDay, writeInstant, writeInteger, writeMoney } from './values.ts'

// PostgreSQL counts from here.
const EPOCH_MS = Date.UTC(2000, 0, 1)

test('an amount is the number that the interface shows', () => {
  const edges = [0n, 10n ** 15n, 10n ** 15n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 5n]
  const minor = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -100_000n, max: 100_000n }),
    fc.constantFrom(...edges, ...edges.map((one) => -one)),
  )
  fc.assert(
    fc.property(minor, fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'), (amount, currency) => {
      const shown = shownBy(writeMoney, int8(amount), currency)
      assert.equal(shown, JSON.stringify(toJsonNumber(amount, currency)))
    }),
    { numRuns: runs(5_000) },
  )
})

test('an instant is shown as the interface shows it, to the millisecond that had begun', () => {
  // The years 0001 to 9999, in microseconds.
  const ends = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')] as const
  const [min, max] = [ends[0].getTime(), ends[1].getTime()]
  const ms = fc.oneof(fc.integer({ min, max }), fc.constantFrom(0, -1, EPOCH_MS, EPOCH_MS - 1, min, max))
  fc.assert(
    fc.property(ms, fc.constantFrom(0, 1, 500, 999), (instant, micros) => {
      const sent = BigInt(instant - EPOCH_MS) * 1_000n + BigInt(micros)
      assert.equal(shownBy(writeInstant, int8(sent)), new Date(instant).toISOString())
    }),
    { numRuns: runs(5_000) },
  )
})

test('a day is written as PostgreSQL writes it; what no calendar holds is refused', () => {
  const table: [number, string][] = [
    [0, '2000-01-01'],
    [-1, '1999-12-31'],
    [59, '2000-02-29'],
    [10_000, '2027-05-19'],
    [-730_119, '0001-01-01'],
    [2_921_940, '10000-01-01'],
  ]
  for (const [day, text] of table) assert.equal(shownBy(writeDay, int4(day)), text)
  const infinity = 2 ** 31 - 1
  assert.throws(() => shownBy(writeDay, int4(infinity)), RangeError)
  assert.throws(() => shownBy(writeInstant, int8(2n ** 63n - 1n)), RangeError)
})

test('more days than are kept are shown all the same', () => {
  for (let day = 0; day < 12_000; day++) {
    assert.equal(shownBy(writeDay, int4(day)), new Date(EPOCH_MS + day * 86_400_000).toISOString().slice(0, 10))
  }
})

test('an integer and an id are written as the interface writes them', () => {
  fc.assert(
    fc.property(fc.integer(), fc.uuid(), (number, uuid) => {
      assert.equal(shownBy(writeInteger, int4(number)), String(number))
      assert.equal(shownBy(idWriter('txn'), Buffer.from(uuid.replaceAll('-', ''), 'hex')), encodeId('txn', uuid))
    }),
  )
})

/** What is written of a value that stands somewhere among others. */
function shownBy(write: Write, value: Buffer, currency = 'USD'): string {
  const record = Buffer.concat([Buffer.from('before'), value, Buffer.from('after')])
  const sink = { bytes: Buffer.alloc(64), end: 3 }
  write(sink, { record, start: 6, length: value.length, currency, exponent: exponentOf(currency) })
  return sink.bytes.toString('latin1', 3, sink.end)
}

function int4(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(number)
  return bytes
}

function int8(number: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(number)
  return bytes
}
