import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import { templateOf } from './template.ts'
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
  ['the id of a brand', { brandUid: 'Velmora' }, exact('Velmora', 'brand_uid', 'brand_uid', 'Velmora')],
  ['an unknown id', { brandUid: 'x', merchantId: 'v-1' }, unmatched('unknown_brand_uid')],
  [
    'a merchant id with spaces around it',
    { merchantId: ' v-1 ' },
    exact('Velmora', 'merchant_id', 'merchant_id', ' v-1 ', 'v-1'),
  ],
  ['a merchant id of two, one of this category', { merchantId: 't-1', mcc: '5462' }, automatic('Tarnby Bakery')],
  ['a merchant id of two, none of this category', { merchantId: 't-1', mcc: '1711' }, unmatched('name_unknown')],
  ['a merchant id of two, and no category', { merchantId: 't-1' }, unmatched('name_unknown')],
  [
    'a merchant id of one, whatever the category',
    { merchantId: 'h-1', mcc: '1711' },
    automatic('Harrowgate Outfitters'),
  ],
  ['a merchant id before the website', { merchantId: 'h-1', website: 'velmora.com' }, { method: 'merchant_id' }],
  [
    'a website below the declared one',
    { website: 'https://shop.velmora.com/a' },
    exact('Velmora', 'domain', 'website', 'https://shop.velmora.com/a', 'velmora.com'),
  ],
  ['a website of two, one of this category', { website: 'tarnby.com', mcc: '5812' }, automatic('Tarnby Pizza')],
  ['a website of two, and no category', { website: 'tarnby.com' }, unmatched('name_unknown')],
  [
    'a website of two, and a name of one',
    { website: 'tarnby.com', merchantName: 'Tarnby Pizza' },
    automatic('Tarnby Pizza'),
  ],
  ['an unknown website', { website: 'unheard.example' }, unmatched('name_unknown')],
  ['what is no website', { website: 'none' }, unmatched('name_unknown')],
  ['an unknown merchant id', { merchantId: 'v-9' }, unmatched('name_unknown')],
  ['nothing that names a merchant', { mcc: '5812', city: 'Boise', state: 'ID' }, unmatched('no_merchant_facts')],
  ['empty texts', { merchantName: '', merchantDescriptor: '  ' }, unmatched('no_merchant_facts')],
  ['empty texts and a website', { merchantName: '', website: 'unheard.example' }, unmatched('name_unknown')],
]

const diner = printed('SQ *MARGES DINER 0442 BOISE ID')
const learnt = (provider: string | null, text: string | null | undefined) => {
  const kept = new Map<string, AliasVerdict>([['provider:p-1', { aliasUid: 'als_p', brandUid: provider }]])
  if (text !== undefined) kept.set(templateOf(diner) ?? '', { aliasUid: 'als_t', brandUid: text })
  return { aliases: kept }
}
const fromProvider = { ...diner, providerMerchantId: 'p-1' }
const LEARNT: readonly Case[] = [
  [
    'of the provider’s merchant',
    fromProvider,
    exact('Velmora', 'provider_merchant_id', 'alias', 'provider:p-1', 'als_p'),
    learnt('Velmora', 'Target'),
  ],
  ['of the text', diner, exact('Target', 'alias', 'alias', 'marges diner', 'als_t'), learnt('Velmora', 'Target')],
  [
    'that it is no brand',
    fromProvider,
    {
      ...unmatched('not_a_brand'),
      method: 'alias',
      evidence: [{ field: 'alias', value: 'provider:p-1', matched: 'als_p' }],
    },
    learnt(null, 'Target'),
  ],
  [
    'for a brand that is gone leaves the text’s',
    fromProvider,
    { brandUid: 'Target', method: 'alias' },
    learnt('gone', 'Target'),
  ],
  ['for brands that are gone leaves the names', fromProvider, unmatched('name_unknown'), learnt('gone', 'gone')],
  ['about others', printed('VELMORA'), automatic('Velmora'), learnt('Target', 'Target')],
  ['where a text has no key', { merchantId: 'v-1' }, { method: 'merchant_id' }, learnt('Target', 'Target')],
  ['before a merchant id', { ...diner, merchantId: 'v-1' }, automatic('Target'), learnt('Velmora', 'Target')],
]

