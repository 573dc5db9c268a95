import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildForms, buildTokenForms, fold, longestText, placeIn, tokenize } from './tokens.ts'

// Tests how text is split into tokens. `|` starts a token and is preceded by the kind of separator.

const signs = { glued: '', space: ' ', mark: '-', hash: '#', star: '*' } as const

function described(text: string): string {
  const { texts, gaps } = tokenize(fold(text))
  return texts.map((token, at) => `${signs[gaps[at] ?? 'glued']}|${token}`).join('')
}

test('the strongest separator between two tokens is recorded', () => {
  const rows: readonly (readonly [text: string, tokens: string])[] = [
    ['orvane', ' |orvane'],
    ['orvane 12', ' |orvane |12'],
    ['orvane  12', ' |orvane |12'],
    ['orvane12', ' |orvane|12'],
    ['12orvane12', ' |12|orvane|12'],
    ['orvane-12', ' |orvane-|12'],
    ['orvane - 12', ' |orvane-|12'],
    ['orvane #12', ' |orvane#|12'],
    ['orvane#-12', ' |orvane#|12'],
    ['orvane-#12', ' |orvane#|12'],
    ['orvane# 12', ' |orvane#|12'],
    ['orvane #*12', ' |orvane*|12'],
    ['orvane *#12', ' |orvane*|12'],
    ['orvane*-12', ' |orvane*|12'],
    ['orvane* 12', ' |orvane*|12'],
    ['*orvane', '*|orvane'],
    ['#1 orvane', '#|1 |orvane'],
    ['orvane *', ' |orvane'],
    ['', ''],
    [' - ', ''],
  ]
  for (const [text, tokens] of rows) assert.equal(described(text), tokens, text)
})

test('apostrophes join tokens, and & and + are read as words', () => {
  const rows: readonly (readonly [text: string, tokens: string])[] = [
    ["o'rvane", ' |orvane'],
    ['o’rvane', ' |orvane'],
    ['o‘rvane', ' |orvane'],
    ['o`rvane', ' |orvane'],
    ["o''r'vane", ' |orvane'],
    ["orvane' 12", ' |orvane |12'],
    ["'orvane", '-|orvane'],
    ["12'34", ' |12-|34'],
    ["a'12", ' |a|12'],
    ['a&b', ' |a-|and |b'],
    ['a & b', ' |a-|and |b'],
    ['a&12', ' |a-|and |12'],
    ['*&b', '*|and |b'],
    ['a+', ' |a-|plus'],
    ['a+b', ' |a-|plus |b'],
    ['+b', '-|b'],
  ]
  for (const [text, tokens] of rows) assert.equal(described(text), tokens, text)
})

test('each token records its position in the text', () => {
  const spans = (text: string) => {
    const { starts, ends } = tokenize(fold(text))
    return starts.map((start, at) => [start, ends[at]])
  }
  assert.deepEqual(spans("o'r vane12"), [
    [0, 3],
    [4, 8],
    [8, 10],
  ])
  assert.deepEqual(spans("ab' c&d"), [
    [0, 3],
    [4, 5],
    [5, 6],
    [6, 7],
  ])
})

test('letters of all scripts are recognized, regardless of case and accents', () => {
  const rows: readonly (readonly [text: string, tokens: string])[] = [
    ['ÜNË', ' |une'],
    ['STRASSE Straße', ' |strasse |strasse'],
    ['ŁÓDŹ', ' |lodz'],
    ['Æon', ' |aeon'],
    ['Œuvre', ' |oeuvre'],
    ['Smørrebrød', ' |smorrebrod'],
    ['Đakovo', ' |dakovo'],
    ['日本', ' |日本'],
    ['кафе', ' |кафе'],
    ['１２', ' |12'],
    ['\u{1f600}a', '-|a'],
    ['a\u{fffc}b', ' |a-|b'],
    ['a—b', ' |a-|b'],
    ['[a{b', '-|a-|b'],
    ['a/0:9', ' |a-|0-|9'],
    ['`a@z', '-|a-|z'],
  ]
  for (const [text, tokens] of rows) assert.equal(described(text), tokens, text)
  assert.equal(fold(`${'A'.repeat(longestText)}B`), 'a'.repeat(longestText))
  assert.equal(fold(`${'A'.repeat(longestText - 1)}B`), `${'a'.repeat(longestText - 1)}b`)
})

test('a form has no spaces or leading article, and a variant leaves out the word for & or +', () => {
  const rows: readonly (readonly [name: string, ...forms: readonly string[]])[] = [
    ['The Orvane Inn', 'orvaneinn'],
    ['The', 'the'],
    ['Orvane The', 'orvanethe'],
    ['Orvane & Finch', 'orvaneandfinch', 'orvanefinch'],
    ['Orvane and Finch', 'orvaneandfinch'],
    ['Orvane+', 'orvaneplus', 'orvane'],
    ['Orvane Plus', 'orvaneplus'],
    ['+Orvane', 'orvane'],
    ['&', 'and'],
    ['The & Finch', 'andfinch', 'finch'],
    ['**'],
  ]
  for (const [name, ...forms] of rows) assert.deepEqual(buildForms(name), forms, name)
  assert.deepEqual(buildTokenForms('A & B', ['a', 'and', 'b']), ['aandb', 'ab'])
})

test('text is placed before equal entries in a sorted list', () => {
  const list = ['b', 'd', 'd', 'f']
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((text) => placeIn(list, text)),
    [0, 0, 1, 1, 3, 3, 4],
  )
  assert.equal(placeIn([], 'a'), 0)
})
