import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { eventually } from '../../../test/support/eventually.ts'
import { REFUSALS } from '../../refusals.ts'
import { Refusal } from '../refusal.ts'
import { createApp } from './app.ts'

const CALL = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'
const ALLOWED = 'GET /allowed HTTP/1.1\r\nHost: test\r\n\r\n'

/** Starts an app that holds the refusals of one path and counts requests and responses. */
async function startHolding(context: TestContext, holdMs: number) {
  const app = createApp({ log: pino({ level: 'silent' }), refusals: REFUSALS, trustedProxies: [] })
  const sockets: Socket[] = []
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    return app.close()
  })
  const counts = { arrived: 0, answered: 0 }
  const onRequest = async () => {
    counts.arrived++
    throw new Refusal('rate_limited', 'Too many.', { holdMs })
  }
  app.addHook('onSend', async () => void counts.answered++)
  app.get('/', { onRequest }, async () => ({}))
  app.get('/allowed', async () => ({ allowed: true }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const open = (): Socket => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket.on('error', () => undefined))
    return socket
  }
  return { app, counts, open }
}

const answersIn = (answer: string) => answer.match(/HTTP\/1\.1 \d+|connection: close/g)

test('a held refusal is sent when the service closes and does not pause a long computation', async (context) => {
  const { app, counts, open } = await startHolding(context, 60_000)
  const socket = open()
  const answer = text(socket)
  socket.write(CALL)
  await eventually(async () => counts.arrived === 1)
  await setImmediate()
  assert.equal(counts.answered, 0)
  assert.equal(await Promise.race([app.givingWay(() => 'done'), setImmediate().then(() => 'a turn later')]), 'done')
  await app.close()
  assert.deepEqual(answersIn(await answer), ['HTTP/1.1 429', 'connection: close'])
})

test('a connection can be reused after a held refusal', async (context) => {
  const { counts, open } = await startHolding(context, 20)
  const socket = open()
  for (let count = 1; count <= 3; count++) {
    socket.write(CALL)
    await eventually(async () => counts.answered === count)
  }
})

test('a second refusal releases the first and closes the connection, however many requests follow', async (context) => {
  const { counts, open } = await startHolding(context, 60_000)
  const socket = open()
  const answer = text(socket)
  socket.write(CALL + ALLOWED + CALL.repeat(2_000))
  assert.deepEqual(answersIn(await answer), ['HTTP/1.1 429', 'HTTP/1.1 200', 'HTTP/1.1 429', 'connection: close'])
  await eventually(async () => counts.answered === counts.arrived + 1)
  assert.ok(counts.arrived < 100, 'what follows on a closed connection is not begun')
})

test('a refusal that cannot be held is sent immediately, and its connection is closed', async (context) => {
  const { counts, open } = await startHolding(context, 60_000)
  for (let count = 0; count < 1_000; count++) open().write(CALL)
  await eventually(async () => counts.arrived === 1_000)
  await setImmediate()
  assert.equal(counts.answered, 0)
  const socket = open()
  const answer = text(socket)
  socket.write(CALL)
  assert.deepEqual(answersIn(await answer), ['HTTP/1.1 429', 'connection: close'])
})
