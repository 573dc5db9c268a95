import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deriveUuid } from '../../platform/ids.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { createTrackingLinks } from './links.ts'

const makeVault = (letter: string) =>
  createVault(Buffer.from(`${letter}123456789abcdefghijklmnopqrstuv`).toString('base64'))
const links = createTrackingLinks({ vault: makeVault('0'), baseUrl: () => 'https://r.example' })
const user = deriveUuid<'user'>('a')
const toToken = (url: string): string => url.slice('https://r.example/r/'.length)

test('a link encodes its user and offer', () => {
  const uids = fc.stringMatching(/^[A-Za-z0-9._~-]{1,64}$/)
  fc.assert(
    fc.property(fc.string(), uids, (name, offerUid) => {
      const userId = deriveUuid<'user'>(name)
      const url = links.forUser(userId)(offerUid)
      assert.deepEqual(links.read(toToken(url)), { userId, offerUid })
      assert.equal(url, encodeURI(url))
    }),
  )
})

test("a user's link to an offer never changes, so it can be cached", () => {
  assert.equal(links.forUser(user)('off_1'), links.forUser(user)('off_1'))
})

test('a link in which any character has been changed is rejected', () => {
  const token = toToken(links.forUser(user)('off_1234'))
  for (let at = 0; at < token.length; at++) {
    for (const other of ['A', 'b', '7', '_']) {
      if (token[at] === other) continue
      assert.equal(links.read(token.slice(0, at) + other + token.slice(at + 1)), null)
    }
  }
  for (const wrong of ['', 'x', token.slice(0, -1), `${token}x`, 'x'.repeat(100), '\u0000'.repeat(50)]) {
    assert.equal(links.read(wrong), null)
  }
})

test('a link created with another master key is rejected', () => {
  const other = createTrackingLinks({ vault: makeVault('x'), baseUrl: () => 'https://r.example' })
  assert.equal(other.read(toToken(links.forUser(user)('off_1'))), null)
})
