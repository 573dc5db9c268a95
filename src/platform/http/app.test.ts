import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { REFUSALS } from '../../refusals.ts'
import { createLog } from '../telemetry/log.ts'
import { createApp } from './app.ts'

// Takes a millisecond, so the pause takes five.
function part(): string {
  const beganMs = performance.now()
  while (performance.now() - beganMs < 1);
  return 'done'
}
const afterATurn = () => setImmediate('pauses')

test('a long computation pauses only while a request is waiting for its response', async () => {
  const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
  const [arrived, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.get('/', async () => {
    arrived.resolve()
    await answers.promise
    return {}
  })
  assert.equal(await Promise.race([app.givingWay(part), afterATurn()]), 'done')
  const answered = app.inject('/')
  await arrived.promise
  const paused = app.givingWay(part)
  assert.equal(await Promise.race([paused, afterATurn()]), 'pauses')
  assert.equal(await paused, 'done')
  answers.resolve()
  await answered
  assert.equal(await Promise.race([app.givingWay(part), afterATurn()]), 'done')
  await app.close()
})

test('a long computation does not pause for a client that left mid-body during the key lookup', async (context) => {
  const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
  context.after(() => app.close())
  const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lookUp = Promise.withResolvers<void>()
  app.addHook('onRequest', async (_request, reply) => {
    reply.raw.once('close', left.resolve)
    arrived.resolve()
    await lookUp.promise
  })
  app.post('/', async () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  await arrived.promise
  socket.destroy()
  await left.promise
  lookUp.resolve()
  await setImmediate()
  assert.equal(await Promise.race([app.givingWay(part), afterATurn()]), 'done')
})

test('a client that disconnects mid-body is not logged as an error', async (context) => {
  const logged = new PassThrough({ encoding: 'utf8' })
  const app = createApp({ log: pino({}, logged), refusals: REFUSALS, trustedProxies: [] })
  context.after(() => app.close())
  const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.addHook('preParsing', async ({ raw }) => {
    raw.once('close', left.resolve)
    arrived.resolve()
  })
  app.post('/', async () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  await arrived.promise
  socket.destroy()
  await left.promise
  await setImmediate()
  assert.doesNotMatch(String(logged.read()), /"level":[4-6]0/)
})
