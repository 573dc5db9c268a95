import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book for what banks print around a purchase, and for bank transfers. Each row has the text on the statement
// and who was paid. `null` means no reward without a review.

const index = buildBrandIndex([
  brand('Copperkettle'),
  brand('The Counter', { mccs: ['5812'] }),
  brand('Velmora Trust Bank', { mccs: ['6010', '6011', '6012'] }),
  brand('Grubhub', { domains: ['grubhub.com'] }),
  brand('1800Contacts'),
  brand('Tarnby', { mccs: ['5511', '5521', '5592', '7538'] }),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['POS PURCHASE NON-PIN COPPERKETTLE #0314 TROY NY', 'Copperkettle', 'the bank’s note about the PIN'],
  ['POS PURCHASE WITH PIN COPPERKETTLE #0314 TROY NY', 'Copperkettle', 'another note about the PIN'],
  ['Digital Card Purchase - COPPERKETTLE 0314 OH', 'Copperkettle', 'a digital card is a card'],
  ['Debit: Digital Card Purchase - COPPERKETTLE 0314 OH', 'Copperkettle', 'two bank prefixes'],
  ['CKCD DEBIT 04/11 COPPERKETTLE #0314', 'Copperkettle', 'an abbreviated check card'],
  ['CARD PAYMENT TO COPPERKETTLE,12.00 GBP', 'Copperkettle', 'a British bank’s wording for a purchase'],
  ['CARD PAYMENT - THANK YOU COPPERKETTLE', null, 'a payment to a card account'],
  ['Withdrawal POS #7QK3PL20 COPPERKETTLE 12 ELM ST', 'Copperkettle', 'an alphanumeric reference'],
  ['Withdrawal POS #7QK3 COPPERKETTLE', null, 'too short to be a reference'],
  ['Withdrawal Debit Card MasterMoney Card REF#: 8811KDJWQP 5812 - COPPERKETTLE', 'Copperkettle', 'reference and code'],
  ['2469117BX4RTLKPQM COPPERKETTLE OH', 'Copperkettle', 'a leading acquirer reference'],
  ['1800CONTACTS 4471', '1800Contacts', 'letters and digits in a brand name'],
  ['PAYPAL DES:INST XFER ID:COPPERKETTLE INDN:R ROE CO ID:PAYPALSI77 WEB', 'Copperkettle', 'PayPal names the merchant'],
  ['PAYPAL DES:RETRY PYMT ID:COPPERKETTLE INDN:R ROE CO ID:PAYPALRI77', 'Copperkettle', 'PayPal’s second attempt'],
  ['PAYPAL DES:INST XFER ID:GRUBHUBFOOD INDN:R ROE CO ID:PAYPALSI77', 'Grubhub', 'a marketplace paid through PayPal'],
  ['PAYPAL DES:TRANSFER ID:4471 INDN:COPPERKETTLE CO ID:PAYPALSD11', null, 'a transfer through PayPal'],
  ['COPPERKETTLE DES:PAYROLL ID:4471 INDN:R ROE CO ID:9911', null, 'wages from the merchant'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PURCHASE SEC:WEB', 'Copperkettle', 'authorized on the web'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PURCHASE SEC:TEL', 'Copperkettle', 'authorized by phone'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PAYMENTS SEC:CCD', null, 'a business payment'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PAYROLL SEC:PPD', null, 'wages by direct deposit'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PAYROLL SEC:WEB', null, 'wages in any entry class'],
  [
    'ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:ECHECKPAYSSEC:WEB',
    'Copperkettle',
    'no space after a full field',
  ],
  ['MERCHANT NAME: COPPERKETTLE MERCHANT CATEGORY CODE 5812', 'Copperkettle', 'a card purchase with labeled fields'],
  ['POS PURCHASE TARNBY #0314 TROY NY', 'Tarnby', 'a card purchase at a car dealer'],
  ['EFT DEBIT TARNBY', null, 'a bank transfer to a car maker repays a loan'],
  ['EXTERNAL WITHDRAWAL TARNBY', null, 'a withdrawal that repays a loan'],
  ['ORIG CO NAME:TARNBY ORIG ID:9911 CO ENTRY DESCR:PURCHASE SEC:WEB', null, 'a loan repayment made on the web'],
  ['PAYPAL DES:INST XFER ID:TARNBY INDN:R ROE CO ID:PAYPALSI77 WEB', null, 'a loan repayment through PayPal'],
  ['COUNTER CHECK', null, 'a bank counter, not the restaurant of that name'],
  ['COUNTER DEPOSIT 0314', null, 'a deposit at the bank counter'],
  ['COUNTER WITHDRAWAL', null, 'a withdrawal at the bank counter'],
  ['THE COUNTER 0314', 'The Counter', 'the restaurant of that name'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
