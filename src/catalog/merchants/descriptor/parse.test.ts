import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from '../text/tokens.ts'
import { parseDescriptor } from './parse.ts'

// A parsed descriptor: where the merchant's name may begin, which prefix precedes it, and where the bank's words
// resume.

const parse = (text: string) => parseDescriptor(fold(text))

test("a name may begin at the start of the field, after the bank's numbers or after a processor", () => {
  const rows: readonly (readonly [text: string, ...readings: readonly string[]])[] = [
    ['ORVANE 12', 'orvane 12'],
    ['POS PURCHASE ORVANE', 'orvane'],
    ['POS PURCHASE SQ *ORVANE', 'orvane < sq'],
    ['4411 ORVANE', '4411 orvane', 'orvane, numbered'],
    ['4411 22 ORVANE', '4411 22 orvane', 'orvane'],
    ['4411', '4411'],
    ['4-5 ORVANE', '4-5 orvane'],
    ['4 5 ORVANE', '4 5 orvane', 'orvane'],
    ['4-55 ORVANE', '4-55 orvane', 'orvane'],
    ['4411-5 ORVANE', '4411-5 orvane', 'orvane'],
    ['ABC*4411-ORVANE', '4411-orvane < abc', 'orvane, numbered < abc'],
    ['ABC*4411 ORVANE', '4411 orvane < abc'],
    ['DD *4411-ORVANE', '4411-orvane < dd'],
    // Processors, with a star, or without one if no merchant has that name.
    ['SQ *ORVANE', 'orvane < sq'],
    ['SQ ORVANE', 'orvane < sq'],
    ['SP ORVANE', 'orvane < sp'],
    ['SQORVANE', 'sqorvane'],
    ['SQ12 ORVANE', 'sq12 orvane'],
    ['IN *ORVANE', 'orvane < in'],
    ['IN ORVANE', 'in orvane'],
    ['SQ *', 'sq *'],
    ['SQ', 'sq'],
    ['DD *POS PURCHASE 12', 'dd *pos purchase 12'],
    ['4411 SQ *ORVANE', '4411 sq *orvane', 'orvane, after an unknown prefix', 'orvane, numbered < sq'],
    // Up to three in a row.
    ['SQU*SQ *ORVANE', 'orvane < sq'],
    ['SQU*SQ *TST*ORVANE', 'orvane < tst'],
    ['SQU*SQ *TST*PP*ORVANE', 'pp*orvane < tst'],
    // A marketplace is the payee, so it is never read as the processor for another merchant.
    ['DD *ORVANE', 'orvane < dd'],
    ['DD *SQ *ORVANE', 'sq *orvane < dd'],
    // A prefix that may also be a name is read both ways.
    ['DOORDASH*ORVANE', 'orvane < doordash', 'doordash*orvane'],
    ['DOORDASHORVANE', 'doordashorvane < doordash', 'doordashorvane'],
    ['DOOR DASH ORVANE', 'orvane < doordash', 'door dash orvane'],
    ['SQ *DOORDASH*ORVANE', 'orvane < doordash', 'sq *doordash*orvane'],
    ['UBER EATS*ORVANE', 'orvane < ubereats'],
    ['AMAZON MKT PL*ORVANE', 'orvane < amazonmktpl'],
    ['PAY *ORVANE', 'orvane < pay'],
    ['PAY ORVANE', 'pay orvane'],
    ['PAY ORVANE*RIVERBEND', 'pay orvane*riverbend', 'riverbend, after an unknown prefix'],
    // A few letters before a star may be a prefix missing from the packs.
    ['ZZQ*ORVANE', 'zzq*orvane', 'orvane, after an unknown prefix'],
    ['Z Z Q*ORVANE', 'z z q*orvane', 'orvane, after an unknown prefix'],
    ['A B C D*ORVANE', 'a b c d*orvane'],
    ['TENLETTERS*ORVANE', 'tenletters*orvane', 'orvane, after an unknown prefix'],
    ['ELEVENLETTE*ORVANE', 'elevenlette*orvane'],
    ['*ORVANE', 'orvane'],
    ['*ZZQ*ORVANE', 'zzq*orvane', 'orvane, after an unknown prefix'],
    ['ZZQ ORVANE', 'zzq orvane'],
  ]
  for (const [text, ...expected] of rows) {
    const { folded, tokens, readings } = parse(text)
    const read = readings.map(({ from, prefix, isAfterUnknownPrefix, isNumbered }) =>
      [
        folded.slice(tokens.starts[from]),
        isAfterUnknownPrefix ? ', after an unknown prefix' : '',
        isNumbered ? ', numbered' : '',
        prefix === null ? '' : ` < ${prefix.prefix}`,
      ].join(''),
    )
    assert.deepEqual(read, expected, text)
  }
})

