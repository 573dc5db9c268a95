import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import type { BrandFacts } from '../types.ts'
import { collectForms } from './name-forms.ts'

// The texts a brand is looked up by, and how reliable each one is: `form kind risk`.

const describeForms = (facts: BrandFacts) =>
  collectForms(facts).forms.map(({ form, kind, risk }) => `${form} ${kind} ${risk}`)
const elsewhere = ['other-site.com']

type Row = readonly [name: string, ...forms: readonly string[]]

function each(rows: readonly Row[], more: Partial<BrandFacts> = { domains: elsewhere }): void {
  for (const [name, ...forms] of rows) assert.deepEqual(describeForms(brand(name, more)), forms, name)
}

test('a name is looked up in full and in the shortened forms that statements use', () => {
  each([
    ['Orvane', 'orvane name distinct', 'orvanes short distinct'],
    ['Orvane Inns', 'orvaneinns name distinct', 'orvaneinn short distinct'],
    ['Orvane Grill', 'orvanegrill name distinct', 'orvane short distinct', 'orvanegrills short distinct'],
    // Up to two trailing trades or meaningless words are dropped.
    [
      'Orvane Store Grill',
      'orvanestoregrill name distinct',
      'orvane short distinct',
      'orvanestoregrills short distinct',
    ],
    ['Orvane and Grill', 'orvaneandgrill name distinct', 'orvane short distinct', 'orvaneandgrills short distinct'],
    ['Orvane Cafe', 'orvanecafe name distinct', 'orvane short distinct', 'orvanecafes short distinct'],
    ['Orvane Inc', 'orvaneinc name distinct', 'orvane short distinct', 'orvaneincs short distinct'],
    [
      'Orvane General Store',
      'orvanegeneralstore name distinct',
      'orvane short distinct',
      'orvanegeneralstores short distinct',
    ],
    ['Orvane General', 'orvanegeneral name distinct', 'orvanegenerals short distinct'],
    ['Orvane Store Grill Cafe', 'orvanestoregrillcafe name distinct', 'orvanestoregrillcafes short distinct'],
    // A trade is dropped only at the end, and only if a name remains.
    ['Grill Orvane', 'grillorvane name distinct', 'grillorvanes short distinct'],
    ['Grill', 'grill name word', 'grills short word'],
    // Phones and apps are sold under other companies' names, so these words stay.
    ['Orvane Mobile', 'orvanemobile name distinct', 'orvanemobiles short distinct'],
    ['Orvane App', 'orvaneapp name distinct', 'orvaneapps short distinct'],
    ['Orvane Web', 'orvaneweb name distinct', 'orvanewebs short distinct'],
    // A form without the possessive s is added.
    [
      'Tarnbys Quillon',
      'tarnbysquillon name distinct',
      'tarnbysquillons short distinct',
      'tarnbyquillon short distinct',
    ],
    [
      'Orvane Tarnbys Elk',
      'orvanetarnbyselk name distinct',
      'orvanetarnbyselks short distinct',
      'orvanetarnbyelk short distinct',
    ],
    [
      'Vals Quillon Elk',
      'valsquillonelk name distinct',
      'valsquillonelks short distinct',
      'valquillonelk short distinct',
    ],
    ['Las Quillon Elk', 'lasquillonelk name distinct', 'lasquillonelks short distinct'],
    // A form of fewer than six letters is too ambiguous without the dropped part.
    ['Tarn Grill', 'tarngrill name distinct', 'tarngrills short distinct'],
    ['Tarny', 'tarny name distinct', 'tarnys short distinct'],
    ['Tarn', 'tarn name word'],
    ['Orvane As', 'orvaneas name distinct'],
  ])
})

test('a shortened name is not a form of a brand known only by its name', () => {
  each([['Orvane Grill', 'orvanegrill name distinct']], { domains: [] })
  each(
    [
      [
        'Orvane Grill',
        'orvanegrill name distinct',
        'tarnby alias distinct',
        'orvane short distinct',
        'orvanegrills short distinct',
        'tarnbys short distinct',
      ],
    ],
    {
      domains: [],
      aliases: ['Tarnby'],
    },
  )
  each([['7-Eleven', '7eleven name distinct', '7elevens short distinct']])
})

test('a name is rated as distinct, as a phrase of plain words, or as a single plain word', () => {
  const rows: readonly (readonly [name: string, risk: string, why?: string])[] = [
    ['Velmora', 'distinct'],
    ['A Velmora', 'distinct', 'one rare word is enough'],
    ['Garden Velmora', 'distinct'],
    ['Lucky Garden', 'phrase', 'two plain words'],
    ['Lucky Garden Grill', 'phrase'],
    ['Garden & Lotus', 'phrase'],
    ['Ann Q Garden', 'phrase', 'a single letter is not a rare word'],
    ['Garden', 'word'],
    ['The Garden', 'word', 'an article does not count as a word'],
    ['The Szechuan', 'word'],
    ['Salt Lake City', 'phrase', 'a city of several words'],
    ['And Garden', 'word', 'a conjunction does not count as a word'],
    ['Target', 'word', 'a brand that is also a word'],
    ['Boise', 'word', 'a city'],
    ['Boise Works', 'distinct'],
    ['BQX', 'word', 'initials'],
    ['BQXZ', 'word', 'four letters'],
    ['Ab Cd', 'word', 'four letters in two words'],
    ['BQXZY', 'distinct', 'five letters'],
    ['Sun Flower', 'word', 'two words that form one plain word when joined'],
  ]
  for (const [name, risk, why] of rows) {
    const [named] = collectForms(brand(name, { domains: elsewhere })).forms
    assert.equal(named?.risk, risk, `${name}: ${why}`)
  }
})

