import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// Store details after a name are reported with the match.

test('store number, phone, site and place are reported as printed', () => {
  const index = buildBrandIndex([brand('Orvane'), brand('Tarnby Inn')])
  const rows: readonly (readonly [text: string, ...details: readonly string[]])[] = [
    ['ORVANE'],
    ['ORVANE 0412', 'store_number 0412'],
    ['ORVANE #12 BOISE ID', 'store_number 12', 'place boise id'],
    ['ORVANE F12293 BOISE ID', 'store_number f12293', 'place boise id'],
    ['ORVANE T-2429', 'store_number t-2429'],
    ['ORVANE OR12 BEND OR', 'store_number or12', 'place bend or'],
    // A store has a single number.
    ['ORVANE 0412 34', 'store_number 0412'],
    ['ORVANE 8005550199', 'phone 8005550199'],
    ['ORVANE 8005550199 0412', 'phone 8005550199', 'store_number 0412'],
    ['ORVANE 800-5550199 0412', 'phone 800-5550199', 'store_number 0412'],
    ['ORVANE 800-555-0199 BOISE ID', 'phone 800-555-0199', 'place boise id'],
    ['ORVANE xxx-xxx-xxxx NY', 'phone xxx-xxx-xxxx', 'place ny'],
    ['ORVANE 12 800-555-0199 77', 'store_number 12', 'phone 800-555-0199'],
    ['ORVANE ORVANE.COM', 'site orvane.com'],
    ['ORVANE ORVANE.COM 0412', 'site orvane.com', 'store_number 0412'],
    ['ORVANE HTTPSORVANE', 'site httpsorvane'],
    ['ORVANE SALT LAKE CITY UT', 'place salt lake city ut'],
    ['ORVANE BOISEID', 'place boiseid'],
    ['ORVANE ID', 'place id'],
    ['ORVANEBOISE ID', 'place id'],
    // An unlisted town is reported if nothing else precedes it.
    ['ORVANE SOMEWHERE ID 83702', 'place somewhere id'],
    ['ORVANE 12 SOMEWHERE ID 83702', 'store_number 12', 'place id'],
    // The bank's additions are not part of a detail.
    ['ORVANE BOISE ID CARD 1234', 'place boise id'],
    ['ORVANE 0412 ON 052625', 'store_number 0412'],
    ['TARNBY INN 0412 PA', 'store_number 0412', 'place pa'],
  ]
  for (const [merchantDescriptor, ...details] of rows) {
    const { evidence } = matchBrand(index, { merchantDescriptor })
    assert.deepEqual(
      evidence.slice(1).map(({ kind, matched }) => `${kind} ${matched}`),
      details,
      merchantDescriptor,
    )
  }
})