const WHERE: readonly Case[] = [
  ['the country of the purchase', printed('KAUFMARKT 0412', { country: 'DE' }), automatic('Kaufmarkt')],
  ['another country', printed('KAUFMARKT 0412', { country: 'FR' }), unmatched('name_unknown')],
  ['no country at all', printed('KAUFMARKT 0412'), automatic('Kaufmarkt')],
  ['an empty country and a state', printed('KAUFMARKT 0412', { country: '', state: 'PA' }), unmatched('name_unknown')],
  ['a state is in the one country', printed('OSTERMOOR 0412', { state: 'PA' }), automatic('Ostermoor')],
  ['what is no state says nothing', printed('KAUFMARKT 0412', { state: 'Hessen' }), automatic('Kaufmarkt')],
  ['a printed state', printed('KAUFMARKT 0412 BOISE ID'), unmatched('name_unknown')],
  ['a printed country', printed('OSTERMOOR 0412 BERLIN DEU'), unmatched('name_unknown')],
  [
    'a printed country goes before the reported one',
    printed('KAUFMARKT 12 BERLIN DEU', { country: 'us' }),
    automatic('Kaufmarkt'),
  ],
  ['with one word between', printed('OSTERMOOR BERLIN DEU'), unmatched('name_unknown')],
  ['with nothing between it may be a word', printed('OSTERMOOR DEU', { country: 'us' }), automatic('Ostermoor')],
  ['letters on digits are no country', printed('OSTERMOOR 0412 12DEU', { country: 'us' }), automatic('Ostermoor')],
  ['counted after the bank’s words', printed('POS PURCHASE OSTERMOOR DEU', { country: 'us' }), automatic('Ostermoor')],
  ['the reported state', printed('GIANT 0412', { state: 'PA' }), automatic('Giant east')],
  [
    'the reported state before the printed one',
    printed('GIANT 0412 YORK PA', { state: 'CA' }),
    automatic('Giant west'),
  ],
  ['the printed state', printed('GIANT 0412 YORK PA'), automatic('Giant east')],
  ['no state', printed('GIANT 0412'), { ...proposed('Giant east'), reason: 'name_ambiguous', score: 0.7 }],
  ['a city printed onto the name', printed('VELMORATRUTH', { city: 'Truth' }), automatic('Velmora')],
  ['but not where it is printed again', printed('VELMORATRUTH TRUTH', { city: 'Truth' }), unmatched('name_unknown')],
  ['nor another city', printed('VELMORATRUTH', { city: 'Boise' }), unmatched('name_unknown')],
  ['a city of two words', printed('VELMORATRUTH OAKS', { city: 'Truth  Oaks' }), automatic('Velmora')],
  ['a city with its state', printed('VELMORABOISE ID'), automatic('Velmora')],
  ['a city alone before its state', printed('VELMORABOISE BOISE ID'), unmatched('name_unknown')],
]

const SUPPORT: readonly Case[] = [
  ['a reported store number', printed('QUILLON RENO NV', { storeNumber: '12' }), automatic('Quillon Grill')],
  ['an empty store number', printed('QUILLON RENO NV', { storeNumber: '' }), proposed('Quillon Grill')],
  ['no store number', printed('QUILLON RENO NV'), proposed('Quillon Grill')],
  ['the reported category', printed('TARGET RIVERBEND QUILL', { mcc: '5411' }), automatic('Target')],
  [
    'the category that the bank prints',
    printed('TARGET RIVERBEND QUILL MERCHANT CATEGORY CODE 5411'),
    automatic('Target'),
  ],
  [
    'the reported category before the printed one',
    printed('TARGET RIVERBEND QUILL MERCHANT CATEGORY CODE 5411', { mcc: '1711' }),
    { band: 'none', reason: 'mcc_conflict' },
  ],
  [
    'a cleaned name of a brand known by its name alone',
    { merchantName: 'Pellworm Ferry Cafe' },
    automatic('Pellworm Ferry Cafe'),
  ],
  ['the same printed', printed('PELLWORM FERRY CAFE'), proposed('Pellworm Ferry Cafe')],
  [
    'a slip of the pen',
    printed('HARROWGATE OUTFITERS'),
    { ...proposed('Harrowgate Outfitters'), reason: 'name_unconfirmed' },
  ],
]

