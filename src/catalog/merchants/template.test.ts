import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { deriveTemplate, toProviderKey } from './template.ts'

const deriveKey = (merchantDescriptor: string, city?: string) => deriveTemplate({ merchantDescriptor, city })

test('a merchant has the same key across stores, dates, cards and places', () => {
  const same: readonly (readonly string[])[] = [
    [
      'MARGES DINER 0412 BOISE ID',
      'MARGES DINER #17 RENO NV',
      'SQ *MARGES DINER',
      'Marges Diner 03/04',
      "MARGE'S DINER RENO NV",
    ],
    ['KETTLE MKT *A1B2C3 SEATTLE WA', 'KETTLE MKT *9Z8Y7', 'KETTLE MKT'],
    [
      'PURCHASE AUTHORIZED ON 03/04 TIDEWELL S0099887766 CARD 1234',
      'TIDEWELL F20111',
      'CHECKCARD xxxx TIDEWELL 800-555-1234 NY',
    ],
    ['4411 TIDEWELL', 'TIDEWELL'],
  ]
  for (const [first = '', ...others] of same) {
    for (const other of others) assert.equal(deriveKey(other), deriveKey(first), `${other} = ${first}`)
  }
  assert.equal(deriveKey('TIDEWELL TRUTH', 'Truth'), 'tidewell')
})

test('different merchants have different keys', () => {
  const texts = ['TIDEWELL', 'TIDEWELL DENTAL', 'DOORDASH*TIDEWELL', 'KETTLE *EATS', 'KETTLE *TRIP', 'KETTLE']
  assert.equal(new Set(texts.map((text) => deriveKey(text))).size, texts.length)
})

test('the cleaned name is used if there is no printed text, and text without a name has no key', () => {
  assert.equal(deriveTemplate({ merchantName: "Marge's Diner" }), 'marges diner')
  assert.equal(deriveTemplate({ merchantName: "Marge's Diner", merchantDescriptor: ' ' }), 'marges diner')
  for (const text of ['', '  ', '1234 5678', '***', 'xxxx']) assert.equal(deriveKey(text), null, text)
  assert.equal(toProviderKey('p-1'), 'provider:p-1')
})

test("a key has no digits and never equals a provider's key", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const key = deriveKey(text)
      assert.ok(key === null || !/[\d:]/.test(key), `${key}`)
    }),
    { numRuns: runs(1000) },
  )
})
