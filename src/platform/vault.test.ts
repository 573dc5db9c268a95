import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createVault, masterKeyOf } from './vault.ts'

const key = () => randomBytes(32).toString('base64')

test('a secret comes back whole, and no two sealings are alike', () => {
  const vault = createVault(key())
  for (const secret of ['', 'access-sandbox-1', 'é 𝄞 \u0000', 'x'.repeat(100_000)])
    assert.equal(vault.open(vault.seal(secret, 'links:1'), 'links:1'), secret)
  assert.notDeepEqual(vault.seal('same', 'c'), vault.seal('same', 'c'))
  assert.equal(vault.seal('findable-secret', 'c').includes('findable-secret'), false)
})

test('what was altered in any one bit, cut, or moved to another row does not open', () => {
  const vault = createVault(key())
  const sealed = vault.seal('secret', 'links:1')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => vault.open(altered, 'links:1'), `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => vault.open(sealed.subarray(0, length), 'links:1'))
  assert.throws(() => vault.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'links:1'))
  assert.throws(() => vault.open(sealed, 'links:2'))
})

test('another master key opens nothing, and says so', () => {
  assert.throws(() => createVault(key()).open(createVault(key()).seal('secret', 'c'), 'c'), /another master key/)
  assert.throws(() => createVault(Buffer.alloc(16).toString('base64')), /32 bytes/)
})

test('fingerprints and derived keys are the same for the same, and apart for each purpose and installation', () => {
  const master = key()
  const [one, again, other] = [createVault(master), createVault(master), createVault(key())]
  assert.deepEqual(one.fingerprint('v', 'c'), again.fingerprint('v', 'c'))
  const prints = [
    one.fingerprint('v', 'c'),
    one.fingerprint('w', 'c'),
    one.fingerprint('v', 'd'),
    other.fingerprint('v', 'c'),
    one.derivedKey('v'),
  ]
  assert.equal(new Set(prints.map((print) => print.toString('hex'))).size, prints.length)
})

test('an installation makes its master key once, readable by nobody else, however many start at once', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'laurel-vault-'))
  after(() => rm(parent, { recursive: true }))
  const dataDir = join(parent, 'data')
  const keys = await Promise.all(Array.from({ length: 8 }, () => masterKeyOf(null, dataDir)))
  assert.equal(Buffer.from(keys[0] ?? '', 'base64').length, 32)
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual(await readdir(dataDir), ['master.key'])
  assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600)
  assert.equal((await readFile(join(dataDir, 'master.key'), 'utf8')).trim(), await masterKeyOf(null, dataDir))
  assert.equal(await masterKeyOf('given', dataDir), 'given')
})
