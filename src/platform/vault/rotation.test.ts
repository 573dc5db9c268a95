import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { newKey, openWorld, toKeyId } from '../../../test/support/secrets.ts'
import { ConfigError } from '../config/config.ts'
import { countByColumn, type RotationOptions, RotationStopped, rotateMasterKey } from './rotation.ts'
import { ALIVE_SECONDS } from './service.ts'
import { createVault } from './vault.ts'

const OPTIONS: RotationOptions = { report: () => undefined, pagesPerBatch: 1, pauseMs: 0, settleMs: 0 }
const names = (count: number) => Array.from({ length: count }, (_, index) => `record ${index}`)

test('after a rotation, the new key opens all records, and the old key is rejected', async () => {
  const { db, enter, put, get, states } = await openWorld()
  const [old, next] = [newKey(), newKey()]
  const first = await enter(old)
  for (const name of names(400)) await put(first, name)
  await first.close()
  const both = await enter(next, old)
  const rotation = await rotateMasterKey(db, both, OPTIONS)
  assert.deepEqual(
    { ...rotation, wrapped: rotation.wrapped >= 401 },
    { keyId: toKeyId(next), retired: [toKeyId(old)], wrapped: true, resumed: false },
  )
  assert.deepEqual(await states(), { [toKeyId(old)]: 'retired', [toKeyId(next)]: 'sealing' })
  assert.deepEqual(
    (await countByColumn(db)).filter((count) => count.keyId !== toKeyId(next)),
    [],
  )
  await assert.rejects(enter(old), ConfigError)
  const alone = await enter(next)
  for (const name of names(400)) assert.equal(await get(alone, name), `secret of ${name}`)
  assert.deepEqual(alone.vault.derivedKey('links'), first.vault.derivedKey('links'))
  assert.deepEqual(alone.vault.fingerprint('v', 'c'), first.vault.fingerprint('v', 'c'))
})

test('during a rotation, processes with both keys read and write, and no newer secret is overwritten', async () => {
  const { db, enter, put, get, enterWithBoth } = await openWorld()
  const { old, next, both: rotating } = await enterWithBoth()
  const processes = [rotating, await enter(next, old), await enter(next, old)]
  for (const name of names(200)) await put(rotating, name, '0')
  let stopped = false
  const latest = new Map<string, string>()
  const busy = processes.map(async (process, index) => {
    const own = names(200).filter((_, at) => at % processes.length === index)
    for (let count = 1; !stopped; count++) {
      for (const name of own) {
        assert.equal(await get(process, name), latest.get(name) ?? '0')
        await put(process, name, String(count))
        latest.set(name, String(count))
      }
    }
  })
  await eventually(async () => latest.size === 200)
  await rotateMasterKey(db, rotating, { ...OPTIONS, settleMs: 5_000 })
  stopped = true
  await Promise.all(busy)
  for (const name of names(200)) assert.equal(await get(rotating, name), latest.get(name))
  assert.deepEqual([...new Set((await countByColumn(db)).map((count) => count.keyId))], [toKeyId(next)])
})

test('a rotation waits for any process that lacks the new key, and reports its name', async () => {
  const { db, enter, leave, states } = await openWorld()
  const [old, next] = [newKey(), newKey()]
  const unprepared = await enter(old)
  const both = await enter(next, old)
  const reports: string[] = []
  let isWaiting = false
  const report: RotationOptions['report'] = ({ done, total, about }) => {
    reports.push(`${done}/${total} ${about}`)
    if (total === 2) isWaiting = true
  }
  const rotation = rotateMasterKey(db, both, { ...OPTIONS, report })
  await eventually(async () => isWaiting)
  assert.deepEqual(await states(), { [toKeyId(old)]: 'sealing', [toKeyId(next)]: 'announced' })
  assert.equal(reports.at(-1), `1/2 processes hold ${toKeyId(next)}, waiting for a process`)
  // The process is restarted with both keys, and the waiting rotation continues.
  await leave(unprepared)
  await enter(next, old)
  await rotation
  assert.deepEqual(await states(), { [toKeyId(old)]: 'retired', [toKeyId(next)]: 'sealing' })
})

