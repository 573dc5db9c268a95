import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDeclaredDomain, findHosts, listDomainsAbove, parseHost, toRegistrable } from './domains.ts'

type Row = readonly [given: string, expected: unknown]

function each(read: (text: string) => unknown, rows: readonly Row[]): void {
  for (const [given, expected] of rows) assert.deepEqual(read(given), expected, given)
}

test('a website is recognized in any notation', () => {
  each(parseHost, [
    [' HTTPS://Shop.Velmora.com/a?b#c ', 'shop.velmora.com'],
    ['velmora.com?b', 'velmora.com'],
    ['velmora.com#c', 'velmora.com'],
    ['velmora.com and more', 'velmora.com'],
    ['android-app+x.1://velmora.com', 'velmora.com'],
    ['a@b.c', null],
    ['someone@velmora.com:8443/x', 'velmora.com'],
    ['velmora.com.', 'velmora.com'],
    ['velmora.com:443', 'velmora.com'],
    ['velmora.com:123456', null],
    ['vel_mora-2.com', 'vel_mora-2.com'],
    ['velmora', null],
    ['velmora.c', null],
    ['velmora.c0m', null],
    ['1://velmora.com', null],
    ['a.b.c.d.e.f.g.h.com', 'a.b.c.d.e.f.g.h.com'],
    ['a.b.c.d.e.f.g.h.i.com', null],
    ['', null],
    [`${'a'.repeat(64)}.com`, null],
    [`velmora.com/${'a'.repeat(400)}`, 'velmora.com'],
    [`${' '.repeat(300)}velmora.com`, null],
  ])
})

test('a brand declares its own domain or subdomain, never a host shared by many merchants', () => {
  each(findDeclaredDomain, [
    ['https://www.velmora.com', 'velmora.com'],
    ['www.shop.velmora.com', 'velmora.com'],
    ['nights.velmora.com', 'nights.velmora.com'],
    ['shop.nights.velmora.com', 'nights.velmora.com'],
    ['shop.com', 'shop.com'],
    ['www.shop.co.uk', 'shop.co.uk'],
    ['velmora.myshopify.com', 'velmora.myshopify.com'],
    ['www.myshopify.com', null],
    ['paypal.com', null],
    ['www.etsy.com', null],
    ['https://eventbrite.com/velmora', null],
    ['no website', null],
  ])
})

test('a host belongs to its parent domains, up to the registrable one', () => {
  each(listDomainsAbove, [
    ['a.b.velmora.com', ['a.b.velmora.com', 'b.velmora.com', 'velmora.com']],
    ['velmora.com', ['velmora.com']],
    ['a.velmora.co.uk', ['a.velmora.co.uk', 'velmora.co.uk']],
    ['velmora.square.site', ['velmora.square.site']],
    ['co.uk', ['co.uk']],
  ])
  each(toRegistrable, [
    ['a.b.velmora.com', 'velmora.com'],
    ['a.velmora.co.uk', 'velmora.co.uk'],
    ['a.velmora.gov.au', 'velmora.gov.au'],
    ['a.velmora.uk', 'velmora.uk'],
    ['a.co.com', 'co.com'],
    ['a.velmoraco.uk', 'velmoraco.uk'],
    ['a.comet.uk', 'comet.uk'],
    ['velmora.uk', 'velmora.uk'],
  ])
})

test('a URL in text is recognized by an ending that only URLs have', () => {
  each(findHosts, [
    ['pay velmora.com/bill 12', ['velmora.com']],
    [
      'tarn.org*velmora.com,orvane.net;a.io(b.us)c.tv|d.ly',
      ['tarn.org', 'velmora.com', 'orvane.net', 'a.io', 'b.us', 'c.tv', 'd.ly'],
    ],
    ['st.louis inc.', []],
    ['.com', []],
    ['velmora com', []],
    ['a@velmora.com', []],
    ['st.louis velmora.com', ['velmora.com']],
  ])
})
