import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import { deriveTemplate } from './template.ts'
import type { AliasVerdict, BrandFacts, BrandMatch, MatchOptions, MerchantFacts } from './types.ts'

// Tests which evidence decides, one circumstance at a time. The result must contain the fields listed in the row.

type Case = readonly [title: string, facts: MerchantFacts, answer: Partial<BrandMatch>, options?: MatchOptions]

const brands: readonly BrandFacts[] = [
  brand('Velmora', { merchantIds: ['v-1'] }),
  brand('Velmora Nights', { merchantIds: ['n-1'] }),
  brand('Harrowgate Outfitters', { merchantIds: ['h-1'] }),
  brand('Tarnby Pizza', { domains: ['tarnby.com'], merchantIds: ['t-1'], mccs: ['5812'] }),
  brand('Tarnby Bakery', { domains: ['tarnby.com'], merchantIds: ['t-1'], mccs: ['5462'] }),
  brand('Target', { mccs: ['5310', '5411'] }),
  brand('Quillon Grill', { mccs: ['5812', '5814'] }),
  brand('Orvath', { domains: [] }),
  brand('Pellworm Ferry Cafe', { domains: [] }),
  brand('Kaufmarkt', { countries: ['de'] }),
  brand('Ostermoor', { countries: ['us'] }),
  brand('Giant', { brandUid: 'Giant east', domains: ['giant-east.com'], countries: ['us-pa', 'us-md'] }),
  brand('Giant', { brandUid: 'Giant west', domains: ['giant-west.com'], countries: ['us-ca'] }),
  brand('Gift Card Velmo'),
  brand('Uber Eats', { domains: ['ubereats.com'] }),
  brand('DoorDash', { domains: ['doordash.com'] }),
  brand('YouTube', { domains: ['youtube.com'] }),
  brand('Google', { domains: ['about.google'] }),
  brand('Microsoft', { domains: ['microsoft.com'] }),
  brand('Xbox', { domains: ['xbox.com'] }),
  brand('Hulu', { domains: ['hulu.com'] }),
  brand('AT&T', { domains: ['att.com'], mccs: ['4812'] }),
]

const automatic = (brandUid: string): Partial<BrandMatch> => ({ brandUid, band: 'automatic', reason: null })
const proposed = (proposedUid: string): Partial<BrandMatch> => ({ brandUid: null, proposedUid, band: 'review' })
const unmatched = (reason: BrandMatch['reason']): BrandMatch => ({
  brandUid: null,
  proposedUid: null,
  band: 'none',
  score: 0,
  method: 'none',
  reason,
  evidence: [],
  runnerUp: null,
})
const exact = (brandUid: string, method: BrandMatch['method'], field: string, value: string, matched = value) => ({
  brandUid,
  proposedUid: null,
  band: 'automatic' as const,
  score: 1,
  method,
  reason: null,
  evidence: [{ field, value, matched }],
  runnerUp: null,
})
const printed = (merchantDescriptor: string, more: MerchantFacts = {}): MerchantFacts => ({
  merchantDescriptor,
  ...more,
})