test('a rotation does not wait for a killed process', async () => {
  const { db, enterWithBoth, states } = await openWorld()
  const { old, next, both } = await enterWithBoth()
  const seen = `${ALIVE_SECONDS + 1} seconds`
  await db.reader`
    insert into key_holders (holder_id, name, held, sealing, seen_at)
    values (gen_random_uuid(), 'a killed process', ${[toKeyId(old)]}, ${toKeyId(old)}, now() - ${seen}::interval)`
  await rotateMasterKey(db, both, OPTIONS)
  assert.deepEqual(await states(), { [toKeyId(old)]: 'retired', [toKeyId(next)]: 'sealing' })
})

test('a rotation requires a new key and rejects a retired one', async () => {
  const { db, enter, leave } = await openWorld()
  const [old, next] = [newKey(), newKey()]
  const alone = await enter(old)
  await assert.rejects(rotateMasterKey(db, alone, OPTIONS), /LAUREL_MASTER_KEY=NEW,OLD/)
  await leave(alone)
  await rotateMasterKey(db, await enter(next, old), OPTIONS)
  await assert.rejects(rotateMasterKey(db, await enter(old, next), OPTIONS), RotationStopped)
})

test('the database rejects records sealed under a retired key, and their transaction is retried', async () => {
  const { db, enter, put, enterWithBoth } = await openWorld()
  const { old, next, both } = await enterWithBoth()
  await put(both, 'before')
  await rotateMasterKey(db, both, OPTIONS)
  const late = { vault: createVault(old) }
  await assert.rejects(put(late, 'late'), /master key .* is closed/)
  await assert.rejects(put(late, 'before'), /master key .* is closed/)
  // The transaction is retried and then seals under the current key.
  const current = await enter(next)
  let attempt = 0
  await db.transaction(async (tx) => {
    const { vault } = attempt++ === 0 ? late : current
    await tx`insert into records (name, sealed_secret) values ('again', ${vault.seal('again', 'again')})`
  })
  assert.equal(attempt, 2)
})

test('a record that cannot be wrapped stays unchanged, and the old key is not retired', async () => {
  const { db, enter, put, get, states, enterWithBoth } = await openWorld()
  const { old, next, both } = await enterWithBoth()
  for (const name of names(3)) await put(both, name)
  const [row] = await db.reader<{ whole: Buffer }[]>`
    update records set sealed_more = sealed_secret,
      sealed_secret = set_byte(sealed_secret, 20, get_byte(sealed_secret, 20) # 1)
    where name = 'record 1' returning sealed_secret as whole`
  await assert.rejects(rotateMasterKey(db, both, OPTIONS), (error) => {
    assert(error instanceof RotationStopped)
    return error.message.endsWith(`1 in records.sealed_secret under ${toKeyId(old)}.`)
  })
  assert.equal((await states())[toKeyId(old)], 'closing')
  const [kept] = await db.reader<
    { whole: Buffer }[]
  >`select sealed_secret as whole from records where name = 'record 1'`
  assert.deepEqual(kept, row)
  assert.equal(await get(both, 'record 2'), 'secret of record 2')
  await db.reader`update records set sealed_secret = sealed_more where name = 'record 1'`
  assert.equal((await rotateMasterKey(db, both, OPTIONS)).resumed, true)
  assert.equal(await get(await enter(next), 'record 1'), 'secret of record 1')
})

test('a record in a row locked by a long transaction is wrapped in a later pass', async () => {
  const { db, enter, put, get, enterWithBoth } = await openWorld()
  const { next, both } = await enterWithBoth()
  await put(both, 'held')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isHeld = false
  const holding = db.transaction(async (tx) => {
    await tx`select 1 from records where name = 'held' for update`
    isHeld = true
    await released
  })
  await eventually(async () => isHeld)
  const report: RotationOptions['report'] = ({ step, about }) => {
    if (step === 'wrap' && about === 'records.sealed_secret') release()
  }
  await rotateMasterKey(db, both, { ...OPTIONS, report })
  await holding
  assert.equal(await get(await enter(next), 'held'), 'secret of held')
})
