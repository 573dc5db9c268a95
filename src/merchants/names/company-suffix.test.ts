import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book of company names that PayPal prints without spaces and cuts off at ten or eleven letters.

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
  ['PAYPAL *VELMORANORT 402-935-7733 CA', 'Velmora', 'North America, cut'],
  ['PAYPAL *VELMORANOR 402-935-7733 CA', 'Velmora', 'the same at ten letters'],
  ['PAYPAL *VELMORANO 402-935-7733 CA', null, 'nine letters are not cut'],
  ['PAYPAL *VELMORAMEDI', 'Velmora', 'media, cut'],
  ['PAYPAL *VELMORADIGITAL', null, 'more letters than PayPal prints'],
  ['PAYPAL *VELMORAINC DENTAL', null, 'another trade after it'],
  ['PAYPAL *VELMORAINC 402-935-7733 CA', 'Velmora', 'a whole word'],
  ['PAYPAL *VELMORAUSAI', 'Velmora', 'two words'],
  ['PP*VELMORALLC', 'Velmora', 'PayPal, shorter'],
  ['PAYPAL *VELMORATVLL', 'Velmora TV', 'the longer name'],
  ['PAYPAL *QUILLONFYUS', 'Quillonfy', 'a country'],
  ['PAYPAL *QUILLONFYI', null, 'one letter may be anything'],
  ['PAYPAL *VELMORAGRIL', null, 'another word'],
  ['PAYPAL *TARGETUSA', null, 'a plain word may be any merchant'],
  ['PAYPAL *ORVATHUSA', null, 'of that brand only the name is known'],
  ['PAYPAL *PELLWORMIAN', null, 'also at the cut'],
  ['PAYPAL *TARNBYUSA 04471', null, 'a name without its trade'],
  ['PAYPAL *BONEFISHUSA', null, 'a short name that the packs trust only by itself'],
  ['PAYPAL *VEXOUSA', 'Vexo', 'four letters'],
  ['PAYPAL *QXBUSA', null, 'three letters'],
  ['PAYPAL *KAUFMARKTUS 402-935-7733 CA', null, 'not met in that country'],
  ['VELMORANORT', null, 'not written so elsewhere'],
  ['SQ *VELMORANORT', null, 'nor at another processor'],
  ['PAYPAL *OLD VELMORAINC', null, 'not at the start'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
