import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/support/runs.ts'
import {
  AMOUNT_MAX,
  apportion,
  floorShare,
  formatDecimal,
  formatProduct,
  getExponent,
  PPM,
  percentToPpm,
  ppmToPercent,
  roundHalfUp,
  toJsonNumber,
  toMinor,
} from './money.ts'

test('a decimal is converted exactly to minor units or rejected', () => {
  const rows: [value: number | string, currency: string, minor: bigint | null][] = [
    [12.34, 'USD', 1234n],
    [0.1, 'USD', 10n],
    [0.29, 'USD', 29n],
    [1.005, 'USD', null],
    [0.001, 'USD', null],
    ['10.000', 'USD', 1000n],
    [1e-7, 'USD', null],
    [1e21, 'USD', null],
    [100, 'JPY', 100n],
    [100.5, 'JPY', null],
    [1.234, 'BHD', 1234n],
    [-5.5, 'USD', -550n],
    ['-0', 'USD', 0n],
    [' 7 ', 'USD', 700n],
    [AMOUNT_MAX, 'USD', 999_999_999_999n],
    ['99999999999999999999.99', 'USD', 9_999_999_999_999_999_999_999n],
    ['1,5', 'USD', null],
    ['0x10', 'USD', null],
    ['', 'USD', null],
    [Number.NaN, 'USD', null],
    [Number.POSITIVE_INFINITY, 'USD', null],
  ]
  for (const [value, currency, minor] of rows) assert.equal(toMinor(value, currency), minor, `${value} ${currency}`)
})

test('an amount is formatted with as many decimals as its currency has', () => {
  const rows: [minor: bigint, currency: string, text: string][] = [
    [1234n, 'USD', '12.34'],
    [5n, 'USD', '0.05'],
    [-5n, 'USD', '-0.05'],
    [0n, 'USD', '0.00'],
    [7n, 'JPY', '7'],
    [7n, 'BHD', '0.007'],
  ]
  for (const [minor, currency, text] of rows) assert.equal(formatDecimal(minor, currency), text)
  assert.deepEqual([getExponent('USD'), getExponent('JPY'), getExponent('BHD')], [2, 0, 3])
})

const cents = fc.bigInt({ min: -999_999_999_999n, max: 999_999_999_999n })

test('every amount round-trips exactly as decimal text and as a JSON number', () => {
  fc.assert(
    fc.property(cents, (minor) => {
      assert.equal(toMinor(formatDecimal(minor, 'USD'), 'USD'), minor)
      assert.equal(toMinor(toJsonNumber(minor, 'USD'), 'USD'), minor)
      assert.match(String(toJsonNumber(minor, 'USD')), /^-?\d+(\.\d{1,2})?$/)
    }),
    { numRuns: runs(5_000) },
  )
})

test('toJsonNumber returns the double nearest to the decimal amount', () => {
  const edges = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]
  const minor = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), cents, fc.constantFrom(...edges))
  fc.assert(
    fc.property(minor, fc.constantFrom('USD', 'JPY', 'BHD', 'CLF'), (amount, currency) => {
      const number = toJsonNumber(amount, currency)
      assert(Object.is(number, Number(formatDecimal(amount, currency))), `${amount} ${currency} is ${number}`)
    }),
    { numRuns: runs(5_000) },
  )
})

test('a share is rounded once, half away from zero, by at most half a cent', () => {
  const rows: [minor: bigint, rate: bigint, share: bigint][] = [
    [1n, 500_000n, 1n],
    [-1n, 500_000n, -1n],
    [3n, 500_000n, 2n],
    [1n, 499_999n, 0n],
    [10_000n, 52_500n, 525n],
    [0n, PPM, 0n],
  ]
  for (const [minor, rate, share] of rows) assert.equal(roundHalfUp(minor * rate), share)
  const rates = fc.bigInt({ min: 0n, max: PPM })
  fc.assert(
    fc.property(cents, rates, (minor, rate) => {
      const off = roundHalfUp(minor * rate) * PPM - minor * rate
      assert.ok(2n * (off < 0n ? -off : off) <= PPM)
      assert.equal(roundHalfUp(-minor * rate), -roundHalfUp(minor * rate))
    }),
    { numRuns: runs(5_000) },
  )
})

test('formatProduct keeps all digits of an unrounded product', () => {
  const rows: [product: bigint, currency: string, text: string][] = [
    [0n, 'USD', '0.00'],
    [2_500_000n, 'USD', '0.025'],
    [250_000_000n, 'USD', '2.50'],
    [1n, 'USD', '0.00000001'],
    [-123_456_789n, 'USD', '-1.23456789'],
    [123_000_000n, 'JPY', '123'],
    [123_400_000n, 'JPY', '123.4'],
    [1_234_000_000n, 'KWD', '1.234'],
  ]
  for (const [product, currency, text] of rows) assert.equal(formatProduct(product, currency), text)
})

test('apportion splits a total exactly, and no part exceeds its amount if the total fits into the sum', () => {
  const rows: [total: bigint, over: bigint[], parts: bigint[]][] = [
    [10n, [34n, 33n, 33n], [4n, 3n, 3n]],
    [1n, [1n, 1n, 1n], [1n, 0n, 0n]],
    [5n, [1n, 3n, 0n], [1n, 4n, 0n]],
    [2n, [50n, 25n, 25n], [1n, 1n, 0n]],
    [0n, [3n], [0n]],
    [7n, [0n, 0n], [0n, 0n]],
    [7n, [], []],
  ]
  for (const [total, over, parts] of rows) assert.deepEqual(apportion(total, over), parts)
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1 }), fc.nat(1_000), (over, share) => {
      const sum = over.reduce((all, one) => all + one, 0n)
      const total = (sum * BigInt(share)) / 1_000n
      const parts = apportion(total, over)
      assert.equal(
        parts.reduce((all, one) => all + one, 0n),
        total,
      )
      parts.forEach((part, index) => {
        const exact = (over[index] ?? 0n) * total
        assert.ok(part <= (over[index] ?? 0n))
        assert.ok(sum === 0n || (part * sum > exact - sum && part * sum < exact + sum))
      })
    }),
    { numRuns: runs(5_000) },
  )
})

test('no part of a reward split is negative', () => {
  const rates = fc.tuple(fc.nat(500_000), fc.nat(500_000))
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), rates, (gross, [fee, share]) => {
      const [forFee, forShare] = [floorShare(gross, BigInt(fee)), floorShare(gross, BigInt(share))]
      assert.ok(forFee >= 0n && forShare >= 0n && gross - forFee - forShare >= 0n)
    }),
    { numRuns: runs(5_000) },
  )
})

test('percentages have at most four decimals and are converted exactly', () => {
  assert.deepEqual([percentToPpm(5.25), percentToPpm(0.0001), percentToPpm(100)], [52_500, 1, 1_000_000])
  for (const percent of [0.00001, -1, 1000, Number.NaN]) assert.equal(percentToPpm(percent), null)
  fc.assert(fc.property(fc.nat(1_000_000), (ppm) => percentToPpm(ppmToPercent(ppm)) === ppm))
})
