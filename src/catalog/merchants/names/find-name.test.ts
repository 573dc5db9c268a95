import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCatalog } from '../../../../test/support/brands.ts'
import { matchBrand } from '../match.ts'
import type { MerchantFacts } from '../types.ts'

// Expected results: `brand` is an automatic match, `brand?` a review, `-` none.

type Row = readonly [text: string, brand: string, why?: string | undefined, more?: MerchantFacts]

function reads(rows: readonly Row[]): void {
  const catalog = buildCatalog()
  for (const [text, expected, why, more] of rows) {
    const { brandUid, proposedUid, reason, evidence } = matchBrand(catalog, {
      merchantDescriptor: text,
      country: 'us',
      ...more,
    })
    const found = brandUid ?? (proposedUid === null ? '-' : `${proposedUid}?`)
    assert.equal(found, expected, `${text}: ${reason} ${JSON.stringify(evidence)}`)
    if (why !== undefined) assert.equal(reason ?? evidence[0]?.kind, why, text)
  }
}

test('a name is found at the start, as whole words, regardless of spacing, accents and punctuation', () => {
  reads([
    ['COPPERKETTLE', 'Copperkettle', 'end'],
    ['Copper Kettle', 'Copperkettle'],
    ['THE COPPERKETTLE 0412', 'Copperkettle', 'number'],
    ['CÔPPERKETTLE', 'Copperkettle'],
    ["WENDELL'S #44", "Wendell's"],
    ['WENDELL S 4412', "Wendell's"],
    ['MARLOW AND FINCH BOISE ID', 'Marlow & Finch', 'place'],
    ['MARLOW FINCH 0113', 'Marlow & Finch'],
    ['5 BELOW ZERO 77', '5 Below Zero'],
    ['COPPERKETTLECOM', 'Copperkettle'],
    ['OLD COPPERKETTLE', '-', 'name_unknown'],
    ['COPPERKETTLEWARE 12', '-'],
    ['XCOPPERKETTLE', '-'],
  ])
})

test('the longest name wins, so a sister brand is not mistaken for the brand', () => {
  reads([
    ['COPPERKETTLE FRESH 01', 'Copperkettle Fresh'],
    ['COPPERKETTLE FRESHENERS', 'Copperkettle'],
    ['UBER EATS 8005928996', 'Uber Eats'],
    ['UBER', 'Uber'],
  ])
})

test('text that banks, wallets and processors print around the name is not part of it', () => {
  reads([
    ['PURCHASE AUTHORIZED ON 01/02 COPPERKETTLE BOISE ID S0123 CARD 4567', 'Copperkettle'],
    ['POS DEBIT - VISA CHECK CARD 0123 - COPPERKETTLE', 'Copperkettle'],
    ['CHECKCARD xxxx PAYPAL *COPPERKETTLE', 'Copperkettle'],
    ['72601 POS PUR 02/13 02:22 COPPERKETTLE', 'Copperkettle'],
    ['SQ *COPPERKETTLE Boise ID', 'Copperkettle'],
    ['SQU*SQ *COPPERKETTLE', 'Copperkettle'],
    ['TST* COPPERKETTLE', 'Copperkettle'],
    ['SP COPPERKETTLE', 'Copperkettle'],
    ['GglPay COPPERKETTLE RENO NV0045966 775-555-0199 200959762544211272', 'Copperkettle'],
    ['MISCELLANEOUS DEBIT COPPERKETTLE #12 COPPERKETTLE  12 POS DEB 1106', 'Copperkettle'],
    ['ABC*COPPERKETTLE', 'Copperkettle'],
    ['COPPERKETTLE BOISE IDAPPLE PAY ENDING IN 1234', 'Copperkettle'],
    ['4411 COPPERKETTLE', 'Copperkettle'],
    ['ZZQ*COPPERKETTLE', 'Copperkettle'],
    ['ZZQ*COPPERKETTLE SOMEWHERE ELSE', 'Copperkettle?'],
    ['SQ *UNHEARD OF', '-'],
  ])
})

test("a bank's words are recognized in any order, with their dates and masked numbers", () => {
  reads([
    ['CREDIT OR DEBIT CARD WITHDRAWAL COPPERKETTLE BOISE ID', 'Copperkettle'],
    ['MOBILE PURCHASE SIGN BASED 12/31 07:54P #0123 COPPERKETTLE 12', 'Copperkettle'],
    ['PIN DEBIT SALE COPPERKETTLE', 'Copperkettle'],
    ['D0123 COPPERKETTLE BOISE ID', 'Copperkettle'],
    ['POS PURCHASE TERMINAL 44120099 5 BELOW ZERO 77', '5 Below Zero'],
    ['PIN COPPERKETTLE', '-'],
  ])
})

