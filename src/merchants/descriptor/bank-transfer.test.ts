import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book of what banks print around a purchase, and of bank transfers. Each row has the text on the statement and
// who was paid. `null` means no reward without a review.

const index = buildBrandIndex([
  brand('Copperkettle'),
  brand('The Counter', { mccs: ['5812'] }),
  brand('Velmora Trust Bank', { mccs: ['6010', '6011', '6012'] }),
  brand('Grubhub', { domains: ['grubhub.com'] }),
  brand('1800Contacts'),
  brand('Tarnby', { mccs: ['5511', '5521', '5592', '7538'] }),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['POS PURCHASE NON-PIN COPPERKETTLE #0314 TROY NY', 'Copperkettle', 'how it was signed belongs to the bank'],
  ['POS PURCHASE WITH PIN COPPERKETTLE #0314 TROY NY', 'Copperkettle', 'the same'],
  ['Digital Card Purchase - COPPERKETTLE 0314 OH', 'Copperkettle', 'a card in a wallet is a card'],
  ['Debit: Digital Card Purchase - COPPERKETTLE 0314 OH', 'Copperkettle', 'two wrappers'],
  ['CKCD DEBIT 04/11 COPPERKETTLE #0314', 'Copperkettle', 'a check card'],
  ['CARD PAYMENT TO COPPERKETTLE,12.00 GBP', 'Copperkettle', 'a British bank says so of a purchase'],
  ['CARD PAYMENT - THANK YOU COPPERKETTLE', null, 'a card was paid off'],
  ['Withdrawal POS #7QK3PL20 COPPERKETTLE 12 ELM ST', 'Copperkettle', 'a reference of letters and digits'],
  ['Withdrawal POS #7QK3 COPPERKETTLE', null, 'too short for a reference'],
  ['Withdrawal Debit Card MasterMoney Card REF#: 8811KDJWQP 5812 - COPPERKETTLE', 'Copperkettle', 'code and dash too'],
  ['2469117BX4RTLKPQM COPPERKETTLE OH', 'Copperkettle', 'the acquirer’s reference in front'],
  ['1800CONTACTS 4471', '1800Contacts', 'letters and digits that are a name'],
  ['PAYPAL DES:INST XFER ID:COPPERKETTLE INDN:R ROE CO ID:PAYPALSI77 WEB', 'Copperkettle', 'PayPal says for whom'],
  ['PAYPAL DES:RETRY PYMT ID:COPPERKETTLE INDN:R ROE CO ID:PAYPALRI77', 'Copperkettle', 'and at the second try'],
  ['PAYPAL DES:INST XFER ID:GRUBHUBFOOD INDN:R ROE CO ID:PAYPALSI77', 'Grubhub', 'a marketplace after PayPal'],
  ['PAYPAL DES:TRANSFER ID:4471 INDN:COPPERKETTLE CO ID:PAYPALSD11', null, 'money that was moved'],
  ['COPPERKETTLE DES:PAYROLL ID:4471 INDN:R ROE CO ID:9911', null, 'wages'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PURCHASE SEC:WEB', 'Copperkettle', 'ordered on the web'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PURCHASE SEC:TEL', 'Copperkettle', 'ordered by telephone'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PAYMENTS SEC:CCD', null, 'from company to company'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PAYROLL SEC:PPD', null, 'wages'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:PAYROLL SEC:WEB', null, 'wages, by any originator'],
  ['ORIG CO NAME:COPPERKETTLE ORIG ID:9911 CO ENTRY DESCR:ECHECKPAYSSEC:WEB', 'Copperkettle', 'a field that is full'],
  ['MERCHANT NAME: COPPERKETTLE MERCHANT CATEGORY CODE 5812', 'Copperkettle', 'a card, whose bank names its fields'],
  ['POS PURCHASE TARNBY #0314 TROY NY', 'Tarnby', 'at a car dealer’s something is bought'],
  ['EFT DEBIT TARNBY', null, 'from account to account a loan is paid back'],
  ['EXTERNAL WITHDRAWAL TARNBY', null, 'the same'],
  ['ORIG CO NAME:TARNBY ORIG ID:9911 CO ENTRY DESCR:PURCHASE SEC:WEB', null, 'the same, ordered on the web'],
  ['PAYPAL DES:INST XFER ID:TARNBY INDN:R ROE CO ID:PAYPALSI77 WEB', null, 'the same by PayPal'],
  ['COUNTER CHECK', null, 'an act at the bank, although a restaurant is called so'],
  ['COUNTER DEPOSIT 0314', null, 'the same'],
  ['COUNTER WITHDRAWAL', null, 'the same'],
  ['THE COUNTER 0314', 'The Counter', 'the restaurant'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
