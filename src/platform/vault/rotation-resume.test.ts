import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openWorld } from '../../../test/support/secrets.ts'
import type { Database } from '../db/database.ts'
import { describeRotation } from './installation.ts'
import { addKey } from './key-source.ts'
import { listMasterKeys } from './queries.ts'
import { type RotationOptions, rotateMasterKey } from './rotation.ts'
import type { Secrets } from './service.ts'
import { sealUnder } from './vault.ts'

// Unfinished rotations, with the keys in the data folder.

const OPTIONS: RotationOptions = { report: () => undefined, pagesPerBatch: 1, pauseMs: 0, settleMs: 0 }
const names = Array.from({ length: 120 }, (_, index) => `record ${index}`)

class Killed extends Error {}

/** Returns what doctor and status report about an unfinished rotation. */
async function begun(db: Database, { source }: Secrets): Promise<string | null> {
  return describeRotation(await listMasterKeys(db.reader), source.read(), { isFile: true })
}

test('a rotation killed at any step can be resumed, and all records stay readable in the meantime', async () => {
  const { db, enterFolder, leave, put, get, states } = await openWorld()
  const first = await enterFolder()
  for (const name of names) await put(first, name)
  const old = first.ring.sealing().id
  const rotating = await enterFolder()
  for (let steps = 0; (await states())[old] !== 'retired'; steps++) {
    let reports = 0
    const report = () => {
      if (reports++ === steps) throw new Killed()
    }
    await assert.rejects(rotateMasterKey(db, rotating, { ...OPTIONS, report }), Killed)
    const isOver = (await states())[old] === 'retired' && first.source.read().length === 1
    assert.equal((await begun(db, first)) === null, isOver, `killed at ${steps}`)
    const starting = await enterFolder()
    for (const process of [first, starting]) {
      for (const name of names) assert.equal(await get(process, name), `secret of ${name}`)
      await put(process, `record ${steps}`)
    }
    await leave(starting)
  }
  const present = await states()
  assert.deepEqual([present[old], Object.values(present).sort()], ['retired', ['retired', 'sealing']])
  assert.deepEqual(
    first.source.read().map((key) => present[key.id]),
    ['sealing'],
  )
})

test('a rotation reuses the key left by a killed rotation, or just drops a leftover retired key', async () => {
  const { db, enterFolder, states } = await openWorld()
  const secrets = await enterFolder()
  const file = secrets.source.file ?? ''
  const [old] = secrets.source.read()
  assert.equal(await begun(db, secrets), null)
  const left = await addKey(file, [])
  assert.match((await begun(db, secrets)) ?? '', /a new master key/)
  const before = await readFile(file, 'utf8')
  assert.equal((await rotateMasterKey(db, secrets, OPTIONS)).keyId, left.id)
  assert.deepEqual(await states(), { [old?.id ?? '']: 'retired', [left.id]: 'sealing' })
  assert.equal(await begun(db, secrets), null)
  await writeFile(file, before)
  assert.match((await begun(db, secrets)) ?? '', /a retired master key/)
  const again = await rotateMasterKey(db, secrets, OPTIONS)
  assert.deepEqual([again.resumed, again.keyId], [true, left.id])
  assert.deepEqual(
    secrets.source.read().map((key) => key.id),
    [left.id],
  )
})

test('a process opens records under a key that was added to the file after it started', async () => {
  const { enterFolder } = await openWorld()
  const secrets = await enterFolder()
  const added = await addKey(secrets.source.file ?? '', [])
  assert.equal(secrets.vault.open(sealUnder(added, 'secret', 'c'), 'c'), 'secret')
})
