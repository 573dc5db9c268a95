import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildConfirmation, buildTitle } from '../console/src/pages/catalog-import/confirmation.ts'

const NONE = { added: 0, changed: 0, retired: 0, unchanged: 7 }

test('an import that retires entries shows a warning and requires typing the number of retired entries', () => {
  const outcome = { brands: { ...NONE, retired: 1, added: 2 }, offers: { ...NONE, retired: 3, changed: 4 } }
  assert.equal(buildTitle(outcome), 'Retire 1 brand, retire 3 offers, add 2 brands, change 4 offers?')
  assert.equal(buildConfirmation(outcome), 'retire 4')
})

test('an import that retires nothing requires no typed confirmation', () => {
  const outcome = { brands: { ...NONE, changed: 1 }, offers: { ...NONE, added: 1 } }
  assert.equal(buildTitle(outcome), 'Add 1 offer, change 1 brand?')
  assert.equal(buildConfirmation(outcome), undefined)
  assert.equal(buildTitle({ brands: NONE, offers: NONE }), 'Import a file that changes nothing?')
})