const EXACT: readonly Case[] = [
  ['a brand id', { brandUid: 'Velmora' }, exact('Velmora', 'brand_uid', 'brand_uid', 'Velmora')],
  ['an unknown brand id', { brandUid: 'x', merchantId: 'v-1' }, unmatched('unknown_brand_uid')],
  [
    'a merchant id with surrounding spaces',
    { merchantId: ' v-1 ' },
    exact('Velmora', 'merchant_id', 'merchant_id', ' v-1 ', 'v-1'),
  ],
  ['a merchant id of two brands, one in the category', { merchantId: 't-1', mcc: '5462' }, automatic('Tarnby Bakery')],
  ['a merchant id of two brands, none in the category', { merchantId: 't-1', mcc: '1711' }, unmatched('name_unknown')],
  ['a merchant id of two brands, without a category', { merchantId: 't-1' }, unmatched('name_unknown')],
  [
    'a merchant id of one brand, whatever the category',
    { merchantId: 'h-1', mcc: '1711' },
    automatic('Harrowgate Outfitters'),
  ],
  ['a merchant id before the website', { merchantId: 'h-1', website: 'velmora.com' }, { method: 'merchant_id' }],
  [
    'a subdomain of the declared website',
    { website: 'https://shop.velmora.com/a' },
    exact('Velmora', 'domain', 'website', 'https://shop.velmora.com/a', 'velmora.com'),
  ],
  ['a website of two brands, one in the category', { website: 'tarnby.com', mcc: '5812' }, automatic('Tarnby Pizza')],
  ['a website of two brands, without a category', { website: 'tarnby.com' }, unmatched('name_unknown')],
  [
    'a website of two brands, and the name of one',
    { website: 'tarnby.com', merchantName: 'Tarnby Pizza' },
    automatic('Tarnby Pizza'),
  ],
  ['an unknown website', { website: 'unheard.example' }, unmatched('name_unknown')],
  ['text that is not a website', { website: 'none' }, unmatched('name_unknown')],
  ['an unknown merchant id', { merchantId: 'v-9' }, unmatched('name_unknown')],
  ['no facts that name a merchant', { mcc: '5812', city: 'Boise', state: 'ID' }, unmatched('no_merchant_facts')],
  ['blank texts', { merchantName: '', merchantDescriptor: '  ' }, unmatched('no_merchant_facts')],
  ['blank texts and an unknown website', { merchantName: '', website: 'unheard.example' }, unmatched('name_unknown')],
]

const diner = printed('SQ *MARGES DINER 0442 BOISE ID')
const learnt = (provider: string | null, text: string | null | undefined) => {
  const kept = new Map<string, AliasVerdict>([['provider:p-1', { aliasUid: 'als_p', brandUid: provider }]])
  if (text !== undefined) kept.set(deriveTemplate(diner) ?? '', { aliasUid: 'als_t', brandUid: text })
  return { aliases: kept }
}
const fromProvider = { ...diner, providerMerchantId: 'p-1' }
const LEARNT: readonly Case[] = [
  [
    'on the provider’s merchant id',
    fromProvider,
    exact('Velmora', 'provider_merchant_id', 'alias', 'provider:p-1', 'als_p'),
    learnt('Velmora', 'Target'),
  ],
  [
    'on the printed text',
    diner,
    exact('Target', 'alias', 'alias', 'marges diner', 'als_t'),
    learnt('Velmora', 'Target'),
  ],
  [
    'that it is not a brand',
    fromProvider,
    {
      ...unmatched('not_a_brand'),
      method: 'alias',
      evidence: [{ field: 'alias', value: 'provider:p-1', matched: 'als_p' }],
    },
    learnt(null, 'Target'),
  ],
  [
    'for a removed brand leaves the one on the text',
    fromProvider,
    { brandUid: 'Target', method: 'alias' },
    learnt('gone', 'Target'),
  ],
  ['for removed brands leaves the names', fromProvider, unmatched('name_unknown'), learnt('gone', 'gone')],
  ['does not apply to other merchants', printed('VELMORA'), automatic('Velmora'), learnt('Target', 'Target')],
  ['is not used if the text has no key', { merchantId: 'v-1' }, { method: 'merchant_id' }, learnt('Target', 'Target')],
  ['comes before a merchant id', { ...diner, merchantId: 'v-1' }, automatic('Target'), learnt('Velmora', 'Target')],
]