test("the merchant's field ends where the bank's words resume", () => {
  const rows: readonly (readonly [text: string, field: string])[] = [
    ['ORVANE BOISE ID', 'orvane boise id'],
    ['ORVANE BOISE ID POS PURCHASE X', 'orvane boise id'],
    ['POS PURCHASE ORVANE PURCHASE', 'orvane'],
    ['ORVANE CARD 1234', 'orvane'],
    ['ORVANE 12 CARD XXXX', 'orvane 12'],
    ['ORVANE CARD SHOP', 'orvane card shop'],
    ['ORVANE CARD NBR: -1234', 'orvane'],
    ['ORVANE DATE 05/26/25 0 CARD 1234', 'orvane'],
    ['ORVANE DATE 5/26/25', 'orvane date 5/26/25'],
    ['ORVANE DATE 05 26 25', 'orvane date 05 26 25'],
    ['ORVANE DATE 05/26 25', 'orvane date 05/26 25'],
    ['ORVANE DATE 05 26/25', 'orvane date 05 26/25'],
    ['ORVANE DATE SHOP', 'orvane date shop'],
    ['ORVANE BOISE IDDATE 05/26/25', 'orvane boise id'],
    ['ORVANE UPDATE 05/26/25', 'orvane update 05/26/25'],
    ['ORVANE OUTDATE 05/26/25', 'orvane outdate 05/26/25'],
    ['ORVANE BOID DATE 05/26/25', 'orvane boid'],
    ['ORVANE 12CARD 1234', 'orvane 12card 1234'],
    ['ORVANE ON 052625', 'orvane'],
    ['ORVANE 12ON 052625', 'orvane 12'],
    ['ORVANE ON 05265', 'orvane on 05265'],
    ['ORVANE IN 052625', 'orvane in 052625'],
    // The purchase date is between the name and the place.
    ['ORVANE 03/04 PURCHASE BOISE ID', 'orvane                boise id'],
    ['SQ *ORVANE 12 03/04 PURCHASE BOISE ID', 'sq *orvane 12                boise id'],
    ['ORVANE 03/04 PURCHASE BOISE', 'orvane 03/04'],
    ['ORVANE 3/4 PURCHASE BOISE ID', 'orvane 3/4'],
    ['CHECKCARD 03/04 PURCHASE ORVANE BOISE ID', 'orvane boise id'],
    // Some banks repeat their words after the name.
    ['ORVANE 12 POS DEB 1106', 'orvane 12'],
    ['ORVANE 12 DBT CRD 1106', 'orvane 12'],
    ['ORVANE 12 DBT 1106', 'orvane 12 dbt 1106'],
    // The name appears twice, truncated the first time.
    ['ORVANE OU 03/04 #000000012 PURCHASE ORVANE OUTFITTE BOISE ID', 'orvane outfitte boise id'],
    ['ORVANE OU 03/04 #00012 PURCHASE ORVANE OUTFITTE BOISE ID', 'orvane ou 03/04 #00012'],
    // A field at the beginning cuts off nothing, because no name would remain.
    ['CARD 12 ORVANE', 'card 12 orvane'],
    ['ON 052625 ORVANE', 'on 052625 orvane'],
    ['TRACE 12', 'trace 12'],
    // Words of wallets and banks may run together with the field.
    ['ORVANE BOISE IDAPPLE PAY ENDING IN 1234', 'orvane boise id'],
    ['ORVANE BOISE ID APPLE PAY ENDING IN 1234', 'orvane boise id'],
    ['ORVANEGOOGLE PAY ENDING IN 1234', 'orvane'],
    ['ORVANEDEBIT CARD PURCHASE 12', 'orvane'],
    ['ORVANEDEBIT CARD WITHDRAWAL', 'orvane'],
    ['ORVANEMOBILE PURCHASE', 'orvanemobile'],
  ]
  for (const [text, expected] of rows) {
    const { folded, tokens, field, end } = parse(text)
    assert.equal(end > field ? folded.slice(tokens.starts[field], tokens.ends[end - 1]) : '', expected, text)
  }
})