const NEVER: readonly Case[] = [
  ['after a name', printed('VELMORA GIFT CARD'), unmatched('not_a_purchase')],
  ['before a name', printed('ZELLE VELMORA'), unmatched('not_a_purchase')],
  ['within a name it is the name', printed('GIFT CARD VELMO 0412'), automatic('Gift Card Velmo')],
  ['with an unknown name', printed('UNHEARD GIFT CARD'), unmatched('not_a_purchase')],
  ['in the cleaned name alone', { merchantName: 'Zelle Transfer', ...printed('VELMORA') }, unmatched('not_a_purchase')],
  ['in the text alone', { merchantName: 'Velmora', ...printed('VELMORA GIFT CARD') }, unmatched('not_a_purchase')],
  ['at a marketplace', printed('DOORDASH*GIFT CARD'), unmatched('not_a_purchase')],
  ['wages of a marketplace', printed('DOORDASH*VELMORA DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['wages of a parent', printed('MICROSOFT*X DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['wages of a parent, with a product', printed('GOOGLE*YOUTUBE DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['wages of a brand that has a head', printed('HLU*X DES:PAY ID:4471'), unmatched('not_a_purchase')],
  ['a bill of a telephone company', printed('ATT*BILL DES:PAYMENT ID:4471'), automatic('AT&T')],
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
  ['its seller, where the publisher says so', printed('DOORDASH*VELMORA'), automatic('Velmora'), seller],
  [
    'its seller by the cleaned name',
    { merchantName: 'Velmora', ...printed('DOORDASH*12') },
    {
      ...automatic('Velmora'),
      evidence: [{ field: 'merchant_name', value: 'Velmora', matched: 'velmora', kind: 'end', strategy: 'whole_name' }],
    },
    seller,
  ],
  ['an unknown seller', printed('DOORDASH*UNHEARD'), atDoor('DOORDASH*UNHEARD'), seller],
  [
    'a seller that is not sure',
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
  ['a product of a parent', printed('MICROSOFT*XBOX LIVE'), { ...automatic('Xbox'), score: 0.97 }],
  ['a product with more letters', printed('GOOGLE *YOUTUBEPREMIUM'), automatic('YouTube')],
  ['a product of two letters', printed('GOOGLE *YT PREMIUM'), automatic('YouTube')],
  ['two letters that begin a word are none', printed('GOOGLE *YTPREMIUM'), unmatched('name_unknown')],
  ['a product of two words', printed('GOOGLE *YOU TUBE'), automatic('YouTube')],
  ['a product and the parent again', printed('GOOGLE *DOMAINS GOOGL G.CO HELPPAY#'), automatic('Google')],
  ['a product of a word that goes on', printed('GOOGLE *DOMAINS ATLAS G.CO HELPPAY#'), unmatched('name_unknown')],
  ['a product that comes later', printed('GOOGLE *SOME YOUTUBE'), unmatched('name_unknown')],
  ['a brand after a parent', printed('MICROSOFT*VELMORA'), automatic('Velmora')],
  ['a brand after a parent that is not sure', printed('MICROSOFT*TARGET RIVERBEND QUILL'), automatic('Microsoft')],
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
    'a code of a brand',
    printed('HLU*VELMORA'),
    {
      ...automatic('Hulu'),
      evidence: [{ field: 'merchant_descriptor', value: 'HLU*VELMORA', matched: 'hlu', kind: 'brand' }],
    },
  ],
  ['a processor is no merchant', printed('SQ *VELMORA'), automatic('Velmora')],
  ['a marketplace after a processor', printed('PAYPAL *DOORDASH*VELMORA'), { brandUid: 'DoorDash' }],
]

const both = (merchantName: string, merchantDescriptor: string): MerchantFacts => ({ merchantName, merchantDescriptor })
const SETTLED: readonly Case[] = [
  [
    'one brand in both',
    both('Velmora', 'VELMORA 0412'),
    {
      ...automatic('Velmora'),
      evidence: [{ field: 'merchant_name', value: 'Velmora', matched: 'velmora', kind: 'end', strategy: 'whole_name' }],
    },
  ],
  ['a longer name in the text', both('Velmora', 'VELMORA NIGHTS 0412'), automatic('Velmora Nights')],
  [
    'a longer name in the cleaned one',
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
  ['a sure text and an unsure name', both('Target Riverbend Quill', 'VELMORA 0412'), automatic('Velmora')],
  ['a sure name and an unsure text', both('Velmora', 'TARGET RIVERBEND QUILL'), automatic('Velmora')],
  [
    'plain words against another name',
    both('Somebody Else', 'TARGET 0412'),
    { ...proposed('Target'), reason: 'name_unconfirmed' },
  ],
  ['plain words without another name', printed('TARGET 0412'), automatic('Target')],
  ['plain words and the same name', both('Target', 'TARGET 0412'), automatic('Target')],
  ['of two unsure ones the surer', both('Target Riverbend Quill', 'QUILLON RENO NV'), proposed('Quillon Grill')],
  ['in whatever order', both('Quillon Reno NV', 'TARGET RIVERBEND QUILL'), proposed('Quillon Grill')],
  [
    'an address',
    printed('UNHEARD VELMORA.COM/BILL'),
    exact('Velmora', 'domain', 'merchant_descriptor', 'UNHEARD VELMORA.COM/BILL', 'velmora.com'),
  ],
  [
    'an address in the cleaned name',
    { merchantName: 'Pay at velmora.com' },
    {
      brandUid: 'Velmora',
      method: 'domain',
      evidence: [{ field: 'merchant_name', value: 'Pay at velmora.com', matched: 'velmora.com' }],
    },
  ],
  ['the second address', printed('UNHEARD SOME.COM VELMORA.COM'), { brandUid: 'Velmora', method: 'domain' }],
  [
    'an address of two, one of this category',
    printed('UNHEARD TARNBY.COM', { mcc: '5462' }),
    automatic('Tarnby Bakery'),
  ],
  ['an address of two', printed('UNHEARD TARNBY.COM'), unmatched('name_unknown')],
  [
    'an address settles an unsure name',
    printed('TARGET RIVERBEND VELMORA.COM'),
    { brandUid: 'Velmora', method: 'domain' },
  ],
  [
    'a name that is sure goes before an address',
    printed('HARROWGATE OUTFITTERS 0412 VELMORA.COM'),
    automatic('Harrowgate Outfitters'),
  ],
  ['an unknown name in both', both('Unheard', 'UNKNOWN'), unmatched('name_unknown')],
]

for (const [chapter, cases] of Object.entries({
  'exact evidence': EXACT,
  'a person’s verdict': LEARNT,
  'where it was bought': WHERE,
  'what else the purchase says': SUPPORT,
  'words of no purchase': NEVER,
  'who is paid': PAID,
  'two texts': SETTLED,
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
