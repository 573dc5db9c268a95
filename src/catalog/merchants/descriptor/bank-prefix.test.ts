import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold, tokenize } from '../text/tokens.ts'
import { endOfBankPrefix } from './bank-prefix.ts'

// Where the merchant's field begins, after everything the bank prints first.

type Row = readonly [text: string, field: string, why?: string]

function each(rows: readonly Row[]): void {
  for (const [text, field, why] of rows) {
    const folded = fold(text)
    const tokens = tokenize(folded)
    const start = tokens.starts[endOfBankPrefix(tokens, folded)] ?? folded.length
    assert.equal(folded.slice(start), field.toLowerCase(), `${text}: ${why}`)
  }
}

test("bank phrases with their dates and masks are not part of the merchant's name", () => {
  each([
    ['ORVANE 12', 'ORVANE 12', 'nothing precedes it'],
    ['POS PURCHASE ORVANE', 'ORVANE'],
    ['POINT OF SALE WITHDRAWAL ORVANE', 'ORVANE'],
    ['POINT BREAK SURF', 'POINT BREAK SURF', 'only the first word of a phrase'],
    ['POS PURCHASE MERCHANT NAME: ORVANE', 'ORVANE', 'a phrase that begins with a word of the run'],
    ['PURCHASE ORVANE PURCHASE', 'ORVANE PURCHASE', 'text after the name is not read here'],
    ['PURCHASE AUTHORIZED ON 01/02 ORVANE', 'ORVANE'],
    ['PURCHASE AUTHORIZED ON XX/XX ORVANE', 'ORVANE', 'a masked date'],
    ['PURCHASE AUTHORIZED ON 01/02/24 ORVANE', 'ORVANE', 'a date with a year'],
    ['PURCHASE 01/02 01:26 ORVANE', 'ORVANE', 'date and time'],
    ['PURCHASE 01/02 @ 01:26 ORVANE', 'ORVANE', 'date and time with a sign between them'],
    ['PURCHASE ON 01/02 @ 01:26  5411 ORVANE', 'ORVANE', 'date and time, then a category code'],
    ['PURCHASE 01/02 1:26 ORVANE', 'ORVANE', 'a one-digit hour'],
    ['PURCHASE 01/02 99 RANCH', '99 RANCH', 'a separate number'],
    ['PURCHASE 01/02/24 5 BELOW', '5 BELOW', 'a separate number after a year'],
    ['PURCHASE 01/02 4-5 ORVANE', '4-5 ORVANE', 'a range of numbers is not a time'],
    ['PURCHASE AUTHORIZED ON 01/02 4-5 ORVANE', '4-5 ORVANE', 'a range of numbers after a run of words'],
    ['PURCHASE 4/5 ORVANE', 'ORVANE', 'a date with one-digit parts'],
    ['PURCHASE AB/CD ORVANE', 'AB/CD ORVANE', 'letters are not a date'],
    ['PURCHASE 01 02 ORVANE', '01 02 ORVANE', 'two separate numbers are not a date'],
    ['PURCHASE 101/02 ORVANE', '101/02 ORVANE', 'longer numbers are not a date'],
    ['PURCHASE 01/102 ORVANE', '01/102 ORVANE'],
    ['PURCHASE 7-ELEVEN', '7-ELEVEN', 'a number may begin a name'],
    ['PURCHASE 99 RANCH', '99 RANCH'],
    ['PURCHASE 01/02', '01/02', 'the prefix must not be the whole text'],
    ['PURCHASE', 'PURCHASE'],
    ['POS PURCHASE', 'POS PURCHASE'],
    ['PURCHASE *ORVANE', 'PURCHASE *ORVANE', 'a star follows a name'],
    ['DEBIT CARD PURCHASE *****0012 ORVANE', 'ORVANE', 'the stars of a mask'],
  ])
})

test('up to three consecutive wrappers are stripped', () => {
  each([
    ['POS DEBIT VISA CHECK CARD 0123 ORVANE', 'ORVANE'],
    ['POS DEBIT - VISA CHECK CARD 0123 - ORVANE', 'ORVANE'],
    ['APPLE PAY GOOGLE PAY SAMSUNG PAY ORVANE', 'ORVANE'],
    ['APPLE PAY GOOGLE PAY SAMSUNG PAY GPAY ORVANE', 'GPAY ORVANE'],
    ['APLPAY GGLPAY ADRDPY ORVANE', 'ORVANE', 'abbreviated wallets'],
    ['ADRD ORVANE', 'ADRD ORVANE', 'part of an abbreviated wallet'],
    ['PURCHASE AUTHORIZED ON 01/02 IN N OUT', 'IN N OUT', 'names may begin with such words'],
    ['PURCHASE AUTHORIZED ON 01/02 THE ORVANE', 'THE ORVANE'],
    ['PURCHASE AUTHORIZED ON 01/02 AT ORVANE', 'ORVANE'],
    ['MISCELLANEOUS DEBIT ORVANE', 'ORVANE'],
    ['MISCELLANEOUS ORVANE', 'MISCELLANEOUS ORVANE'],
  ])
})