test('a name is cut off where the bank prints the date of the purchase', () => {
  const rows: readonly (readonly [text: string, after: string])[] = [
    ['ORVANE OUTFI 03/04 PURCHASE BOISE ID', 'boise id'],
    ['ORVANE OUTFI PURCHASE BOISE ID', '-'],
    ['ORVANE OUTFI BOISE ID', '-'],
    // Columns of 20 and 20 characters, or 25 and 13.
    ['APLPAY ORVANE OUTFITBOISE               ID', 'boise               id'],
    ['APLPAY ORVANE       BOISE               ID', '-'],
    ['ORVANE OUTFITTERS ABROAD BOISE        ID', '-'],
    ['ORVANE OUTFITTERS ABROAD,BOISE        ID', 'boise        id'],
    // Here, the day belongs to the words before the name.
    ['CHECKCARD 03/04 PURCHASE ORVANE BOISE ID', '-'],
  ]
  for (const [text, after] of rows) {
    const { folded, tokens, brokenAt } = parse(text)
    assert.equal(brokenAt < 0 ? '-' : folded.slice(tokens.starts[brokenAt]), after, text)
  }
})

test('the column layout shows where the city begins', () => {
  const rows: readonly (readonly [text: string, city: string])[] = [
    ['ORVANE              BOISE               ID', 'boise               id'],
    ['ORVANE OUTFITTERS ABBOISE               ID', 'boise               id'],
    ['ORVANE              SALT LAKE CITY AREA ID', 'salt lake city area id'],
    ['ORVANE                   BOISE        ID', 'boise        id'],
    ['ORVANE OUTFITTERS ABROADSBOISE        ID', 'boise        id'],
    // Texts that are too long, too short or not padded, or that have no city.
    ['ORVANE              BOISE                ID', '-'],
    ['ORVANE              BOISE              ID', '-'],
    ['ORVANE OUTFITTERS ABSALT LAKE CITY AREA ID', '-'],
    ['ORVANE              775-555-0199        ID', '-'],
    ['ORVANE               BOISE              ID', '-'],
    ['ORVANE              BOISE               ZZ', '-'],
  ]
  for (const [text, city] of rows) {
    const { folded, tokens, cityAt } = parse(text)
    assert.equal(cityAt < 0 ? '-' : folded.slice(tokens.starts[cityAt]), city, text)
  }
})

