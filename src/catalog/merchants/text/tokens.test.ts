import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/runs.ts'
import { parseDescriptor } from '../descriptor/parse.ts'
import { findDeclaredDomain, findHosts, listDomainsAbove, parseHost } from './domains.ts'
import { buildForms, fold, isNumeric, longestText, tokenize } from './tokens.ts'

test('spacing, case, accents, apostrophes and a leading article do not change a form', () => {
  const same: [string, string][] = [
    ["Macy's", 'MACY S'],
    ['Macy’s', 'macys'],
    ['Wal-Mart', 'WALMART'],
    ['7-Eleven', '7ELEVEN'],
    ['Café Zoë', 'CAFE ZOE'],
    ['The Copper Kettle', 'Copper Kettle'],
    ['Bath & Body', 'Bath and Body'],
    ['Smørrebrød', 'SMORREBROD'],
  ]
  for (const [left, right] of same) assert.equal(buildForms(left)[0], buildForms(right)[0], `${left} = ${right}`)
})

test('escaped text has the same tokens as the original', () => {
  const same: [string, string][] = [
    ['H&amp;M 0123', 'H&M 0123'],
    ['H&AMP;M 0123', 'H&M 0123'],
    ['H&amp;amp;M', 'H&M'],
    ['MACY&#39;S', "MACY'S"],
    ['MACY&#x27;S', "MACY'S"],
    ['Macy&apos;s', "Macy's"],
    ['BATH &#38; BODY', 'BATH & BODY'],
    ['CAF&eacute; ZO&EUML;', 'CAFÉ ZOË'],
    ['CAF&Eacute; &quot;NOIR&quot;', 'CAFÉ "NOIR"'],
    ['A&B; C&D;', 'A&B; C&D;'],
    ['AT&T', 'AT&T'],
    ['&#99999999;', '&#99999999;'],
  ]
  for (const [escaped, plain] of same)
    assert.deepEqual(tokenize(fold(escaped)).texts, tokenize(fold(plain)).texts, escaped)
  assert(fold('&#65;'.repeat(100_000)).length <= longestText)
})

test('a symbol that stands for a word is optional', () => {
  assert.deepEqual(buildForms('H&M'), ['handm', 'hm'])
  assert.deepEqual(buildForms('Disney+'), ['disneyplus', 'disney'])
  assert.deepEqual(buildForms('The'), ['the'])
  assert.deepEqual(buildForms(' ** '), [])
})

test('a token records the separator before it', () => {
  const { texts, gaps, starts, ends } = tokenize(fold("Dave's GRILL0423 *a #7"))
  assert.deepEqual(texts, ['daves', 'grill', '0423', 'a', '7'])
  assert.deepEqual(gaps, ['space', 'space', 'glued', 'star', 'hash'])
  assert.deepEqual(
    [starts, ends],
    [
      [0, 7, 12, 18, 21],
      [6, 12, 16, 19, 22],
    ],
  )
})

test('every kind of apostrophe joins the letters around it', () => {
  for (const sign of ["'", '’', '‘', '´']) assert.deepEqual(tokenize(fold(`MACY${sign}S`)).texts, ['macys'], sign)
})

test('numbers and masked digits are numeric, and words are not', () => {
  for (const text of ['1', '0423', 'xxx', 'xxxxxxx']) assert.equal(isNumeric(text), true, text)
  for (const text of ['', 'x', 'xx', 'xbox', 'abc']) assert.equal(isNumeric(text), false, text)
})

test('a website maps to the domain that its brand declares', () => {
  assert.equal(parseHost('https://user@WWW.Kettle.example:8443/a?b#c'), 'www.kettle.example')
  assert.equal(parseHost('kettle.com/shop'), 'kettle.com')
  assert.equal(parseHost('not a site'), null)
  assert.equal(parseHost('localhost'), null)
  assert.equal(findDeclaredDomain('https://shop.kettle.co.uk/x'), 'kettle.co.uk')
  assert.equal(findDeclaredDomain('https://inns.kettle-group.com'), 'inns.kettle-group.com')
  assert.deepEqual(listDomainsAbove('a.inns.kettle.com'), ['a.inns.kettle.com', 'inns.kettle.com', 'kettle.com'])
  assert.deepEqual(listDomainsAbove('www.kettle.co.uk'), ['www.kettle.co.uk', 'kettle.co.uk'])
})

test('a host shared by many merchants is not evidence', () => {
  for (const site of ['https://www.paypal.com/x', 'google.com/kettle', 'https://linktr.ee/kettle']) {
    assert.equal(findDeclaredDomain(site), null, site)
  }
  assert.equal(findDeclaredDomain('https://kettle.myshopify.com'), 'kettle.myshopify.com')
  assert.deepEqual(listDomainsAbove('kettle.myshopify.com'), ['kettle.myshopify.com'])
})

test('in a descriptor, only text that looks like a URL is treated as a URL', () => {
  assert.deepEqual(findHosts('kettle.com/bill st.louis inc. www.cup.org'), ['kettle.com', 'www.cup.org'])
})

test('any text has as many gaps as tokens, and no token is empty', () => {
  const wild = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 }))
  fc.assert(
    fc.property(wild, (text) => {
      const folded = fold(text)
      const { texts, gaps } = tokenize(folded)
      assert.equal(texts.length, gaps.length)
      assert.ok(texts.every((token) => token !== ''))
      parseDescriptor(folded)
      findHosts(folded)
      parseHost(text)
    }),
    { numRuns: runs(1000) },
  )
})

test('overlong text is truncated', () => {
  assert.ok(fold('é'.repeat(10_000)).length <= longestText)
})