test('a bank transfer is not a card purchase', () => {
  reads([
    ['COPPERKETTLE DES:INSTANT PAY ID:4471', 'Copperkettle?', 'not_a_purchase'],
    ['DOORDASH, INC. DES:EARNINGS ID:4471', '-', 'not_a_purchase'],
    ['COPPERKETTLE DES MOINES IA', 'Copperkettle', 'place'],
  ])
})

test('abbreviated words in a name are expanded', () => {
  reads([
    ['THORNBURY COF ROASTERS 12', 'Thornbury Coffee Roasters'],
    ['MARLOW N FINCH 0113', 'Marlow & Finch'],
    ['COPPERKETTLE 12 FT WAYNE IN', 'Copperkettle'],
  ])
})

test('a purchase is assumed to have been made in the printed country', () => {
  reads([
    ['KAUFMARKT 12 BERLIN DEU', 'Kaufmarkt'],
    ['TARGET 0412 LONDON GB', '-'],
  ])
})

test('a city may run together with the name', () => {
  reads([
    ['COPPERKETTLEBOISE ID', 'Copperkettle', 'place'],
    ['COPPERKETTLESALT LAKE CITY UT', 'Copperkettle'],
    ['COPPERKETTLETRUTH', 'Copperkettle', 'place', { city: 'Truth' }],
    ['COPPERKETTLEZZYZX ID', '-'],
  ])
})

test("a name may be truncated at a network's length limit or by a number", () => {
  reads([
    ['HARROWGATE OUTFITT BOISE ID', 'Harrowgate Outfitters'],
    ['THORNBURY COFFEE ROASTE', 'Thornbury Coffee Roasters'],
    ['HARROWGATE OUT44000064402', 'Harrowgate Outfitters'],
    ['HARROW', '-'],
    ['COPPERKETTLE FRES0412', 'Copperkettle Fresh'],
    ['VELMORA OSTRICH 0412', 'Velmora Ostrich Fennimore?'],
    ['HARROWGATE OUTDATED SUNDAY CLOTHES FOR ALL', '-'],
  ])
})

test('a name may be truncated where the city column begins', () => {
  reads([
    ['APLPAY HARROWGATE OUBOISE               ID', 'Harrowgate Outfitters', 'place'],
    ['APLPAY COPPERKETTLE GARDEN CITY QUILL   ID', 'Copperkettle', 'place'],
    ['APLPAY LUCKY PLANETSBOISE               ID', '-'],
  ])
})

test('a plain word must be followed by a number, a place or the end of the text', () => {
  reads([
    ['TARGET', 'Target'],
    ['TARGET 00012345 MINNEAPOLIS MN', 'Target', 'number'],
    ['TARGET T-3319', 'Target', 'number'],
    ['TARGET SALT LAKE CITY UT', 'Target', 'place'],
    ['TARGET STORE 7', 'Target', 'number'],
    ['TARGET RIVERBEND QUILL', 'Target?', 'name_unconfirmed'],
    ['SHELL SEEKERS 12 CLUBHOUSE', 'Shell?'],
    ['BQX 0123', 'BQX'],
    ['BQX HOLDINGS', '-', 'name_unconfirmed'],
    ['BQX *SOMEBODY', 'BQX?'],
  ])
})

test('a trade after the name indicates a different merchant', () => {
  reads([
    ['TARGET PLUMBING 0123', '-'],
    ['SHELL LIQUORS LAREDO TX', '-'],
    ['DELTA DENTISTRY BOISE ID', '-'],
    ['COPPERKETTLE DENTAL', 'Copperkettle?'],
    ['COPPERKETTLE DAY CARE BOISE ID', 'Copperkettle?'],
    ['COPPERKETTLE 1000 SPIRITS BOISE ID', 'Copperkettle?'],
    ['TARGET CENTER MINNEAPOLIS MN', 'Target?'],
    ['HULU PLUS EXTRA', 'Hulu'],
    ['COPPERKETTLE & SONS', 'Copperkettle?'],
    ['QUILLON GRILL & BAR RENO NV', 'Quillon Grill'],
    ['SHELL OIL 57444 RENO NV', 'Shell'],
  ])
})

