import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveTemplate } from './template.ts'
import type { MerchantFacts } from './types.ts'

test("a merchant's key is its text without store, date, card or place", () => {
  const rows: readonly (readonly [text: string, key: string | null, more?: MerchantFacts])[] = [
    ['MARGES DINER', 'marges diner'],
    ['MARGES DINER 12 ANNEX', 'marges diner annex'],
    ['MARGES DINER 123 ANNEX', 'marges diner'],
    ['MARGES DINER #1 ANNEX', 'marges diner'],
    ['1234 MARGES DINER', 'marges diner'],
    ['#1 MARGES DINER', 'marges diner'],
    ['MARGES XX DINER', 'marges diner'],
    ['MARGES F20 DINER', 'marges diner'],
    ['MARGES FAB20 DINER', 'marges fab diner'],
    ['MARGES 20F DINER', 'marges diner'],
    ['SQ *MARGES DINER', 'marges diner'],
    ['DOORDASH*MARGES DINER', 'doordash marges diner'],
    ['MARGES DINER BOISE ID', 'marges diner'],
    ['MARGES DINER SOMEWHERE ID', 'marges diner somewhere'],
    ['MARGES DINER TRUTH', 'marges diner truth'],
    ['MARGES DINER TRUTH', 'marges diner', { city: 'Truth' }],
    ['TRUTH', 'truth', { city: 'Truth' }],
    ['TRUTH OAKS DINER', 'truth oaks diner', { city: 'Truth Oaks' }],
    ['MARGES DINER TRUTH OAKS', 'marges diner', { city: 'Truth  Oaks' }],
    ['12 34', null],
  ]
  for (const [merchantDescriptor, key, more] of rows)
    assert.equal(deriveTemplate({ merchantDescriptor, ...more }), key, merchantDescriptor)
})

test('the printed text takes precedence over the cleaned name', () => {
  assert.equal(deriveTemplate({ merchantName: 'Velmora', merchantDescriptor: 'ORVANE' }), 'orvane')
  assert.equal(deriveTemplate({}), null)
})
