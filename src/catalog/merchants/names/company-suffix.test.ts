import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book for company names that PayPal prints without spaces and cuts off at ten or eleven letters.

const index = buildBrandIndex([
  brand('Velmora'),
  brand('Velmora TV', { domains: ['velmora.tv'] }),
  brand('Quillonfy'),
  brand('Target'),
  brand('Orvath', { domains: [] }),
  brand('QXB'),
  brand('Kaufmarkt', { countries: ['de'] }),
  brand('Vexo'),
  brand('Tarnby Grill'),
  brand('Bonefish Grill'),
  brand('Pellwormia'),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['PAYPAL *VELMORANORT 402-935-7733 CA', 'Velmora', 'North America, truncated'],
  ['PAYPAL *VELMORANOR 402-935-7733 CA', 'Velmora', 'North America, truncated at ten letters'],
  ['PAYPAL *VELMORANO 402-935-7733 CA', null, 'nine letters are too few for truncation'],
  ['PAYPAL *VELMORAMEDI', 'Velmora', 'media, truncated'],
  ['PAYPAL *VELMORADIGITAL', null, 'longer than what PayPal prints'],
  ['PAYPAL *VELMORAINC DENTAL', null, 'a foreign trade after it'],
  ['PAYPAL *VELMORAINC 402-935-7733 CA', 'Velmora', 'a complete suffix'],
  ['PAYPAL *VELMORAUSAI', 'Velmora', 'two suffixes'],
  ['PP*VELMORALLC', 'Velmora', 'PayPal’s short prefix'],
  ['PAYPAL *VELMORATVLL', 'Velmora TV', 'the longer name wins'],
  ['PAYPAL *QUILLONFYUS', 'Quillonfy', 'a country suffix'],
  ['PAYPAL *QUILLONFYI', null, 'one letter could be anything'],
  ['PAYPAL *VELMORAGRIL', null, 'not a company suffix'],
  ['PAYPAL *TARGETUSA', null, 'a plain word could be any merchant'],
  ['PAYPAL *ORVATHUSA', null, 'a brand known only by name'],
  ['PAYPAL *PELLWORMIAN', null, 'one extra letter where PayPal truncates'],
  ['PAYPAL *TARNBYUSA 04471', null, 'a brand name without its trade'],
  ['PAYPAL *BONEFISHUSA', null, 'a short name that the packs accept only by itself'],
  ['PAYPAL *VEXOUSA', 'Vexo', 'a four-letter name'],
  ['PAYPAL *QXBUSA', null, 'a three-letter name'],
  ['PAYPAL *KAUFMARKTUS 402-935-7733 CA', null, 'a brand that does not sell in that country'],
  ['VELMORANORT', null, 'no PayPal prefix'],
  ['SQ *VELMORANORT', null, 'another processor'],
  ['PAYPAL *OLD VELMORAINC', null, 'another word before the name'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
