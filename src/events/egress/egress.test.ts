import assert from 'node:assert/strict'
import { test } from 'node:test'
import { egressWith, LOCAL, SHARED } from '../../../test/support/egress.ts'
import type { Config } from '../../platform/config/config.ts'
import { configureEgress, findUrlFault } from './egress.ts'

// Every spelling that the URL parser reads as an IP address is treated as that address.
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
  ['https://localhost./hook', 'production', false],
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
  ['https://db.internal./hook', 'production', false],
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
    assert.equal(findUrlFault(url, environment, LOCAL) === null, accepted)
  })
}

const settings: Config['webhooks'] = { privateAddresses: null, allowed: ['public'], denied: [], proxy: null }
const HERE = ['http://localhost:3000/hook', 'http://127.0.0.1:8080/hook', 'https://[::1]/hook'] as const
const BASES: readonly (readonly [string | null, boolean | null, boolean])[] = [
  ['http://127.0.0.1:8080', null, true],
  ['http://localhost:8080', null, true],
  ['http://0.0.0.0:8080', null, false],
  [null, null, false],
  ['https://rewards.example.com', null, false],
  ['http://10.0.0.5:8080', null, false],
  ['https://rewards.example.com', true, true],
  ['http://127.0.0.1:8080', false, false],
]
for (const [base, privateAddresses, accepted] of BASES) {
  const may = accepted ? 'may' : 'may not'
  test(`a service at ${base} with private addresses ${privateAddresses} ${may} call this machine`, () => {
    const egress = configureEgress({ ...settings, privateAddresses }, base)
    for (const url of HERE) {
      assert.equal(findUrlFault(url, 'sandbox', egress) === null, accepted)
      assert.notEqual(findUrlFault(url, 'production', egress), null)
    }
  })
}

const LISTS: readonly (readonly [allowed: string[], denied: string[], url: string, accepted: boolean])[] = [
  [['public'], [], 'https://10.2.0.1/', false],
  [['public', '10.2.0.0/16'], [], 'https://10.2.0.1/', true],
  [['public', '10.2.0.0/16'], ['10.2.3.0/24'], 'https://10.2.3.4/', false],
  [['public', 'fd00:1::/32'], [], 'https://[fd00:1::7]/', true],
  [['public', '10.2.0.0/16'], [], 'http://10.2.0.1/', false],
  [['public'], ['8.8.8.0/24'], 'https://8.8.8.8/', false],
  [['public'], ['example.com'], 'https://example.com/', false],
  [['public'], ['example.com'], 'https://example.com./', false],
  [['public'], ['*.example.com'], 'https://a.b.example.com/', false],
  [['public'], ['*.example.com'], 'https://a.b.example.com./', false],
  [['hooks.example.com'], [], 'https://hooks.example.com./', true],
  [['public'], ['*.example.com'], 'https://example.com/', true],
  [['public'], ['*.example.com'], 'https://notexample.com/', true],
  [['hooks.example.com'], [], 'https://hooks.example.com/', true],
  [['hooks.example.com'], [], 'https://other.example.com/', false],
  [['hooks.example.com'], [], 'https://8.8.8.8/', false],
  [['public', 'receiver.internal'], [], 'https://receiver.internal/', true],
]
for (const [allowed, denied, url, accepted] of LISTS) {
  test(`${url}: allowed ${allowed}, denied ${denied}: ${accepted ? 'accepted' : 'refused'}`, () => {
    assert.equal(findUrlFault(url, 'production', egressWith({ allowed, denied })) === null, accepted)
  })
}

test('a resolved address is checked against the lists like a literal one', () => {
  assert.equal(SHARED.mayReach('10.2.0.1', 'example.com'), false)
  assert.equal(SHARED.mayReach('8.8.8.8', 'example.com'), true)
  const some = egressWith({ allowed: ['hooks.example.com', '10.2.0.0/16'], denied: ['10.2.3.0/24', '8.8.8.0/24'] })
  assert.equal(some.mayReach('10.2.0.1', 'anything.example'), true)
  assert.equal(some.mayReach('10.2.3.1', 'anything.example'), false)
  assert.equal(some.mayReach('8.8.4.4', 'hooks.example.com'), true)
  assert.equal(some.mayReach('8.8.4.4', 'anything.example'), false)
  assert.equal(some.mayReach('8.8.8.8', 'hooks.example.com'), false)
  assert.equal(some.mayReach('8.8.4.4', 'hooks.example.com.'), true)
})
