import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findAccountFault, maskAccount, type PayoutAccount } from './bank-account.ts'
import { toNachaText, toSepaText } from './bank-text.ts'
import { CHECKING, FRENCH, GERMAN, SAVINGS } from './testing.ts'

test('an account with valid check digits is accepted', () => {
  for (const account of [CHECKING, SAVINGS, GERMAN, FRENCH]) assert.equal(findAccountFault(account), null)
})

test('validation names the field that no bank would accept', () => {
  const us = CHECKING as Extract<PayoutAccount, { type: 'us_bank_account' }>
  const eu = GERMAN as Extract<PayoutAccount, { type: 'iban' }>
  const table: [PayoutAccount, string][] = [
    [{ ...us, routingNumber: '021000022' }, 'routingNumber'],
    [{ ...us, routingNumber: '000000000' }, 'routingNumber'],
    [{ ...us, routingNumber: '02100002' }, 'routingNumber'],
    [{ ...us, routingNumber: '021 000 021' }, 'routingNumber'],
    [{ ...us, routingNumber: '500000003' }, 'routingNumber'],
    [{ ...us, accountNumber: '123' }, 'accountNumber'],
    [{ ...us, accountNumber: '123456789012345678' }, 'accountNumber'],
    [{ ...us, accountNumber: '12-3456' }, 'accountNumber'],
    [{ ...us, accountNumber: '１２３４' }, 'accountNumber'],
    [{ ...us, holderName: '' }, 'holderName'],
    [{ ...us, holderName: ' Ada' }, 'holderName'],
    [{ ...us, holderName: 'Ada\nLovelace' }, 'holderName'],
    [{ ...us, holderName: 'Ada \u202eecalevoL' }, 'holderName'],
    [{ ...us, holderName: 'Ada \ud800' }, 'holderName'],
    [{ ...us, holderName: '–––' }, 'holderName'],
    [{ ...us, holderName: 'a'.repeat(141) }, 'holderName'],
    [{ ...eu, iban: 'DE88370400440532013000' }, 'iban'],
    [{ ...eu, iban: 'DE8937040044053201300' }, 'iban'],
    [{ ...eu, iban: 'DE89 3704 0044 0532 0130 00' }, 'iban'],
    [{ ...eu, iban: 'de89370400440532013000' }, 'iban'],
    [{ ...eu, iban: 'ZZ89370400440532013000' }, 'iban'],
    [{ ...eu, iban: '' }, 'iban'],
    [{ ...eu, bic: 'COBADEF' }, 'bic'],
    [{ ...eu, bic: 'cobadeff' }, 'bic'],
    [{ ...eu, bic: '' }, 'bic'],
  ]
  for (const [account, field] of table) assert.equal(findAccountFault(account)?.field, field, JSON.stringify(account))
})

test('names of up to 140 characters in any script are accepted', () => {
  for (const holderName of ['ü'.repeat(140), '𠮷'.repeat(140), '李雷', 'Иван Петров', "D'Arcy", '=cmd', 'X Æ A-12']) {
    assert.equal(findAccountFault({ ...CHECKING, holderName }), null, holderName)
  }
})

test('an IBAN with one wrong digit or two adjacent digits swapped is never accepted', () => {
  const digits = [...GERMAN_IBAN.slice(4)]
  fc.assert(
    fc.property(fc.nat(digits.length - 1), fc.nat(9), (at, digit) => {
      const iban = `DE89${digits.with(at, String(digit)).join('')}`
      assert.equal(findAccountFault({ ...GERMAN, iban } as PayoutAccount) === null, iban === GERMAN_IBAN)
    }),
  )
  fc.assert(
    fc.property(fc.nat(digits.length - 2), (at) => {
      const swapped = digits.with(at, digits[at + 1] ?? '').with(at + 1, digits[at] ?? '')
      const iban = `DE89${swapped.join('')}`
      assert.equal(findAccountFault({ ...GERMAN, iban } as PayoutAccount) === null, iban === GERMAN_IBAN)
    }),
  )
})

const GERMAN_IBAN = 'DE89370400440532013000'

test('a mask shows the end of the number, and never more than half of a US account number', () => {
  const table: [PayoutAccount, string][] = [
    [CHECKING, 'checking account ••••6789'],
    [SAVINGS, 'savings account ••••1234'],
    [{ ...CHECKING, accountNumber: '1234' } as PayoutAccount, 'checking account ••••34'],
    [{ ...CHECKING, accountNumber: '1234567' } as PayoutAccount, 'checking account ••••567'],
    [GERMAN, 'DE89 •••• 3000'],
    [FRENCH, 'FR14 •••• 2606'],
  ]
  for (const [account, mask] of table) assert.equal(maskAccount(account), mask)
})

test('text is transliterated into the characters that banks accept', () => {
  const table: [string, string, string][] = [
    ['Zoë Åström-O’Neill', "ZOE ASTROM-O'NEILL", "Zoe Astrom-O'Neill"],
    ['Jörg Weiß & Söhne', 'JORG WEISS & SOHNE', 'Jorg Weiss + Sohne'],
    ['Αλέξης', 'ALEXIS', 'Alexis'],
    ['Иван', 'IVAN', 'Ivan'],
    ['Łukasz\u00a0Żółć', 'LUKASZ ZOLC', 'Lukasz Zolc'],
    ['//a//b//', '//A//B//', 'a/b'],
    ['a<b>"c"', 'A B C', 'a b c'],
  ]
  for (const [text, nacha, sepa] of table) {
    assert.equal(toNachaText(text, 22), nacha)
    assert.equal(toSepaText(text, 70), sepa)
  }
})

test('any text is reduced to the characters that banks accept and to the given width', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 70 }), (name, width) => {
      assert.match(toNachaText(name, width), /^([0-9A-Z.,&'()/-]([0-9A-Z .,&'()/-]*[0-9A-Z.,&'()/-])?)?$/)
      assert(toNachaText(name, width).length <= width)
      const sepa = toSepaText(name, width)
      assert.match(sepa, /^[0-9A-Za-z/\-?:().,'+ ]*$/)
      assert.doesNotMatch(sepa, /^[ /]|[ /]$|\/\/| {2}/)
      assert(sepa.length <= width)
    }),
  )
})
