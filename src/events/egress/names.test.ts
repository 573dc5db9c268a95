import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { test } from 'node:test'
import { SHARED } from '../../../test/support/egress.ts'
import { startNameServer } from '../../../test/support/name-server.ts'
import { createPoster } from '../delivery/post.ts'
import { createNames } from './names.ts'

const server = await startNameServer({
  'one.example': '8.8.8.8',
  'two.example': '8.8.4.4',
  'only-ipv4.example': '8.8.8.8',
  'inside.example': '10.2.0.1',
})

test('unanswered lookups time out without delaying others', async () => {
  const names = createNames([server.address])
  const settled: string[] = []
  const silent = Array.from({ length: 20 }, (_, index) =>
    names.resolve(`${index}.silent`).catch(() => settled.push('silent')),
  )
  assert.deepEqual(await names.resolve('one.example'), [{ address: '8.8.8.8', family: 4 }])
  // The system's lookup, which runs on four threads shared by the entire process.
  await lookup('localhost')
  assert.deepEqual(settled, [])
  await Promise.all(silent)
  assert.equal(settled.length, 20)
})

test('a name resolves even if the queries for its IPv6 addresses go unanswered', async () => {
  const addresses = await createNames([server.address]).resolve('only-ipv4.example')
  assert.deepEqual(addresses, [{ address: '8.8.8.8', family: 4 }])
})

test('a burst of lookups of one name sends a single query per address family', async () => {
  const names = createNames([server.address])
  const before = server.asked.length
  await Promise.all(Array.from({ length: 50 }, () => names.resolve('two.example')))
  await names.resolve('two.example')
  assert.deepEqual(server.asked.slice(before), ['two.example', 'two.example'], 'its IPv4 and its IPv6 address')
})

test('resolving a name that does not exist or has no address fails', async () => {
  await assert.rejects(createNames([server.address]).resolve('nobody.example'), { code: 'ENOTFOUND' })
})

test('names in the hosts file are resolved', async () => {
  const addresses = await createNames([server.address]).resolve('LocalHost')
  assert.ok(addresses.some(({ address }) => address === '127.0.0.1' || address === '::1'))
})

test('a name that resolves to a private address is reported like one that does not exist', async () => {
  const poster = createPoster(SHARED, { names: createNames([server.address]) })
  const post = (host: string) => poster.post(new URL(`https://${host}/`), {}, '{}')
  const inside = await post('inside.example')
  assert.equal(inside.error, 'name_not_resolved')
  assert.deepEqual(inside, await post('nobody.example'))
  await poster.close()
})
