import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { findNetworkHost, isWildcard, refuseRemoteControl } from './network.ts'

test('the home page and all controls except the item clock accept only local addresses and host names', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  app.addHook('onRequest', refuseRemoteControl)
  const routes = [
    '/',
    '/readme',
    '/link',
    '/link/:session/bank',
    '/item/get',
    '/_sim/item-clock',
    '/_sim/items/:id/break',
  ]
  for (const url of routes) app.get(url, async () => 'here')
  const status = async (url: string, remoteAddress: string) => (await app.inject({ url, remoteAddress })).statusCode
  const open = ['/link?token=1', '/link/1/bank', '/item/get', '/_sim/item-clock']
  const controls = ['/', '/?q=1', '/readme', '/_sim/items/1/break', '/%5Fsim/items/1/break', '/_sim/items/1/break?x=1']
  for (const url of [...open, ...controls]) assert.equal(await status(url, '127.0.0.1'), 200, url)
  for (const url of open) assert.equal(await status(url, '192.168.1.7'), 200, url)
  for (const url of controls) assert.equal(await status(url, '192.168.1.7'), 403, url)

  const named = async (url: string, host: string) => (await app.inject({ url, headers: { host } })).statusCode
  for (const host of ['localhost:8081', '127.0.0.1', '[::1]:8081']) assert.equal(await named('/', host), 200, host)
  for (const host of ['evil.example', '127.0.0.1.evil.example:8081']) assert.equal(await named('/', host), 403, host)
})

test('a loopback address has no network URL', () => {
  for (const host of ['127.0.0.1', '127.0.1.1', '::1', 'localhost']) assert.equal(findNetworkHost(host), null)
  assert.equal(findNetworkHost('192.168.1.20'), '192.168.1.20')
  assert.ok(isWildcard('0.0.0.0') && isWildcard('::') && !isWildcard('192.168.1.20'))
})
