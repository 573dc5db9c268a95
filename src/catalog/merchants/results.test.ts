import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import type { BrandMatch, MerchantFacts } from './types.ts'

// Tests the result in each band: the brand or proposal, the reason, the score and the evidence.

const index = () =>
  buildBrandIndex([
    brand('Orvane', { merchantIds: ['m-1'] }),
    brand('Target', { mccs: ['5310'] }),
    brand('Lucky Garden', { domains: [] }),
    brand('Giant', { brandUid: 'east', domains: ['giant-east.com'] }),
    brand('Giant', { brandUid: 'west', domains: ['giant-west.com'] }),
  ])
const noBrand = { brandUid: null, proposedUid: null, runnerUp: null, evidence: [] }

const rows: readonly (readonly [what: string, facts: MerchantFacts, answer: BrandMatch])[] = [
  [
    'certain from a name',
    { merchantDescriptor: 'SQ *ORVANE 0412' },
    {
      brandUid: 'Orvane',
      proposedUid: null,
      band: 'automatic',
      score: 0.97,
      method: 'name',
      reason: null,
      evidence: [
        {
          field: 'merchant_descriptor',
          value: 'SQ *ORVANE 0412',
          matched: 'orvane',
          kind: 'number',
          strategy: 'whole_name',
        },
        { field: 'merchant_descriptor', value: 'SQ *ORVANE 0412', matched: '0412', kind: 'store_number' },
      ],
      runnerUp: null,
    },
  ],
  [
    'a name joined to a city',
    { merchantDescriptor: 'ORVANEBOISE ID' },
    {
      brandUid: 'Orvane',
      proposedUid: null,
      band: 'automatic',
      score: 0.96,
      method: 'name',
      reason: null,
      evidence: [
        {
          field: 'merchant_descriptor',
          value: 'ORVANEBOISE ID',
          matched: 'orvane',
          kind: 'place',
          strategy: 'city_attached',
        },
        { field: 'merchant_descriptor', value: 'ORVANEBOISE ID', matched: 'id', kind: 'place' },
      ],
      runnerUp: null,
    },
  ],
  [
    'certain from exact evidence',
    { merchantId: ' m-1 ' },
    {
      brandUid: 'Orvane',
      proposedUid: null,
      band: 'automatic',
      score: 1,
      method: 'merchant_id',
      reason: null,
      evidence: [{ field: 'merchant_id', value: ' m-1 ', matched: 'm-1' }],
      runnerUp: null,
    },
  ],
  [
    'likely, for review',
    { merchantName: 'Target Riverbend Quill' },
    {
      brandUid: null,
      proposedUid: 'Target',
      band: 'review',
      score: 0.55,
      method: 'name',
      reason: 'name_unconfirmed',
      evidence: [
        {
          field: 'merchant_name',
          value: 'Target Riverbend Quill',
          matched: 'target',
          kind: 'open',
          strategy: 'whole_name',
        },
      ],
      runnerUp: null,
    },
  ],
  [
    'one of two brands',
    { merchantDescriptor: 'GIANT 0412' },
    {
      brandUid: null,
      proposedUid: 'east',
      band: 'review',
      score: 0.7,
      method: 'name',
      reason: 'name_ambiguous',
      evidence: [
        { field: 'merchant_descriptor', value: 'GIANT 0412', matched: 'giant', kind: 'number', strategy: 'whole_name' },
        { field: 'merchant_descriptor', value: 'GIANT 0412', matched: '0412', kind: 'store_number' },
      ],
      runnerUp: { brandUid: 'west', score: 0.97 },
    },
  ],
  [
    'plain words before a foreign trade',
    { merchantDescriptor: 'LUCKY GARDEN PLUMBING' },
    { ...noBrand, band: 'none', score: 0.3, method: 'none', reason: 'name_unconfirmed' },
  ],
  [
    'a conflicting category',
    { merchantDescriptor: 'TARGET 0412', mcc: '1711' },
    { ...noBrand, band: 'none', score: 0.3, method: 'none', reason: 'mcc_conflict' },
  ],
  [
    'an unknown name',
    { merchantDescriptor: 'SOMEBODY 0412' },
    { ...noBrand, band: 'none', score: 0, method: 'none', reason: 'name_unknown' },
  ],
]

test('each band yields the expected result', () => {
  for (const [what, facts, answer] of rows) assert.deepEqual(matchBrand(index(), facts), answer, what)
})

test('evidence is truncated to the maximum length of a descriptor', () => {
  const website = `https://orvane.com/${'a'.repeat(1000)}`
  const [found] = matchBrand(index(), { website }).evidence
  assert.deepEqual([found?.value, found?.matched], [website.slice(0, 256), 'orvane.com'])
})
