import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerRow as row } from '../../../../../test/support/feed-plan.ts'
import type { ProviderRow } from '../../provider.ts'
import { type ParsedRow, parseUpdate } from './parse-row.ts'

function parsed(one: ProviderRow, timeZone = 'UTC'): ParsedRow {
  const [only] = parseUpdate({ rows: [one], removed: [] }, timeZone).rows
  assert(only !== undefined)
  return only
}

test("the authorization's time or day takes precedence over the posting's, and midnight counts as no time", () => {
  const moment = (rest: Partial<ProviderRow>, zone = 'UTC') => {
    const { at, dateOnly } = parsed(row('a', 1, rest), zone).bought
    return `${at.toISOString()}${dateOnly ? ' day' : ''}`
  }
  const cases: readonly [Partial<ProviderRow>, string][] = [
    [{ authorizedDatetime: '2026-03-03T10:00:00Z', datetime: '2026-03-05T01:00:00Z' }, '2026-03-03T10:00:00.000Z'],
    [{ datetime: '2026-03-05T09:30:00Z' }, '2026-03-05T09:30:00.000Z'],
    [{ datetime: '2026-03-05T09:30:00Z', authorizedDate: '2026-03-04' }, '2026-03-04T00:00:00.000Z day'],
    [{ datetime: '2026-03-05T00:00:00Z' }, '2026-03-05T00:00:00.000Z day'],
    [{ authorizedDate: '2026-03-04' }, '2026-03-04T00:00:00.000Z day'],
    [{}, '2026-03-05T00:00:00.000Z day'],
  ]
  for (const [rest, expected] of cases) assert.equal(moment(rest), expected)
  assert.equal(moment({}, 'America/New_York'), '2026-03-05T05:00:00.000Z day')
})

test('amounts are exact to the cent, even when the provider sends rounding noise', () => {
  for (const [amount, minor] of [
    [0.1 + 0.2, 30n],
    [19.99, 1999n],
    [1.005, 100n],
    [-12.340000000000002, 1234n],
  ] as const)
    assert.equal(parsed(row('a', amount)).amount, minor)
  assert.equal(parsed(row('a', 1200, { currency: 'JPY' })).amount, 1200n)
})

test('transfers, loans, income and bank fees are neither purchases nor refunds', () => {
  const kinds = (category: string) => [12, -12].map((amount) => parsed(row('a', amount, { category })).kind)
  for (const category of ['TRANSFER_IN', 'TRANSFER_OUT', 'LOAN_PAYMENTS', 'LOAN_DISBURSEMENTS', 'INCOME', 'BANK_FEES'])
    assert.deepEqual(kinds(category), [null, null], category)
  assert.deepEqual(kinds('GENERAL_MERCHANDISE'), ['CLEARING', 'REFUND'])
})