const WHERE: readonly Case[] = [
  ['the country of the purchase', printed('KAUFMARKT 0412', { country: 'DE' }), automatic('Kaufmarkt')],
  ['a different country', printed('KAUFMARKT 0412', { country: 'FR' }), unmatched('name_unknown')],
  ['no country', printed('KAUFMARKT 0412'), automatic('Kaufmarkt')],
  ['a blank country and a state', printed('KAUFMARKT 0412', { country: '', state: 'PA' }), unmatched('name_unknown')],
  ['a state implies its country', printed('OSTERMOOR 0412', { state: 'PA' }), automatic('Ostermoor')],
  ['an unknown state implies no country', printed('KAUFMARKT 0412', { state: 'Hessen' }), automatic('Kaufmarkt')],
  ['a printed state', printed('KAUFMARKT 0412 BOISE ID'), unmatched('name_unknown')],
  ['a printed country', printed('OSTERMOOR 0412 BERLIN DEU'), unmatched('name_unknown')],
  [
    'a printed country before the reported one',
    printed('KAUFMARKT 12 BERLIN DEU', { country: 'us' }),
    automatic('Kaufmarkt'),
  ],
  ['a printed country after one word', printed('OSTERMOOR BERLIN DEU'), unmatched('name_unknown')],
  [
    'a printed country directly after the name may be a word',
    printed('OSTERMOOR DEU', { country: 'us' }),
    automatic('Ostermoor'),
  ],
  [
    'letters joined to digits are not a country',
    printed('OSTERMOOR 0412 12DEU', { country: 'us' }),
    automatic('Ostermoor'),
  ],
  [
    'bank words do not count as words between',
    printed('POS PURCHASE OSTERMOOR DEU', { country: 'us' }),
    automatic('Ostermoor'),
  ],
  ['the reported state', printed('GIANT 0412', { state: 'PA' }), automatic('Giant east')],
  [
    'the reported state before the printed one',
    printed('GIANT 0412 YORK PA', { state: 'CA' }),
    automatic('Giant west'),
  ],
  ['the printed state', printed('GIANT 0412 YORK PA'), automatic('Giant east')],
  ['no state', printed('GIANT 0412'), { ...proposed('Giant east'), reason: 'name_ambiguous', score: 0.7 }],
  ['the purchase’s city joined to the name', printed('VELMORATRUTH', { city: 'Truth' }), automatic('Velmora')],
  ['a joined city that is printed again', printed('VELMORATRUTH TRUTH', { city: 'Truth' }), unmatched('name_unknown')],
  ['a joined city other than the purchase’s', printed('VELMORATRUTH', { city: 'Boise' }), unmatched('name_unknown')],
  ['a joined two-word city', printed('VELMORATRUTH OAKS', { city: 'Truth  Oaks' }), automatic('Velmora')],
  ['a joined city with its state', printed('VELMORABOISE ID'), automatic('Velmora')],
  ['a joined city, and the city again with its state', printed('VELMORABOISE BOISE ID'), unmatched('name_unknown')],
]

const SUPPORT: readonly Case[] = [
  ['a reported store number', printed('QUILLON RENO NV', { storeNumber: '12' }), automatic('Quillon Grill')],
  ['an empty store number', printed('QUILLON RENO NV', { storeNumber: '' }), proposed('Quillon Grill')],
  ['no store number', printed('QUILLON RENO NV'), proposed('Quillon Grill')],
  ['the reported category', printed('TARGET RIVERBEND QUILL', { mcc: '5411' }), automatic('Target')],
  ['the printed category', printed('TARGET RIVERBEND QUILL MERCHANT CATEGORY CODE 5411'), automatic('Target')],
  [
    'the reported category before the printed one',
    printed('TARGET RIVERBEND QUILL MERCHANT CATEGORY CODE 5411', { mcc: '1711' }),
    { band: 'none', reason: 'mcc_conflict' },
  ],
  [
    'a cleaned name of a brand known only by name',
    { merchantName: 'Pellworm Ferry Cafe' },
    automatic('Pellworm Ferry Cafe'),
  ],
  ['the printed name of a brand known only by name', printed('PELLWORM FERRY CAFE'), proposed('Pellworm Ferry Cafe')],
  [
    'a misspelling',
    printed('HARROWGATE OUTFITERS'),
    { ...proposed('Harrowgate Outfitters'), reason: 'name_unconfirmed' },
  ],
]

