import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cityEndings, cityOpenings, foreignCountries, placeMakers, placeWords, stateCodes } from './geography.ts'
import { commonWords, isPlain, neutralWords, otherTrades, sharedTrades } from './words.ts'

test('a common name is a plain word, but an unknown word is not', () => {
  const rows: readonly (readonly [word: string, is: boolean, why?: string])[] = [
    ['alfredo', true, 'a given name'],
    ['szechuan', true, 'a nationality or region'],
    ['crimson', true, 'a color'],
    ['tuesdays', false],
    ['target', true, 'a brand that is also a word'],
    ['dentistry', true, 'a trade'],
    ['supplies', true, 'a trade that stores have alongside others'],
    ['supercenter', true, 'a word without meaning'],
    ['muffler', true, 'a trade of some categories'],
    ['wy', true, 'a state'],
    ['gardens', true, 'a plural'],
    ['targets', true],
    ['sons', true],
    ['alfredos', true, 'a possessive'],
    ['wys', false, 'a state has no plural'],
    ['dentistrys', false, 'a trade has no possessive'],
    ['inns', true],
    ['alis', false, 'four letters whose s may be part of the word'],
    ['velmora', false],
    ['velmoras', false],
    ['', false],
  ]
  for (const [word, is, why] of rows) assert.equal(isPlain(word), is, `${word}: ${why}`)
})

test('each list contains the expected words and no empty string', () => {
  const rows: readonly (readonly [list: ReadonlySet<string>, words: string])[] = [
    [commonWords, 'academy target zone'],
    [otherTrades, 'aircraft dental plumbing paleteria'],
    [sharedTrades, 'auto cafe pharmacy fuel'],
    [neutralWords, 'store usa pickup'],
    [cityOpenings, 'baton salt winston'],
    [cityEndings, 'arbor heights worth'],
    [stateCodes, 'al id wy dc pr'],
    [placeMakers, 'center way station'],
    [placeWords, 'airport mall the'],
  ]
  for (const [list, words] of rows) {
    for (const word of words.split(' ')) assert.equal(list.has(word), true, word)
    assert.deepEqual([list.has(''), list.has('velmora')], [false, false])
  }
})

test('a country code is recognized at the end of a descriptor, unless it is also a state', () => {
  const rows: readonly (readonly [printed: string, country: string | undefined])[] = [
    ['gb', 'gb'],
    ['uk', 'gb'],
    ['gbr', 'gb'],
    ['au', 'au'],
    ['aus', 'au'],
    ['deu', 'de'],
    ['esp', 'es'],
    ['fra', 'fr'],
    ['ita', 'it'],
    ['jpn', 'jp'],
    ['mex', 'mx'],
    ['za', 'za'],
    ['de', undefined],
    ['ca', undefined],
    ['', undefined],
  ]
  for (const [printed, country] of rows) assert.equal(foreignCountries.get(printed), country, printed)
})
