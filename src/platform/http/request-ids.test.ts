import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeId } from '../ids.ts'
import { newRequestId } from './request-ids.ts'

test('each request has a unique id that contains its time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 1_000 }, newRequestId)
  const after = Date.now()
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(new Set(ids.map((id) => id.slice(-16))).size, ids.length, 'what is random is never given out twice')
  for (const id of ids) {
    assert.match(id, /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    const hex = (decodeId('req', id) ?? '').replaceAll('-', '').slice(0, 12)
    const cameAt = Number.parseInt(hex, 16)
    assert.ok(cameAt >= before && cameAt <= after, `${id} is of ${cameAt}`)
  }
})