test("a bank's own number may precede its words, and a card number may follow them", () => {
  each([
    ['72601 POS PUR 02/13 02:22 ORVANE', 'ORVANE'],
    ['72601 POS PURCHASE ORVANE', 'ORVANE'],
    ['72601 ORVANE', '72601 ORVANE', 'no bank words follow'],
    ['D0123 ORVANE', 'ORVANE', 'a card letter and four digits'],
    ['PURCHASE D0123 ORVANE', 'ORVANE'],
    ['D012 ORVANE', 'D012 ORVANE', 'only three digits'],
    ['DD0123 ORVANE', 'DD0123 ORVANE', 'two letters'],
    ['D 0123 ORVANE', 'D 0123 ORVANE', 'a space between them'],
    ['D0123-ORVANE', 'D0123-ORVANE', 'more text attached'],
    ['D0123', 'D0123', 'nothing follows'],
  ])
})

test('a run of bank-only words is a wrapper if one of them indicates a purchase', () => {
  each([
    ['PIN DEBIT SALE ORVANE', 'ORVANE'],
    ['CREDIT OR DEBIT CARD WITHDRAWAL ORVANE', 'ORVANE'],
    ['PIN ORVANE', 'PIN ORVANE', 'one word may be the name'],
    ['SALE ORVANE', 'SALE ORVANE'],
    ['VISA CARD ORVANE', 'VISA CARD ORVANE', 'no word indicates a purchase'],
    ['CHIP SALE', 'CHIP SALE', 'the prefix must not be the whole text'],
    ['DEBIT CARD PAYMENT', 'PAYMENT', 'at least one word must remain'],
    ['DBCRD PUR AP *****300418273 AUT 051223 VISA DDA PUR AP ORVANE', 'ORVANE', 'numbers in between'],
    ['CHIP SALE 0123 ORVANE', 'ORVANE', 'a card number'],
    ['CHIP SALE XXXX ORVANE', 'ORVANE'],
    ['CHIP SALE 012 ORVANE', '012 ORVANE', 'a shorter number may begin a name'],
    ['CHIP SALE 0123ORVANE', '0123ORVANE', 'a number joined to letters may begin a name'],
    ['PURCHASE WITH CASH BACK $ 20.00 AUTHORIZED ON 10/14 ORVANE', 'ORVANE', 'cash back with a purchase'],
    ['PURCHASE W/CASH BACK 120.00 ORVANE', 'W/CASH BACK 120.00 ORVANE', 'an unknown word'],
    ['POS DEBIT CASH BACK 120.00 ORVANE', 'ORVANE'],
    ['POS DEBIT CASH BACK ORVANE', 'ORVANE', 'cash back without an amount'],
    ['POS DEBIT CASH BACK 99 RANCH', '99 RANCH', 'a number that is not an amount'],
    ['POS DEBIT CASH BACK 99 12 RANCH', '99 12 RANCH', 'two numbers without a sign are not an amount'],
    ['POS DEBIT CASH BACK 99-123 RANCH', '99-123 RANCH', 'three digits of cents are not an amount'],
    ['POS DEBIT CASH BACK 99', '99', 'the prefix must not be the whole text'],
    ['POS DEBIT CASH BACK ORVANE 12 BOISE', 'ORVANE 12 BOISE', 'a store number'],
    ['POS DEBIT CASH BACK ORVANE-12 BOISE', 'ORVANE-12 BOISE', 'a store number after a sign'],
    ['POS DEBIT CASH SAVER', 'CASH SAVER', 'a store named Cash Saver'],
    ['POS DEBIT CASH SAVER 0412 BOISE', 'CASH SAVER 0412 BOISE', 'a store named Cash Saver, with its location'],
    ['POS DEBIT FAT BACK GRILL', 'FAT BACK GRILL', 'a name with “back” in it'],
    ['CASH BACK ORVANE', 'CASH BACK ORVANE', 'no word indicates a purchase'],
    ['0123 CHIP SALE ORVANE', '0123 CHIP SALE ORVANE', 'a run must begin with a word'],
    ['MOBILE PURCHASE SIGN BASED 12/31 07:54P #0123 ORVANE', 'ORVANE', 'a time with a P for PM'],
    ['DEBIT SALE 07:54PM ORVANE', 'ORVANE'],
    ['CHIP SALE #AB12CD34 ORVANE', 'ORVANE', 'a reference after a sign'],
    ['CHIP SALE AB12CD34 ORVANE', 'AB12CD34 ORVANE', 'without the sign it may be a name'],
    ['CHIP SALE #ORVANEST BOISE', 'ORVANEST BOISE', 'letters without digits are not a reference'],
    ['CHIP SALE 07:54PMX ORVANE', 'PMX ORVANE', 'three letters are not an AM/PM mark'],
    ['CHIP SALE 12/31 PM ORVANE', 'PM ORVANE', 'separate letters are not an AM/PM mark'],
  ])
})

