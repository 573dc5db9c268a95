import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { isWildcard, networkHostOf, refuseStrangers } from './network.ts'

test('other machines reach the pages for users and nothing that controls the simulator', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  app.addHook('onRequest', refuseStrangers)
  app.all('/*', async () => 'here')
  const status = async (url: string, remoteAddress: string) => (await app.inject({ url, remoteAddress })).statusCode
  const pages = ['/link?token=1', '/link/1/bank', '/oauth/1/sign-in', '/assets/link.js']
  const others = ['/', '/_sim/items', '/link/token/get', '/linked', '/item/get', '/sandbox/public_token/create']
  for (const url of [...pages, ...others]) assert.equal(await status(url, '127.0.0.1'), 200, url)
  for (const url of pages) assert.equal(await status(url, '192.168.1.7'), 200, url)
  for (const url of others) assert.equal(await status(url, '192.168.1.7'), 403, url)
})

test('an address that only this machine reaches is none for phones', () => {
  for (const host of ['127.0.0.1', '127.0.1.1', '::1', 'localhost']) assert.equal(networkHostOf(host), null)
  assert.equal(networkHostOf('192.168.1.20'), '192.168.1.20')
  assert.ok(isWildcard('0.0.0.0') && isWildcard('::') && !isWildcard('192.168.1.20'))
})