test('a website is a form of the name if it resembles the name and belongs only to the brand', () => {
  const rows: readonly (readonly [name: string, domain: string, form: string | undefined, why?: string])[] = [
    ['Orvane', 'orvane.com', 'orvanecom'],
    ['Orvane', 'www.orvane.com', 'orvanecom'],
    ['Orvane', 'orvane.net', 'orvanenet'],
    ['Orvane', 'orvane.org', 'orvaneorg'],
    ['Orvane', 'orvane.io', undefined, 'a top-level domain that is not printed with names'],
    ['Orvane', 'orvane.co.uk', undefined],
    ['Orvane', 'orvane.com.au', undefined],
    ['Orvane', 'shop2.orvane.com', undefined, 'a subdomain of a shared site'],
    ['Orvane', 'etsy.com', undefined, 'a marketplace'],
    ['Etsy', 'etsy.com', undefined],
    ['Orvane', 'no site', undefined],
    ['Orvane', 'group.com', undefined, 'the website of its group'],
    ['Orvane', 'orvanegroup.com', 'orvanegroupcom', 'longer than the name'],
    ['Orvane Group', 'orvane.com', 'orvanecom', 'shorter than the name'],
    ['Orvane', 'theorvane.com', 'theorvanecom', 'with an article'],
    ['Orvane', 'myorvane.com', undefined, 'another word before the name'],
    ['**', 'orvane.com', undefined, 'no name'],
  ]
  for (const [name, domain, form, why] of rows) {
    const site = collectForms(brand(name, { domains: [domain] })).forms.find(({ kind }) => kind === 'site')
    assert.equal(site?.form, form, `${name} at ${domain}: ${why}`)
  }
})

test('known spellings are added by website and name, or by name if the brand has no website', () => {
  assert.equal(describeForms(brand('7-Eleven', { domains: [] })).includes('7elevens short distinct'), true)
  const known = (name: string, more: Partial<BrandFacts> = {}) => {
    const { forms, isWellKnown, isConfirmedBySite } = collectForms(brand(name, more))
    return [isWellKnown, isConfirmedBySite, forms.some(({ kind }) => kind === 'spelling')]
  }
  assert.deepEqual(known('7-Eleven', { domains: ['7-eleven.com'] }), [true, true, true])
  assert.deepEqual(known('7-Eleven', { domains: [] }), [true, false, true])
  assert.deepEqual(known('7-Eleven', { domains: elsewhere }), [false, false, false])
  assert.deepEqual(known('Orvane', { domains: ['7-eleven.com'] }), [false, false, false])
  assert.deepEqual(known('Orvane', { domains: ['7-eleven.com'], aliases: ['7-Eleven'] }), [true, true, true])

  const kinds = (name: string, domain: string, ...asked: readonly string[]) =>
    asked.map(
      (form) =>
        collectForms(brand(name, { domains: [domain], aliases: ['84'] })).forms.find((one) => one.form === form)?.kind,
    )
  assert.deepEqual(kinds('Alamo', 'alamo.com', 'alamorentacar', 'alamorent', '84'), ['spelling', 'exact', 'alias'])
  assert.deepEqual(
    kinds('84 Lumber', '84lumber.com', '84lumber', '84'),
    ['name', undefined],
    'an alias without meaning',
  )
  assert.deepEqual(kinds('Aldi', 'aldi.us', 'aldifoods'), ['spelling'], 'another website of the brand')
})

test('a four-letter name that is not a plain word is distinct if the brand is well known', () => {
  const rows: readonly (readonly [name: string, domain: string, risk: string, why?: string])[] = [
    ['Lyft', 'lyft.com', 'distinct'],
    ['Lyft', 'other-site.com', 'word', 'a different website'],
    ['Aldi', 'aldi.us', 'distinct'],
    ['Ross', 'rossstores.com', 'word', 'a plain word'],
    ['Target', 'target.com', 'word', 'a longer plain word'],
    ['KFC', 'kfc.com', 'word', 'three letters'],
    ['Big Y', 'bigy.com', 'word', 'two words'],
    ['76', '76.com', 'word', 'digits'],
    ['T-Mobile', 't-mobile.com', 'phrase'],
  ]
  for (const [name, domain, risk, why] of rows)
    assert.equal(collectForms(brand(name, { domains: [domain] })).forms[0]?.risk, risk, `${name} at ${domain}: ${why}`)
})

test('a personal name before a trade is as risky as a plain word', () => {
  const risks = (name: string) =>
    collectForms(brand(name, { domains: ['frysfood.com'], aliases: ['Frys'] })).forms.filter(
      ({ form }) => form === 'frys',
    )
  assert.deepEqual(risks("Fry's Food and Drug"), [{ form: 'frys', kind: 'alias', risk: 'word' }])
})

test('each form is listed once, with its strongest kind, and none is longer than 64 letters', () => {
  assert.deepEqual(describeForms(brand('Orvane', { aliases: ['ORVANE', 'Orvanes'], domains: elsewhere })), [
    'orvane name distinct',
    'orvanes alias distinct',
  ])
  const long = 'orvane'.repeat(10)
  assert.deepEqual(describeForms(brand(`${long}abcd`, { domains: [] })), [`${long}abcd name distinct`])
  assert.deepEqual(describeForms(brand(`${long}abcde`, { domains: [] })), [])
})

test("a brand's words are the words of all its names, each listed once", () => {
  assert.deepEqual(collectForms(brand('Orvane & Grill', { aliases: ['The Orvane Inn'] })).words, [
    'orvane',
    'and',
    'grill',
    'the',
    'inn',
  ])
})
