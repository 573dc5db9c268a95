import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataTextOf, packData } from '../events/stored-data.ts'
import { TransactionSchema } from './schema.ts'

test('the data of a transaction is stored without names and read back with the same bytes', () => {
  const names = Object.keys(TransactionSchema.properties)
  const data = Object.fromEntries(names.map((name, index) => [name, index % 3 ? name : null]))
  const stored = JSON.stringify(packData(data))
  assert.doesNotMatch(stored, /:/)
  assert.equal(dataTextOf(stored), JSON.stringify(data))
})