const NEVER: readonly Case[] = [
  ['after a name', printed('VELMORA GIFT CARD'), unmatched('not_a_purchase')],
  ['before a name', printed('ZELLE VELMORA'), unmatched('not_a_purchase')],
  ['part of a brand’s name', printed('GIFT CARD VELMO 0412'), automatic('Gift Card Velmo')],
  ['with an unknown name', printed('UNHEARD GIFT CARD'), unmatched('not_a_purchase')],
  ['only in the cleaned name', { merchantName: 'Zelle Transfer', ...printed('VELMORA') }, unmatched('not_a_purchase')],
  ['only in the text', { merchantName: 'Velmora', ...printed('VELMORA GIFT CARD') }, unmatched('not_a_purchase')],
  ['at a marketplace', printed('DOORDASH*GIFT CARD'), unmatched('not_a_purchase')],
  ['wages from a marketplace', printed('DOORDASH*VELMORA DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['wages from a parent', printed('MICROSOFT*X DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['wages from a parent, with a product name', printed('GOOGLE*YOUTUBE DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['wages from a brand with its own prefix', printed('HLU*X DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['a phone bill', printed('ATT*BILL DES:PAYMENT ID:4471'), automatic('AT&T')],
]

const seller: MatchOptions = { marketplace: 'MERCHANT' }
const atDoor = (text: string) => ({
  ...automatic('DoorDash'),
  score: 0.97,
  method: 'name' as const,
  proposedUid: null,
  runnerUp: null,
  evidence: [{ field: 'merchant_descriptor', value: text, matched: 'doordash', kind: 'marketplace' }],
})
const PAID: readonly Case[] = [
  ['a marketplace', printed('DOORDASH*VELMORA'), atDoor('DOORDASH*VELMORA')],
  ['the marketplace’s seller, if the publisher chooses it', printed('DOORDASH*VELMORA'), automatic('Velmora'), seller],
  [
    'the marketplace’s seller by its cleaned name',
    { merchantName: 'Velmora', ...printed('DOORDASH*12') },
    {
      ...automatic('Velmora'),
      evidence: [{ field: 'merchant_name', value: 'Velmora', matched: 'velmora', kind: 'end', strategy: 'whole_name' }],
    },
    seller,
  ],
  ['an unknown seller', printed('DOORDASH*UNHEARD'), atDoor('DOORDASH*UNHEARD'), seller],
  [
    'an uncertain seller',
    printed('DOORDASH*TARGET RIVERBEND QUILL'),
    atDoor('DOORDASH*TARGET RIVERBEND QUILL'),
    seller,
  ],
  ['a seller that is the marketplace', printed('DOORDASH*DOORDASH'), atDoor('DOORDASH*DOORDASH'), seller],
  [
    'a cleaned name that is the marketplace',
    { merchantName: 'DoorDash', ...printed('DOORDASH*VELMORA') },
    atDoor('DOORDASH*VELMORA'),
    seller,
  ],
  ['a parent’s product', printed('MICROSOFT*XBOX LIVE'), { ...automatic('Xbox'), score: 0.97 }],
  ['a product followed by more letters', printed('GOOGLE *YOUTUBEPREMIUM'), automatic('YouTube')],
  ['a two-letter product', printed('GOOGLE *YT PREMIUM'), automatic('YouTube')],
  ['two letters that begin a word are not a product', printed('GOOGLE *YTPREMIUM'), unmatched('name_unknown')],
  ['a product in two words', printed('GOOGLE *YOU TUBE'), automatic('YouTube')],
  ['a product, then the parent again', printed('GOOGLE *DOMAINS GOOGL G.CO HELPPAY#'), automatic('Google')],
  ['a product word that continues', printed('GOOGLE *DOMAINS ATLAS G.CO HELPPAY#'), unmatched('name_unknown')],
  ['a product later in the text', printed('GOOGLE *SOME YOUTUBE'), unmatched('name_unknown')],
  ['a brand after a parent', printed('MICROSOFT*VELMORA'), automatic('Velmora')],
  ['an uncertain brand after a parent', printed('MICROSOFT*TARGET RIVERBEND QUILL'), automatic('Microsoft')],
  [
    'an unknown name after a parent',
    printed('MICROSOFT*UNHEARD'),
    {
      ...automatic('Microsoft'),
      evidence: [{ field: 'merchant_descriptor', value: 'MICROSOFT*UNHEARD', matched: 'microsoft', kind: 'parent' }],
    },
  ],
  ['a parent that sells nothing itself', printed('GOOGLE *UNHEARD'), unmatched('name_unknown')],
  [
    'a brand’s own prefix',
    printed('HLU*VELMORA'),
    {
      ...automatic('Hulu'),
      evidence: [{ field: 'merchant_descriptor', value: 'HLU*VELMORA', matched: 'hlu', kind: 'brand' }],
    },
  ],
  ['a processor is not the merchant', printed('SQ *VELMORA'), automatic('Velmora')],
  ['a marketplace after a processor', printed('PAYPAL *DOORDASH*VELMORA'), { brandUid: 'DoorDash' }],
]

const both = (merchantName: string, merchantDescriptor: string): MerchantFacts => ({ merchantName, merchantDescriptor })
const SETTLED: readonly Case[] = [
  [
    'the same brand in both',
    both('Velmora', 'VELMORA 0412'),
    {
      ...automatic('Velmora'),
      evidence: [{ field: 'merchant_name', value: 'Velmora', matched: 'velmora', kind: 'end', strategy: 'whole_name' }],
    },
  ],
  ['a longer name in the text', both('Velmora', 'VELMORA NIGHTS 0412'), automatic('Velmora Nights')],
  [
    'a longer name in the cleaned name',
    both('Velmora Nights', 'VELMORA 0412'),
    {
      ...proposed('Velmora Nights'),
      reason: 'name_ambiguous',
      score: 0.8,
      runnerUp: { brandUid: 'Velmora', score: 0.97 },
    },
  ],
  [
    'two brands',
    both('Harrowgate Outfitters', 'VELMORA 0412'),
    {
      ...proposed('Harrowgate Outfitters'),
      reason: 'name_ambiguous',
      score: 0.8,
      runnerUp: { brandUid: 'Velmora', score: 0.97 },
    },
  ],
  ['a certain text and an uncertain name', both('Target Riverbend Quill', 'VELMORA 0412'), automatic('Velmora')],
  ['a certain name and an uncertain text', both('Velmora', 'TARGET RIVERBEND QUILL'), automatic('Velmora')],
  [
    'plain words contradicted by the cleaned name',
    both('Somebody Else', 'TARGET 0412'),
    { ...proposed('Target'), reason: 'name_unconfirmed' },
  ],
  ['plain words without a cleaned name', printed('TARGET 0412'), automatic('Target')],
  ['plain words confirmed by the cleaned name', both('Target', 'TARGET 0412'), automatic('Target')],
  [
    'the more likely of two uncertain brands',
    both('Target Riverbend Quill', 'QUILLON RENO NV'),
    proposed('Quillon Grill'),
  ],
  [
    'the more likely of two uncertain brands, in the other order',
    both('Quillon Reno NV', 'TARGET RIVERBEND QUILL'),
    proposed('Quillon Grill'),
  ],
  [
    'a URL',
    printed('UNHEARD VELMORA.COM/BILL'),
    exact('Velmora', 'domain', 'merchant_descriptor', 'UNHEARD VELMORA.COM/BILL', 'velmora.com'),
  ],
  [
    'a URL in the cleaned name',
    { merchantName: 'Pay at velmora.com' },
    {
      brandUid: 'Velmora',
      method: 'domain',
      evidence: [{ field: 'merchant_name', value: 'Pay at velmora.com', matched: 'velmora.com' }],
    },
  ],
  ['a second URL', printed('UNHEARD SOME.COM VELMORA.COM'), { brandUid: 'Velmora', method: 'domain' }],
  [
    'a URL of two brands, one in the category',
    printed('UNHEARD TARNBY.COM', { mcc: '5462' }),
    automatic('Tarnby Bakery'),
  ],
  ['a URL of two brands', printed('UNHEARD TARNBY.COM'), unmatched('name_unknown')],
  [
    'a URL overrides an uncertain name',
    printed('TARGET RIVERBEND VELMORA.COM'),
    { brandUid: 'Velmora', method: 'domain' },
  ],
  [
    'a certain name before a URL',
    printed('HARROWGATE OUTFITTERS 0412 VELMORA.COM'),
    automatic('Harrowgate Outfitters'),
  ],
  ['an unknown name in both', both('Unheard', 'UNKNOWN'), unmatched('name_unknown')],
]

for (const [chapter, cases] of Object.entries({
  'exact evidence': EXACT,
  'a person’s verdict': LEARNT,
  'where the purchase was made': WHERE,
  'other facts of the purchase': SUPPORT,
  'words that rule out a purchase': NEVER,
  'who is paid': PAID,
  'cleaned name and printed text': SETTLED,
})) {
  for (const [title, facts, answer, options] of cases) {
    test(`${chapter}: ${title}`, () => {
      const match = matchBrand(buildBrandIndex(brands), facts, options)
      assert.deepEqual(
        Object.fromEntries(Object.keys(answer).map((key) => [key, match[key as keyof BrandMatch]])),
        answer,
      )
    })
  }
}
