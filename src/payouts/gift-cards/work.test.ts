import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../test/support/eventually.ts'
import { startService } from '../../main.ts'
import { type GiftCardApp, startGiftCardApp } from './test-support.ts'

// Starts only the API, so orders wait as they would if no worker were running.

let app: GiftCardApp
const logged: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  }),
)

before(async () => {
  app = await startGiftCardApp({ settings: { LAUREL_ROLE: 'api' }, log })
})

after(() => app.closeWithSoundBooks())

function startWorkerProcess() {
  const { config } = app.service
  return startService({ ...config, role: 'worker' }, { log, linkerUrls: { sandbox: app.simulatorUrl }, drainMs: 0 })
}

test('orders placed while no worker is running are delivered exactly once, even by several workers', async () => {
  const name = await app.user()
  const orders = []
  for (let count = 0; count < 8; count++)
    orders.push(await app.place(name, { 25: 1 }, { external_ref: `ref-${count}` }))
  assert.ok((await app.call('GET', '/gift-cards/orders?status=delivered')).body.content.length === 0)
  const workers = await Promise.all([startWorkerProcess(), startWorkerProcess()])
  try {
    for (const { order_id } of orders) {
      await eventually(async () => (await app.find(order_id)).status === 'delivered')
      assert.equal((await app.supplied(order_id)).length, 1)
    }
  } finally {
    for (const worker of workers) await worker.close()
  }
  assert.equal((await app.balances(name)).pending, 8)
})

test('gift card numbers and codes never appear in the database, logs or events', async () => {
  const name = await app.user()
  const { cards } = await app.deliver(name, { 25: 2, 50: 1 })
  const secrets: string[] = []
  for (const { card_id } of cards) {
    const { body } = await app.call('POST', `/gift-cards/${card_id}/reveal`, undefined, {
      'Idempotency-Key': `key ${card_id}`,
    })
    secrets.push(body.number, body.code)
    await app.call('POST', `/gift-cards/${card_id}/refund`)
  }
  await app.simulate('faults', { calls: 1, fault: 'unreadable' })
  await app.pass()
  await app.pass()
  assert.equal(secrets.length, 6)
  const { body: feed } = await app.call('GET', '/events?after=0&limit=100')
  const found = [await dump(), logged.join('\n'), JSON.stringify(feed)]
  assert.ok(found.every((text) => text.length > 0))
  for (const secret of secrets)
    for (const form of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, 10),
    ])
      assert.deepEqual(
        found.map((text) => text.includes(form)),
        [false, false, false],
        form,
      )
})

/** Returns every row of every table as text. */
async function dump(): Promise<string> {
  const { reader } = app.owner
  const tables = await reader<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await reader<{ row: string }[]>`select t::text as row from ${reader(name)} t`
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}
