import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { newKey, openWorld } from '../../../test/support/secrets.ts'
import { ConfigError } from '../config/config.ts'
import { enterInstallation } from './installation.ts'
import { chooseKeySource, createKeyFile } from './key-source.ts'
import { listSealedColumns } from './sealed-columns-queries.ts'
import { createVault } from './vault.ts'

test('a database from an older version keeps its fingerprints and its key', async () => {
  const { db, enter } = await openWorld()
  const [key, next] = [newKey(), newKey()]
  const before = createVault(key)
  await db.reader`insert into installation (master_key_fingerprint) values (${before.fingerprint('master key', 'installation')})`
  await assert.rejects(enter(next), ConfigError)
  const { vault } = await enter(next, key)
  assert.deepEqual(vault.fingerprint('v', 'c'), before.fingerprint('v', 'c'))
  assert.deepEqual(vault.derivedKey('links'), before.derivedKey('links'))
  assert.equal(vault.open(before.seal('secret', 'c'), 'c'), 'secret')
})

test('processes that start concurrently on an empty database agree on its secrets', async () => {
  const { enter } = await openWorld()
  const key = newKey()
  const all = await Promise.all(Array.from({ length: 6 }, () => enter(key)))
  const prints = all.map(({ vault }) => vault.fingerprint('v', 'c').toString('hex'))
  assert.equal(new Set(prints).size, 1)
  assert.notDeepEqual(all[0]?.vault.fingerprint('v', 'c'), createVault(key).fingerprint('v', 'c'))
})

test('a process that starts while another creates the key in their shared folder uses that key', async () => {
  const { db, dataDir, enterFolder, states } = await openWorld()
  const source = chooseKeySource([], dataDir)
  const starting = await db.transaction(async (tx) => {
    await tx`lock table master_keys in access exclusive mode`
    const entering = enterFolder()
    await eventually(
      async () => (await tx`select from pg_locks where relation = 'master_keys'::regclass and not granted`).length > 0,
    )
    await createKeyFile(join(dataDir, 'master.key'))
    await enterInstallation(tx, source)
    return { entering }
  })
  await starting.entering
  assert.deepEqual(Object.values(await states()), ['sealing'])
})

test('no key is created for a database that already has one', async () => {
  const { enter, enterFolder, leave, dataDir } = await openWorld()
  await leave(await enter(newKey()))
  await assert.rejects(enterFolder(), /The master key is not the one/)
  assert.equal(existsSync(join(dataDir, 'master.key')), false)
})

// Hashes and fingerprints cannot be opened. An erasure's salt, which statements need, only allows a guess to be
// verified (docs/decisions/0053-erasing-a-user.md).
const NOT_SEALED = /(^|_)(sha256|hash|fingerprint|salt)$/

test('every bytea column except hashes, fingerprints and salts is sealed, guarded and found by a rotation', async () => {
  const { db } = await openWorld()
  const columns = await db.reader<{ table: string; column: string; guarded: boolean }[]>`
    select c.relname as table, a.attname as column,
      exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'closed_key_of_' || a.attname) as guarded
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'bytea'::regtype
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attname`
  const sealed = columns.filter(({ column }) => !NOT_SEALED.test(column))
  assert(sealed.length >= 6)
  assert.deepEqual(
    sealed.filter(({ guarded }) => !guarded),
    [],
  )
  assert.deepEqual(
    [...(await listSealedColumns(db.reader))],
    sealed.map(({ table, column }) => ({ table, column })),
  )
})
