import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import { findDeclaredDomain } from './text/domains.ts'

type SampleBrand = { name: string; website: string; aliases: string[]; merchant_ids: string[]; mccs: string[] }

const file = new URL('../../../db/sample/catalog.json', import.meta.url)
const { brands } = JSON.parse(readFileSync(file, 'utf8')) as { brands: SampleBrand[] }
const facts = brands.map((brand) => ({
  brandUid: brand.name,
  name: brand.name,
  aliases: brand.aliases,
  domains: [brand.website],
  merchantIds: brand.merchant_ids,
  mccs: brand.mccs,
}))

test('every sample brand is found by its name, aliases, descriptor, merchant ID and website', () => {
  const index = buildBrandIndex(facts)
  for (const { name, website, aliases, merchant_ids: merchantIds } of brands) {
    const ways = [
      { merchantName: name },
      { merchantDescriptor: `${name.toUpperCase()} #0412 AUSTIN TX` },
      { merchantDescriptor: `SQ *${name.toUpperCase()} 0412` },
      ...aliases.map((alias) => ({ merchantDescriptor: alias.toUpperCase() })),
      ...merchantIds.map((merchantId) => ({ merchantId })),
      // A host shared by many merchants identifies none of them.
      ...(findDeclaredDomain(website) === null ? [] : [{ website }]),
    ]
    for (const known of ways) assert.equal(matchBrand(index, known).brandUid, name, JSON.stringify(known))
  }
})

test("a brand's name followed by a media or charity word is never matched automatically", () => {
  const index = buildBrandIndex(facts)
  const named = ['HALLMARK CHANNEL', 'HALLMARK CHANNEL STUDIO CITY CA', 'TARGET MAGAZINE', 'WALMART FOUNDATION']
  const words = ['TV', 'NETWORK', 'NEWS', 'STREAMING', 'ENTERTAINMENT', 'CHARITIES']
  for (const text of [...named, ...words.map((word) => `HALLMARK ${word}`)])
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, null, text)
  assert.equal(matchBrand(index, { merchantDescriptor: 'HALLMARK 0412 AUSTIN TX' }).brandUid, 'Hallmark')
})