test('an acquirer reference before the name is not part of it', () => {
  each([
    ['2469117BX4RTLKPQM ORVANE', 'ORVANE'],
    ['2469BX4RTLKPQM ORVANE', 'ORVANE', 'four leading digits'],
    ['24AB9116BX4RTL ORVANE', '24AB9116BX4RTL ORVANE', 'two leading digits'],
    ['2469B17 ORVANE OUTFITTERS', '2469B17 ORVANE OUTFITTERS', 'too short'],
    ['1800ORVANECONTACTS BOISE', '1800ORVANECONTACTS BOISE', 'a name that begins with a number'],
    ['2469117BX4RTLKPQM', '2469117BX4RTLKPQM', 'nothing follows'],
  ])
})

test("a card network followed by a card's last digits is a wrapper", () => {
  each([
    ['VISA #0123 ORVANE', 'ORVANE'],
    ['VISA 0123 ORVANE', 'ORVANE', 'without a sign'],
    ['MC #XXXX ORVANE', 'ORVANE', 'masked'],
    ['MC XXXX0123 ORVANE', 'ORVANE', 'masked before its last digits'],
    ['MASTERCARD ****0123 - ORVANE', 'ORVANE', 'the stars of a mask'],
    ['AMEX #0123 SQ *ORVANE', 'SQ *ORVANE'],
    ['CARD #0123 ORVANE', 'ORVANE'],
    ['CARD #0123 POS PURCHASE ORVANE', 'ORVANE', 'more bank words follow'],
    ['VISA ORVANE', 'VISA ORVANE', 'no number'],
    ['VISA #012 ORVANE', 'VISA #012 ORVANE', 'only three digits'],
    ['VISA 01234 ORVANE', 'VISA 01234 ORVANE', 'five digits'],
    ['VISA 0123ORVANE', 'VISA 0123ORVANE', 'more text attached'],
    ['MC0123 ORVANE', 'MC0123 ORVANE', 'network and digits joined'],
    ['VISA FOX0123 ORVANE', 'VISA FOX0123 ORVANE', 'letters that are not a mask'],
    ['VISA XO0123 ORVANE', 'VISA XO0123 ORVANE'],
    ['VISA #0123', 'VISA #0123', 'nothing follows'],
    ['ORVANE VISA #0123 MORE', 'ORVANE VISA #0123 MORE', 'not at the start'],
  ])
})

test("a bank's name for its card before a slash is a wrapper", () => {
  const tail = 'Date 06/04/25 0 5155335474 0 5734 Card 0123'
  each([
    ['WITHDRAWAL DEBIT CARD MC DEBIT CLASSIC/ORVANE', 'ORVANE'],
    ['WITHDRAWAL DEBIT CARD - VISA DEBIT GOLD/ORVANE', 'ORVANE', 'the network is among the bank’s words'],
    ['VISA CREDIT WORLD REWARDS/ORVANE', 'ORVANE', 'a two-word card name'],
    ['VISA DEBIT CVS/PHARM', 'CVS/PHARM', 'a store name with a slash'],
    ['VISA CREDIT WORLD ELITE REWARDS/ORVANE', 'VISA CREDIT WORLD ELITE REWARDS/ORVANE', 'a three-word card name'],
    ['DEBIT CARD CLASSIC/ORVANE', 'CLASSIC/ORVANE', 'no network'],
    ['VISA DEBIT CLASSIC - ORVANE', 'CLASSIC - ORVANE', 'no slash'],
    ['VISA DEBIT CLASSIC/ ORVANE', 'CLASSIC/ ORVANE', 'a space after the slash'],
    ['VISA DEBIT CLASSIC/', 'CLASSIC/', 'nothing follows'],
    [
      `WITHDRAWAL DEBIT CARD MC DEBIT FALCONS/ORVANE ${tail}`,
      `ORVANE ${tail}`,
      'a bank-specific card name before a complete line',
    ],
    [
      'WITHDRAWAL DEBIT CARD MC DEBIT FALCONS/ORVANE DATE 06/04/25 CARD XXXX',
      'ORVANE DATE 06/04/25 CARD XXXX',
      'masked',
    ],
    [
      `WITHDRAWAL DEBIT CARD MC DEBIT FALCONS/ORVANE ${tail} MORE`,
      `MC DEBIT FALCONS/ORVANE ${tail} MORE`,
      'text after the end of the line',
    ],
    [
      'WITHDRAWAL DEBIT CARD MC DEBIT FALCONS/ORVANE',
      'MC DEBIT FALCONS/ORVANE',
      'a bank-specific card name without the line’s ending',
    ],
  ])
})
