import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransactionSchema } from '../rewards/index.ts'
import { dataTextOf, packData } from './stored-data.ts'

test('the data of a transaction is stored without member names and read back with the same bytes', () => {
  const data = Object.fromEntries(
    Object.keys(TransactionSchema.properties).map((name, index) => [name, index % 3 ? name : null]),
  )
  const stored = JSON.stringify(packData(data))
  assert.doesNotMatch(stored, /:/)
  assert.equal(dataTextOf(stored), JSON.stringify(data))
})

test('data of another shape is stored unchanged', () => {
  const data = { link_uid: 'lnk_1', status: null }
  assert.equal(dataTextOf(JSON.stringify(packData(data))), JSON.stringify(data))
})