test('the text after a name distinguishes a store from another merchant', () => {
  reads([
    ['COPPERKETTLE 0412 MEDIA PA', 'Copperkettle', 'number'],
    ['COPPERKETTLE 412 MEDIA PA', 'Copperkettle', 'number'],
    ['COPPERKETTLE 412 MEDIA BOISE ID', 'Copperkettle?'],
    ['TARGET OR12 BEND OR', 'Target', 'number'],
    ['TARGET XZ12 BEND OR', 'Target?'],
    ['SHELL - RIVERBEND QUILL', 'Shell', 'open'],
    ['SHELL RIVERBEND QUILL', 'Shell?'],
    ['TARGET ON EAST BOISE ID', 'Target?'],
    ['COPPERKETTLE BY DOORDASH', 'Copperkettle?'],
    ['COPPERKETTLE BY THE SEA', 'Copperkettle'],
    ['COPPERKETTLE GRILL BOISE ID', 'Copperkettle?'],
    ['MARLOW AND FINCH 6', 'Marlow & Finch', 'end'],
    ['DELTA 0062345678901', 'Delta Air Lines', 'number'],
    ['SHELL 0062345678901', '-', 'mcc_conflict'],
    ['SHELL 9992345678901', 'Shell', 'number'],
    ['DBCRD PUR AP, *****30041827365, AUT 051223 VISA DDA PUR AP COPPERKETTLE 912 CHERRY HILL * NJ', 'Copperkettle'],
  ])
})

test('without its trade, a lesser-known name is matched automatically only before a store number', () => {
  reads([
    ['QUILLON 7027 RENO NV', 'Quillon Grill', 'number'],
    ['QUILLON RENO NV', 'Quillon Grill?'],
    ['SILVER FOX 0423 RENO NV', 'Silver Fox Coffee', 'number'],
    ['SILVER FOX RENO NV', 'Silver Fox Coffee?'],
  ])
})

test('a category code confirms or rules out a name', () => {
  reads([
    ['TARGET RIVERBEND QUILL', 'Target', 'open', { mcc: '5411' }],
    ['TARGET 0123', '-', 'mcc_conflict', { mcc: '1711' }],
    ['QUILLON GRILL', 'Quillon Grill?', 'mcc_conflict', { mcc: '1711' }],
    ['DELTA 0062345678901', 'Delta Air Lines', 'number', { mcc: '3058' }],
  ])
})

test('category, site or state distinguishes namesakes; otherwise the match goes to review', () => {
  reads([
    ['GIANT 0412', 'Giant east?', 'name_ambiguous'],
    ['GIANT 0412', 'Giant west', undefined, { mcc: '5541' }],
    ['GIANT 0412 YORK PA', 'Giant east'],
    ['GIANT 0412 GIANT-WEST.COM', 'Giant west'],
    ['GIANT 0412', 'Giant west', undefined, { website: 'giant-west.com' }],
  ])
})

test('a brand from another country is not found and does not compete', () => {
  reads([
    ['KAUFMARKT 0123', '-', 'name_unknown'],
    ['KAUFMARKT 0123', 'Kaufmarkt', undefined, { country: 'DE' }],
    ['TARGET 0123', 'Target abroad', undefined, { country: 'au' }],
  ])
})

test('a brand known only by name needs a store number, or a rare name followed only by its place', () => {
  reads([
    ['PELLWORM FERRY CAFE BOISE ID', 'Pellworm Ferry Cafe', 'place'],
    ['PELLWORM FERRY CAFE #114', 'Pellworm Ferry Cafe'],
    ['PELLWORM FERRY CAFE AND MORE', '-'],
    ['LUCKY GARDEN BOISE ID', 'Lucky Garden?'],
    ['LUCKY GARDEN DELIVERY', '-'],
  ])
})

test('a marketplace, parent or brand code before the name identifies who was paid', () => {
  reads([
    ['DOORDASH*CHIPOTLE', 'DoorDash', 'marketplace'],
    ['DD *CHIPOTLE', 'DoorDash'],
    ['DOORDASHCHIPOTLE', 'DoorDash'],
    ['PAYPAL *EBAY US', 'eBay'],
    ['UBER *EATS', 'Uber Eats'],
    ['GOOGLE *YOUTUBEPREMIUM', 'YouTube', 'parent'],
    ['GOOGLE *SOMEGAME', '-'],
    ['MICROSOFT*SUBSCRIPTION', 'Microsoft'],
    ['HLU*9912033', 'Hulu', 'brand'],
  ])
})

test('text that is not a purchase at a merchant matches no brand', () => {
  reads([
    ['COPPERKETTLE GIFT CARD', '-', 'not_a_purchase'],
    ['ZELLE COPPERKETTLE', '-', 'not_a_purchase'],
    ['COPPERKETTLE CREDIT CARD EPAY', '-', 'not_a_purchase'],
    ['COPPERKETTLE PAYROLL PPD ID: 99', '-', 'not_a_purchase'],
    ['DOORDASH PAYOUT', '-', 'not_a_purchase'],
    ['REFUND COPPERKETTLE', '-', 'not_a_purchase'],
    ['COPPERKETTLE ONLINE PMT 4412', 'Copperkettle?', 'not_a_purchase'],
  ])
})

test('a misspelled name is only proposed for review', () => {
  reads([
    ['COPPERKETLE 0123', 'Copperkettle?'],
    ['HARROWGATE OUTFITERS', 'Harrowgate Outfitters?'],
  ])
})
