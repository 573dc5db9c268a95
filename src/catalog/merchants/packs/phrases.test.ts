import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bankPrefixes,
  bankSuffixes,
  bankWords,
  matchPhraseAt,
  neverPhrases,
  paymentPhrases,
  startsPhrase,
} from '../text/bank-words.ts'
import { abbreviations, findSpellings } from '../text/spellings.ts'
import { categoryCodes } from './businesses.ts'
import { prefixes } from './prefixes.ts'

// Tests how the packs are read. The tests next to the packs cover their content.

test('the longest phrase at a position wins', () => {
  const rows: readonly (readonly [text: string, taken: number, at?: number, end?: number])[] = [
    ['purchase', 1],
    ['purchase orvane', 1],
    ['purchase authorized on orvane', 3],
    ['purchase authorized orvane', 1],
    ['authorized on orvane', 0],
    ['orvane', 0],
    ['orvane purchase', 0],
    ['orvane purchase', 1, 1],
    ['orvane purchase authorized on', 3, 1],
    ['purchase authorized on orvane', 1, 0, 2],
    ['purchase authorized on orvane', 3, 0, 3],
    ['purchase', 0, 0, 0],
    ['', 0],
  ]
  for (const [text, taken, at = 0, end] of rows) {
    const texts = text.split(' ')
    assert.equal(matchPhraseAt(bankPrefixes, texts, at, end ?? texts.length), taken, text)
  }
})

test('lists of phrases are matched separately', () => {
  const lists = { bankPrefixes, bankSuffixes, neverPhrases, paymentPhrases }
  const holding = (text: string) => {
    const texts = text.split(' ')
    return Object.entries(lists)
      .filter(([, phrases]) => matchPhraseAt(phrases, texts, 0, texts.length) === texts.length)
      .map(([name]) => name)
  }
  assert.deepEqual(holding('dda purchase'), ['bankPrefixes'])
  assert.deepEqual(holding('effective date'), ['bankSuffixes'])
  assert.deepEqual(holding('gift card'), ['neverPhrases'])
  assert.deepEqual(holding('autopay'), ['paymentPhrases'])
  assert.deepEqual(holding('pos purchase'), ['bankPrefixes', 'bankSuffixes'])
  assert.deepEqual(holding('orvane'), [])
})

test('words that may begin a phrase after the merchant are recognized', () => {
  for (const word of ['effective', 'gift', 'autopay', 'purchase']) assert.equal(startsPhrase(word), true, word)
  for (const word of ['checkcard', 'date', 'orvane', '']) assert.equal(startsPhrase(word), false, word)
})

test('bank words, prefixes, abbreviations and codes are looked up as printed', () => {
  assert.deepEqual(
    ['withdrawal', 'terminal', 'orvane'].map((word) => bankWords.get(word)),
    ['purchase', 'neutral', undefined],
  )
  assert.deepEqual(
    ['sq', 'doordash', 'orvane'].map((word) => prefixes.get(word)?.means),
    ['processor', 'marketplace', undefined],
  )
  assert.deepEqual([abbreviations.get('mkt'), abbreviations.get('market')], ['market', undefined])
  assert.equal(categoryCodes['tourism/hotel']?.includes('7011'), true)
  assert.equal(categoryCodes['amenity/fuel']?.includes('5542'), true)
})

test('a brand gets the spellings for its website and name, or only for its name if it has no website', () => {
  const rows: readonly (readonly [
    form: string,
    domains: readonly string[],
    found: string,
    isConfirmedBySite: boolean,
  ])[] = [
    ['7eleven', ['7-eleven.com'], '7-Eleven', true],
    ['7eleven', ['https://www.7-eleven.com/x'], '7-Eleven', true],
    ['7eleven', ['stores.7-eleven.com'], '7-Eleven', true],
    ['7eleven', ['orvane.com', '7-eleven.com'], '7-Eleven', true],
    ['7eleven', ['orvane.com'], '', false],
    ['orvane', ['7-eleven.com'], '', false],
    // A group's website covers several brands.
    ['athleta', ['gap.com'], 'Athleta', true],
    ['athleta', ['athleta.com'], 'Athleta', true],
    ['bananarepublic', ['gap.com'], 'Banana Republic', true],
    // Nothing is known about a website that cannot be parsed.
    ['7eleven', [], '7-Eleven', false],
    ['7eleven', ['no site'], '7-Eleven', false],
    ['orvane', [], '', false],
    ['', [], '', false],
  ]
  for (const [form, domains, found, isConfirmedBySite] of rows) {
    const known = findSpellings(new Set([form]), domains)
    assert.deepEqual(
      [known.list.map(({ name }) => name).join(), known.isConfirmedBySite],
      [found, isConfirmedBySite],
      `${form} ${domains}`,
    )
  }
})
