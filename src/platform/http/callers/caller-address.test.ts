import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNetwork } from './caller-address.ts'

test('toNetwork groups IPv4 by address, in any notation, and IPv6 by /64', () => {
  for (const [address, network] of [
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::1', '::'],
    ['', ''],
  ] as const)
    assert.equal(toNetwork(address), network, address)
})
