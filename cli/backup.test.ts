import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fetchPatiently } from '../test/support/app.ts'
import { dataFolder, laurel, laurelJson, laurelProcess, startLaurel } from './test-support.ts'

const [dataDir, elsewhere, parent] = [await dataFolder(), await dataFolder(), await dataFolder()]
const env = { LAUREL_DATA_DIR: dataDir, PORT: '0', SIMULATOR_PORT: '0' }
const restored = { ...env, LAUREL_DATA_DIR: elsewhere }
const backup = join(parent, 'backup')
const running = await startLaurel(env)
after(async () => {
  if (running.child.exitCode === null && running.child.signalCode === null) await running.end('SIGTERM')
})

const ask = async (url: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetchPatiently(url + path, { ...init, headers })
  assert.equal(answer.status, 200, path)
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects
  return (await answer.json()) as any
}
const report = (count: number) =>
  ask(running.url, '/transactions', {
    publisher_user_id: 'load',
    external_id: `load-${count}`,
    merchant_descriptor: 'PEET S COFFEE',
    amount: 12.5,
  })

test('a backup taken under load restores elsewhere with balanced books and a new feed epoch', async () => {
  await ask(running.url, '/users', { publisher_user_id: 'load' })
  let done = false
  let reported = 0
  const load = (async () => {
    while (!done) await report(reported++)
  })()
  const { transaction_uid } = await report(1_000_000)
  const before = reported
  const { code, stderr } = await laurelProcess(['backup', backup], env)
  assert.equal(code, 0, stderr)
  assert(reported > before, 'nothing was written during the backup')
  done = true
  await load
  const { next_cursor } = await ask(running.url, '/events?limit=100')
  assert(!existsSync(join(backup, 'master.key')))
  await running.end('SIGTERM')

  const early = await laurel(['restore', backup], restored)
  assert.match(early.stderr, /put the master key used at the time of the backup into/)
  const LAUREL_MASTER_KEY = randomBytes(32).toString('base64')
  const foreign = await laurel(['restore', backup], { ...restored, LAUREL_MASTER_KEY })
  assert.match(foreign.stderr, /The master key is not the one/)
  await copyFile(join(dataDir, 'master.key'), join(elsewhere, 'master.key'))
  const { ok, epoch, differences } = await laurelJson(['restore', backup, '--by', 'Ada'], restored)
  assert.deepEqual([ok, differences], [true, []])
  assert.notEqual(Number(epoch), Number(String(next_cursor).split('-')[0]))
  const again = await laurel(['restore', backup], restored)
  assert.match(again.stderr, /already contains a database, which a restore would replace/)

  const service = await startLaurel(restored)
  try {
    assert.equal((await ask(service.url, `/transactions/${transaction_uid}`)).transaction_uid, transaction_uid)
    assert.match((await ask(service.url, '/events?limit=1')).next_cursor, new RegExp(`^${epoch}-`))
  } finally {
    await service.end('SIGTERM')
  }
})
