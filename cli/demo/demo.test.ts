import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from '../test-support.ts'

test('without a service or key, the demo provides both, and the payout arrives in full', async () => {
  const env = { DATABASE_URL: (await testDatabase('demo')).url, LAUREL_DATA_DIR: await dataFolder() }
  const demo = await laurel(['demo'], env)
  assert.equal(demo.code, 0, demo.stderr)
  const [, available] = /available_cashback (\d+\.\d\d) USD/.exec(demo.stdout) ?? []
  assert(Number(available) > 0, demo.stdout)
  assert(demo.stdout.includes(`paid out ${available} USD`), demo.stdout)
  assert.match(demo.stdout, new RegExp(`Redemption paid out +−${available}$`, 'm'))
  const { publishers } = await laurelJson(['publishers', 'list'], env)
  assert.deepEqual(
    publishers.map((one: { name: string }) => one.name),
    ['Sandbox', 'Demonstration'],
  )
  const { keys } = await laurelJson(['keys', 'list', '--publisher', publishers[1].publisher_id], env)
  assert.equal(keys.length, 1)
  assert(Date.parse(keys[0].expires_at) <= Date.now() + 3_600_000, keys[0].expires_at)
  const { entries } = await laurelJson(['audit', 'list', '--subject', keys[0].key_id], env)
  assert.equal(entries.length, 1)
  const production = await laurel(['demo'], { ...env, LAUREL_DEMO: '0' })
  assert.deepEqual([production.code, production.stdout], [1, ''])
  assert.match(production.stderr, /does not run where LAUREL_DEMO is 0/)
})

test('the demo refuses to run against a real provider', async () => {
  const env = {
    DATABASE_URL: (await testDatabase('demo')).url,
    LAUREL_DATA_DIR: await dataFolder(),
    LAUREL_LINKER_URL: 'http://127.0.0.1:1',
  }
  const demo = await laurel(['demo'], env)
  assert.equal(demo.code, 1)
  assert.match(demo.stderr, /^The demo makes purchases on the simulator/)
})
