import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress, urlFault } from './addresses.ts'
import { guardedLookup } from './post.ts'

const REFUSED = [
  ['0.0.0.0', 'this network'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'shared by a carrier'],
  ['100.127.255.255', 'shared by a carrier'],
  ['127.0.0.1', 'loopback'],
  ['169.254.169.254', 'metadata of a cloud'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'mapped IPv4'],
  ['::ffff:8.8.8.8', 'mapped IPv4'],
  ['::127.0.0.1', 'compatible IPv4'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'SRv6'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['example.com', 'no address at all'],
] as const

for (const [address, why] of REFUSED) {
  test(`${address} (${why}) is not a public address`, () => assert.equal(isPublicAddress(address), false))
}

for (const address of [
  '8.8.8.8',
  '100.63.255.255',
  '172.15.0.1',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
]) {
  test(`${address} is a public address`, () => assert.equal(isPublicAddress(address), true))
}

// Every spelling that the URL parser reads as an address is judged as that address.
const URLS: readonly (readonly [string, 'sandbox' | 'production', boolean])[] = [
  ['https://example.com/hook', 'production', true],
  ['https://example.com:8443/hook?tenant=1', 'production', true],
  ['http://example.com/hook', 'production', false],
  ['http://example.com/hook', 'sandbox', false],
  ['http://localhost:3000/hook', 'sandbox', true],
  ['http://127.0.0.1:3000/hook', 'sandbox', true],
  ['http://[::1]:3000/hook', 'sandbox', true],
  ['http://localhost:3000/hook', 'production', false],
  ['https://localhost/hook', 'production', false],
  ['https://127.0.0.1/hook', 'production', false],
  ['https://2130706433/hook', 'production', false],
  ['https://0x7f.1/hook', 'production', false],
  ['https://0177.0.0.1/hook', 'production', false],
  ['https://10.0.0.1/hook', 'sandbox', false],
  ['https://169.254.169.254/latest/meta-data', 'sandbox', false],
  ['https://[::ffff:7f00:1]/hook', 'sandbox', false],
  ['https://[fd00::1]/hook', 'production', false],
  ['https://[fe80::1]/hook', 'production', false],
  ['https://internal.localhost/hook', 'sandbox', false],
  ['https://db.internal/hook', 'production', false],
  ['https://user:secret@example.com/hook', 'production', false],
  ['https://example.com/hook#part', 'production', false],
  ['ftp://example.com/hook', 'production', false],
  ['file:///etc/passwd', 'sandbox', false],
  ['gopher://127.0.0.1:6379/', 'sandbox', false],
  ['example.com/hook', 'production', false],
  ['//example.com/hook', 'production', false],
]
for (const [url, environment, accepted] of URLS) {
  test(`${url} is ${accepted ? 'accepted' : 'refused'} in ${environment}`, () => {
    assert.equal(urlFault(url, environment) === null, accepted)
  })
}

test('a name that resolves to this machine is refused inside the connection', async () => {
  const look = guardedLookup(isPublicAddress)
  for (const all of [true, false]) {
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      look('localhost', { all }, (fault) => resolve(fault))
    })
    assert.equal(error?.code, 'ADDRESS_REFUSED')
  }
})
