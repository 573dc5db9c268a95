import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PayoutAccount } from './bank-account.ts'
import type { PayoutFile } from './payout-file.ts'
import { CHECKING, FRENCH, GERMAN, makeEntries, makeFile, makeReference, PAYER, SAVINGS } from './testing.ts'
import { findFileFault, writePayoutFile } from './write-file.ts'

test('every column of a file with two credits is correct', () => {
  const file = makeFile(makeEntries([1234n, CHECKING], [500n, SAVINGS]))
  const filler = '9'.repeat(94)
  assert.deepEqual(writePayoutFile('nacha', file).split('\n'), [
    '101 091000019 1234567892603041516A094101EXAMPLE BANK           LAUREL REWARDS, INC.   0000FILE',
    '5220LAUREL REWARDS,                     1234567890PPDCASHBACK        260306   1091000010000001',
    '622021000021123456789        0000001234000000000000001ADA LOVELACE            0091000010000001',
    "632121000248000123456789012340000000500000000000000002ZOE ASTROM-O'NEILL      0091000010000002",
    '822000000200142000260000000000000000000017341234567890                         091000010000001',
    '9000001000001000000020014200026000000000000000000001734                                       ',
    filler,
    filler,
    filler,
    filler,
    '',
  ])
})

/** Parses a file by the column positions in the NACHA rules, independently of the writer. */
function readColumns(text: string) {
  assert(text.endsWith('\n'))
  const lines = text.slice(0, -1).split('\n')
  for (const line of lines) assert.match(line, /^[0-9A-Z .,&'()/-]{94}$/)
  assert.equal(lines.length % 10, 0)
  const field = (line: string | undefined, from: number, to: number): string => (line ?? '').slice(from - 1, to)
  const entries = lines.filter((line) => line.startsWith('6'))
  const [batch] = lines.filter((line) => line.startsWith('8'))
  const [control] = lines.filter((line) => line.startsWith('9') && !/^9+$/.test(line))
  const sum = entries.reduce((total, line) => total + BigInt(field(line, 30, 39)), 0n)
  const hash = entries
    .reduce((total, line) => total + BigInt(field(line, 4, 11)), 0n)
    .toString()
    .slice(-10)
  assert.equal(Number(field(batch, 5, 10)), entries.length)
  assert.equal(field(batch, 11, 20), hash.padStart(10, '0'))
  assert.equal(BigInt(field(batch, 21, 32)), 0n)
  assert.equal(BigInt(field(batch, 33, 44)), sum)
  assert.equal(field(control, 2, 7), '000001')
  assert.equal(Number(field(control, 8, 13)) * 10, lines.length)
  assert.equal(Number(field(control, 14, 21)), entries.length)
  assert.equal(field(control, 22, 31), field(batch, 11, 20))
  assert.equal(field(control, 32, 55), field(batch, 21, 44))
  entries.forEach((line, index) => {
    assert.equal(field(line, 80, 94), `09100001${String(index + 1).padStart(7, '0')}`)
  })
  return entries.map((line) => ({
    code: field(line, 2, 3),
    routing: field(line, 4, 12),
    account: field(line, 13, 29).trimEnd(),
    amount: BigInt(field(line, 30, 39)),
    id: field(line, 40, 54),
  }))
}

const account: fc.Arbitrary<PayoutAccount> = fc.record({
  type: fc.constant('us_bank_account'),
  holderName: fc
    .string({ unit: fc.constantFrom(...'Az9 -ßøЖ李é’&<"𠮷€'), minLength: 1, maxLength: 137 })
    .map((text) => `N${text}N`),
  routingNumber: fc.constantFrom('021000021', '121000248', '322271627', '011401533'),
  accountNumber: fc.stringMatching(/^[0-9]{4,17}$/),
  accountType: fc.constantFrom('checking', 'savings'),
})

test('arbitrary names and amounts stay within their columns, and totals match the entries', () => {
  const rows = fc.array(fc.tuple(fc.bigInt(1n, 9_999_999_999n), account), { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(rows, (pairs) => {
      const entries = makeEntries(...pairs)
      const read = readColumns(writePayoutFile('nacha', makeFile(entries)))
      const expected = entries.map(({ reference, amount, account }) => {
        assert(account.type === 'us_bank_account')
        return {
          code: account.accountType === 'checking' ? '22' : '32',
          routing: account.routingNumber,
          account: account.accountNumber,
          amount,
          id: reference.slice(-15),
        }
      })
      assert.deepEqual(read, expected)
    }),
  )
})

test('files are padded to blocks of ten lines, regardless of their length', () => {
  for (let count = 1; count <= 30; count++) {
    const rows = Array.from({ length: count }, () => [1n, CHECKING] as const)
    assert.equal(readColumns(writePayoutFile('nacha', makeFile(makeEntries(...rows)))).length, count)
  }
})

test('the entry hash keeps the last ten digits of a longer sum', () => {
  const rows = Array.from({ length: 1_000 }, () => [1n, SAVINGS] as const)
  const text = writePayoutFile('nacha', makeFile(makeEntries(...rows)))
  readColumns(text)
  // 12,100,024 × 1,000 has eleven digits.
  assert.match(text, /^8220001000(2100024000)/m)
})

test('files created on the same day have different modifiers', () => {
  const modifiers = [1, 2, 26, 27, 36].map(
    (numberOfDay) => writePayoutFile('nacha', makeFile(makeEntries([1n, CHECKING]), { numberOfDay }))[33],
  )
  assert.deepEqual(modifiers, ['A', 'B', 'Z', '0', '9'])
})

test('a file that the format or the ACH network cannot represent is refused', () => {
  const nacha = PAYER.nacha
  assert(nacha !== null)
  const one = makeEntries([1n, CHECKING])
  const table: [PayoutFile, RegExp][] = [
    [makeFile([]), /no payouts to pay/],
    [makeFile(one, { currency: 'EUR' }), /US dollars/],
    [makeFile(makeEntries([1n, GERMAN])), /US bank accounts/],
    [makeFile(makeEntries([10_000_000_000n, CHECKING])), /amount is too large/],
    [makeFile(makeEntries(...Array.from({ length: 101 }, () => [9_999_999_999n, CHECKING] as const))), /sum/],
    [makeFile(one, { numberOfDay: 0 }), /36 NACHA files/],
    [makeFile(one, { numberOfDay: 37 }), /36 NACHA files/],
    [makeFile(one, { payer: { ...PAYER, nacha: null } }), /no details/],
    [makeFile(one, { payer: { ...PAYER, name: '"' } }), /name of the payer/],
    [makeFile(one, { payer: { ...PAYER, nacha: { ...nacha, companyId: '12' } } }), /company id/],
    [makeFile(one, { payer: { ...PAYER, nacha: { ...nacha, odfiRouting: '1' } } }), /sending bank/],
    [makeFile(one, { payer: { ...PAYER, nacha: { ...nacha, immediateDestination: '1' } } }), /destination/],
    [makeFile(one, { payer: { ...PAYER, nacha: { ...nacha, immediateDestinationName: '' } } }), /name of the dest/],
    [makeFile(one, { payer: { ...PAYER, nacha: { ...nacha, immediateOrigin: '12345678901' } } }), /origin/],
    [makeFile(makeEntries([0n, CHECKING])), /greater than zero/],
    [makeFile(makeEntries([-1n, CHECKING])), /greater than zero/],
    [makeFile([...one, ...one]), /twice/],
    [
      makeFile([...one, ...one.map((entry) => ({ ...entry, reference: `XX${entry.reference.slice(2)}` }))]),
      /same ending/,
    ],
    [makeFile(one.map((entry) => ({ ...entry, reference: 'short' }))), /reference must be/],
    [makeFile(one, { fileId: 'lower' }), /id must be/],
    [makeFile(one, { payOn: '2026-02-30' }), /payment date/],
    [makeFile(makeEntries([1n, { ...CHECKING, accountNumber: '1' } as PayoutAccount])), /accountNumber/],
  ]
  for (const [file, fault] of table) {
    assert.match(String(findFileFault('nacha', file)), fault)
    assert.throws(() => writePayoutFile('nacha', file), RangeError)
  }
})

test('an error identifies the entry by its reference, never by its account', () => {
  const fault = findFileFault('nacha', makeFile(makeEntries([1n, CHECKING], [1n, FRENCH])))
  assert.match(String(fault), new RegExp(`^${makeReference(2)}: `))
  assert.doesNotMatch(String(fault), /FR14|Αλέξης/)
})
