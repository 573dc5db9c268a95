import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { findRedirectUriFault, isAllowed } from './allow-lists.ts'

test('a redirect URI is accepted only if it matches a listed entry', () => {
  const rows: [entry: string, uri: string, taken: boolean][] = [
    ['https://app.example.com/back', 'https://app.example.com/back', true],
    ['https://app.example.com/back', 'https://APP.example.com/back', true],
    ['https://app.example.com', 'https://app.example.com/', true],
    ['https://app.example.com:8443/back', 'https://app.example.com:8443/back', true],
    ['https://app.example.com/back', 'https://app.example.com:8443/back', false],
    ['https://app.example.com/back', 'https://app.example.com/back/', false],
    ['https://app.example.com/back', 'https://app.example.com/Back', false],
    ['https://app.example.com/back', 'http://app.example.com/back', false],
    ['https://app.example.com/back', 'https://app.example.com/back?x=1', false],
    ['https://app.example.com/back', 'https://app.example.com/back#x', false],
    ['https://app.example.com/back', 'https://app.example.com@evil.example/back', false],
    ['https://app.example.com/back', 'https://app.example.com.evil.example/back', false],
    ['https://app.example.com/back', 'https://evil.example\\@app.example.com/back', false],
    ['https://app.example.com/back', 'https://app.example.com/x/../back', true],
    ['https://*.example.com/back', 'https://a.example.com/back', true],
    ['https://*.example.com/back', 'https://a.b.example.com/back', true],
    ['https://*.example.com/back', 'https://example.com/back', false],
    ['https://*.example.com/back', 'https://evilexample.com/back', false],
    ['https://*.example.com/back', 'https://*.example.com/back', false],
  ]
  for (const [entry, uri, taken] of rows) assert.equal(isAllowed([entry], 'production', uri), taken, `${entry} ${uri}`)
})

test('only the first label of an entry may be a wildcard', () => {
  const fine = ['https://*.example.com/back', 'https://*.a.example.com:8443/', 'https://app.example.com']
  const faulty = [
    'https://*/',
    'https://*.com/',
    'https://a.*.com/',
    'https://*a.example.com/',
    'https://a.example.com/*x?',
    'http://*.example.com/',
    'example.com',
    '',
  ]
  for (const entry of fine) assert.equal(findRedirectUriFault(entry, { wildcard: true }), null, entry)
  for (const entry of faulty) assert.notEqual(findRedirectUriFault(entry, { wildcard: true }), null, entry)
  assert.notEqual(findRedirectUriFault('https://*.example.com/', { wildcard: false }), null)
})

test('a wildcard directly below a public suffix is rejected', () => {
  const rows: [host: string, taken: boolean][] = [
    ['*.co.uk', false],
    ['*.CO.UK', false],
    ['*.com.au', false],
    ['*.org.br:8443', false],
    ['*.net.nz', false],
    ['*.gov.in', false],
    ['*.ac.jp', false],
    ['*.edu.mx', false],
    ['*.example.co.uk', true],
    ['*.a.example.com.au', true],
    ['*.example.com', true],
    ['*.com.example', true],
    ['*.laurel.io', true],
    ['co.uk', true],
  ]
  for (const [host, taken] of rows)
    assert.equal(findRedirectUriFault(`https://${host}/x`, { wildcard: true }) === null, taken, host)
})

test('an allowed URI with injected characters never sends a browser to an unlisted host', () => {
  const spice = fc.constantFrom(
    '@',
    '\\',
    '//',
    '%00',
    '%2e',
    '.evil.example',
    ':',
    '#',
    '?',
    '\t',
    '。',
    '..',
    '/',
    '[::1]',
    'é',
    '*',
    ' ',
  )
  const entries = ['https://app.example.com/back', 'https://*.example.com/back']
  fc.assert(
    fc.property(fc.constantFrom(...entries), fc.nat(40), spice, fc.nat(40), spice, (entry, at, one, then, other) => {
      const listed = entry.replace('*', 'a')
      const once = listed.slice(0, at) + one + listed.slice(at)
      const uri = once.slice(0, then) + other + once.slice(then)
      if (!isAllowed([entry], 'production', uri)) return
      const { protocol, hostname, pathname, username, search, hash } = new URL(uri)
      assert.deepEqual([protocol, pathname, username, search, hash], ['https:', '/back', '', '', ''])
      assert.ok(hostname === 'app.example.com' || hostname.endsWith('.example.com'), uri)
    }),
    { numRuns: runs(20_000) },
  )
})

test('a sandbox may redirect to the local machine without an entry, but not to lookalike hosts', () => {
  const own = ['http://localhost', 'http://localhost:3000/back', 'https://127.0.0.1:8443/', 'http://[::1]:3000/a/b']
  const other = [
    'http://localhost.evil.example/',
    'http://localhost:3000@evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://evil.example/localhost',
    'http://localhost:3000/back?x=1',
    'http://localhost:3000/back#x',
    'http://localhost:99999/',
    'http://user@localhost/',
    'http://*.localhost/',
    'http://192.168.1.7/',
    'ftp://localhost/',
    'http://localhost\\@evil.example/',
    '',
  ]
  for (const uri of own) assert.ok(isAllowed([], 'sandbox', uri), uri)
  for (const uri of other) assert.ok(!isAllowed([], 'sandbox', uri), uri)
  for (const uri of own) assert.ok(!isAllowed([], 'production', uri), uri)
})