test('phrases that rule out a purchase or indicate a payment are reported with their position', () => {
  const rows: readonly (readonly [text: string, never: string, payment: string])[] = [
    ['ORVANE', '-', '-'],
    ['ORVANE GIFT CARD 12', 'gift card 12', '-'],
    ['GIFT CARD ORVANE', 'gift card orvane', '-'],
    ['GIFT CARD ORVANE REFUND', 'gift card orvane refund', '-'],
    ['ORVANE GIFT', '-', '-'],
    ['ORVANE REFUND PAYROLL', 'refund payroll', '-'],
    ['ORVANE PURCHASE RETURN', 'purchase return', '-'],
    ['ORVANE PURCHASE 03/04', '-', '-'],
    ['ORVANE PAYMENT', '-', 'payment'],
    ['ORVANE PAYMENT AUTOPAY', '-', 'payment autopay'],
    ['PAYMENT ORVANE', '-', '-'],
    ['POS PURCHASE ORVANE PMT', '-', 'pmt'],
    ['ORVANE PAYMENT REFUND', 'refund', 'payment refund'],
    // The bank's words follow the field.
    ['ORVANE CARD 1234 REFUND PAYMENT', '-', '-'],
    // Shares of the company were traded.
    ['ORVANE - SELL', 'sell', '-'],
    ['ORVANE CO - BUY', 'buy', '-'],
    ['ORVANE BUY', '-', '-'],
    ['ORVANE - BUY NOW', '-', '-'],
    ['- BUY', '-', '-'],
    ['POS PURCHASE - BUY', '-', '-'],
    ['ORVANE REFUND POS PURCHASE', 'refund pos purchase', '-'],
    ['ORVANE PAYMENT POS PURCHASE', '-', 'payment pos purchase'],
  ]
  for (const [text, never, payment] of rows) {
    const { folded, tokens, neverAt, paymentAt } = parse(text)
    const from = (at: number) => (at < 0 ? '-' : folded.slice(tokens.starts[at]))
    assert.deepEqual([from(neverAt), from(paymentAt)], [never, payment], text)
  }
})

test('a bank transfer is recognized by its fields', () => {
  for (const text of ['ORVANE DES:SHOP ID:12', 'ORVANE CO ID:12', 'INDN:SOMEBODY ORVANE'])
    assert.equal(parse(text).isAch, true, text)
  for (const text of ['ORVANE DES MOINES IA', 'ORVANE CODES:12', 'ORVANE 12:30', 'ORVANE ID:12', 'ORVANE'])
    assert.equal(parse(text).isAch, false, text)
})

test('a category code is read if the bank prints one', () => {
  const rows: readonly (readonly [text: string, mcc: string | undefined])[] = [
    ['ORVANE MERCHANT CATEGORY CODE 5411', '5411'],
    ['ORVANE MERCHANT CATEGORY CODE 5411 TRACE 12', '5411'],
    ['POS PURCHASE ON 11/15 @ 06:46  5411 ORVANE', '5411'],
    ['POS PURCHASE ON 11/15 @ 06:46  5411    ORVANE', '5411'],
    ['POS PURCHASE ON 11/15 @ 06:46  5411 VISA 0123 ORVANE', undefined],
    ['POS PURCHASE ON 11/15 @ 06:46  541 ORVANE', undefined],
    ['POS PURCHASE ON 11/15 06:46  5411 ORVANE', undefined],
    ['ORVANE @ 06:46  5411 SHOP', undefined],
    ['ORVANE MERCHANT CATEGORY CODE 541', undefined],
    ['ORVANE MERCHANT CATEGORY CODE 54112', undefined],
    ['ORVANE MERCHANT CATEGORY CODE XXXX', undefined],
    ['ORVANE MERCHANT CATEGORY CODE', undefined],
    ['ORVANE MERCHANT NAME CODE 5411', undefined],
    ['ORVANE DATE 06/04/25 0 5155335474 0 5411 CARD 1234', '5411'],
    ['ORVANE DATE 06/04/25 0 5155335474 0 5411CARD 1234', '5411'],
    ['ORVANE DATE 06/04/25 0 5155335474 0 5411', undefined],
    ['ORVANE DATE 06/04/25 0 5155335474 5411 CARD 1234', undefined],
    ['ORVANE DATE 06/04/25 0 5155335474 0 541 CARD 1234', undefined],
    ['ORVANE FROM CARD CATEGORY 5411', undefined],
    ['ORVANE TRACE CATEGORY CODE 5411', undefined],
    ['ORVANE TRACE 06/04/25 0 5155335474 0 5411 CARD 1234', undefined],
    ['ORVANE 5411', undefined],
  ]
  for (const [text, mcc] of rows) assert.equal(parse(text).mcc, mcc, text)
})
