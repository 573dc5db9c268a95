import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDataText } from '../../../events/index.ts'
import { packData } from '../../../events/stored-data.ts'
import { TRANSACTION } from './transaction.ts'

test('transaction data is stored without member names and survives the round trip byte for byte', () => {
  const names = Object.keys(TRANSACTION.schema.properties)
  const data = Object.fromEntries(names.map((name, index) => [name, index % 3 ? name : null]))
  const stored = JSON.stringify(packData(data))
  assert.doesNotMatch(stored, /:/)
  assert.equal(toDataText(stored), JSON.stringify(data))
})
