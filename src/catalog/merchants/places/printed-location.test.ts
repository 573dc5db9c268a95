import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold, tokenize } from '../text/tokens.ts'
import { findCityStart, findKnownCityStart, findLocation, isCityFrom } from './printed-location.ts'

// The location of a store according to its descriptor. `ORVANE` is the name, and the text after it is read.

function read(text: string, city: string) {
  const tokens = tokenize(fold(text))
  const end = tokens.texts.length
  const location = findLocation(tokens, 0, end, city)
  const { place } = location
  const from = (at: number) => (at < 0 ? '-' : tokens.texts.slice(at, end).join(' '))
  const args = [tokens, 1, end, location] as const
  return {
    place: place === null ? '-' : `${place.glued === '' ? '' : `${place.glued}+`}${place.state}@${place.at}`,
    known: from(findKnownCityStart(...args)),
    guessed: from(findCityStart(...args)),
  }
}

test("the state is the last word before the bank's additions", () => {
  const rows: readonly (readonly [text: string, place: string, why?: string])[] = [
    ['ORVANE BOISE ID', 'id@2'],
    ['ORVANE BOISE ID 83702', 'id@2', 'a postal code'],
    ['ORVANE BOISE ID USA', 'id@2', 'the country'],
    ['ORVANE BOISE ID US 83702 XX', 'id@2', 'several additions'],
    ['ORVANE BOISE ID CARD 1234', 'id@2', 'the card'],
    ['ORVANE BOISE ID G', 'id@2', 'a letter'],
    ['ORVANE BOISE ID 1 2 3 4', 'id@2', 'four additions'],
    ['ORVANE BOISE ID 1 2 3 4 5', '-', 'five additions'],
    ['ORVANE BOISE ID GO', '-', 'a separate word'],
    ['ID', '-', 'no name before the state'],
    ['ORVANE ID', 'id@1', 'a state without a city'],
    ['ORVANE CA MERIDIAN ID', 'id@3', 'the last of two states'],
    ['ORVANE', '-'],
  ]
  for (const [text, place, why] of rows) assert.equal(read(text, '').place, place, `${text}: ${why}`)
})

test('a state may run together with one of its cities', () => {
  const rows: readonly (readonly [text: string, place: string, why?: string])[] = [
    ['ORVANE BOISEID', 'boise+id@1'],
    ['ORVANE BOISEIDUS', 'boise+id@1', 'with the country attached'],
    ['ORVANE BOISEUS', '-', 'only the country attached'],
    ['ORVANE SALT LAKE CITYUT', 'city+ut@3', 'attached to the city’s last word'],
    ['ORVANE LAKE CITYUT', '-', 'part of a city name'],
    ['ORVANE BOISEBOISEID', 'boiseboise+id@1', 'a city printed twice'],
    ['ORVANE IDUS 83702', 'id@1', 'a state with the country attached'],
    ['ORVANE ZZYZXID', '-', 'not a city'],
    ['ORVANE BOISECA', '-', 'a city of another state'],
    ['ORVANE VALID', '-', 'a word that ends like a state'],
    ['ORVANE X Y SALT LAKE CITYUT', 'city+ut@5', 'attached to a three-word city, after other words'],
  ]
  for (const [text, place, why] of rows) assert.equal(read(text, '').place, place, `${text}: ${why}`)
})

test('the city precedes its state, or is the city of the purchase', () => {
  const rows: readonly (readonly [text: string, city: string, start: string, why?: string])[] = [
    ['ORVANE BOISE ID', '', 'boise id'],
    ['ORVANE X Y BOISE ID', '', 'boise id', 'other words before the city'],
    ['ORVANE SALT LAKE CITY UT', '', 'salt lake city ut'],
    ['ORVANE X SALT LAKE CITY UT', '', 'salt lake city ut'],
    ['ORVANE X SALT LAKE CITYUT', '', 'salt lake cityut', 'with the state attached'],
    ['ORVANE BOISE BOISE ID', '', 'boise boise id', 'a city printed twice starts at its first mention'],
    ['ORVANE BOISEBOISE ID', '', 'boiseboise id'],
    ['ORVANE BOISE BOISEID', '', 'boise boiseid'],
    ['ORVANE SALT LAKE CITY SALT LAKE CITY UT', '', 'salt lake city salt lake city ut'],
    ['ORVANE BOISE MERIDIAN ID', '', 'meridian id', 'the last of two cities'],
    ['ORVANE ID', '', 'id', 'only the state'],
    ['ORVANE OAKLAND ID', '', '-', 'a city of another state'],
    ['ORVANE BALDYBOISE ID', '', '-', 'a joined word that is not a city printed twice'],
    ['ORVANE BOISE', '', '-', 'no state'],
    ['ORVANE TRUTH', 'truth', 'truth', 'the city of the purchase'],
    ['ORVANE TRUTH TRUTH', 'truth', 'truth truth'],
    ['ORVANE X TRUTH', 'truth', 'truth'],
    ['ORVANE X TRUTH ID', 'truth', 'truth id'],
    ['ORVANE TRUTH OR CONSEQUENCES', 'truthorconsequences', 'truth or consequences'],
    ['ORVANE TRUTH X', 'truth', '-', 'not at the end'],
    ['ORVANE TRUE', 'truth', '-'],
    ['ORVANE A B C D E F', 'abcdef', 'a b c d e f', 'a six-word city'],
    ['ORVANE A B C D E F G', 'abcdefg', '-', 'seven words are not a city'],
  ]
  for (const [text, city, start, why] of rows) assert.equal(read(text, city).known, start, `${text}: ${why}`)
})

test('a city column marks the city, whether or not it is listed', () => {
  const frameIn = (text: string, column: number) => {
    const tokens = tokenize(fold(text))
    return findLocation(tokens, 0, tokens.texts.length, undefined, column)
  }
  assert.deepEqual(frameIn('ORVANE GARDEN QUILL ID', 1).cityAts, [1])
  assert.deepEqual(frameIn('ORVANE MERIDIAN BOISE ID', 2).cityAts, [2])
  assert.equal(frameIn('ORVANE GARDEN QUILL ID', 1).hasOwnCity, true)
  assert.deepEqual(frameIn('ORVANE GARDEN QUILL', 1).cityAts, [], 'no state after it')
  assert.deepEqual(frameIn('ORVANE BOISE ID', 0).cityAts, [1], 'no name before it')
})

test('a city is searched for only in the requested part of the text', () => {
  const rows: readonly (readonly [text: string, start: number, end: number, known: number, guessed: number])[] = [
    ['ORVANE BOISE BOISE ID', 2, 4, 2, 2],
    ['ORVANE BOISE ID 83702', 3, 4, -1, -1],
    ['ORVANE BOISE 12 ID', 1, 2, 1, 1],
    ['ORVANE OAKLAND 12 ID', 1, 2, -1, -1],
    ['ORVANE SOMEWHERE ID', 1, 2, -1, -1],
    ['ORVANE SOMEWHERE ID', 1, 3, -1, 1],
  ]
  for (const [text, start, end, known, guessed] of rows) {
    const tokens = tokenize(fold(text))
    const location = findLocation(tokens, 0, tokens.texts.length, undefined)
    const starts = [findKnownCityStart(tokens, start, end, location), findCityStart(tokens, start, end, location)]
    assert.deepEqual(starts, [known, guessed], `${text} from ${start} to ${end}`)
  }
})

test('an unlisted city is guessed only from words that look like a city and nothing else', () => {
  const rows: readonly (readonly [text: string, start: string, why?: string])[] = [
    ['ORVANE SOMEWHERE ID', 'somewhere id', 'one word'],
    ['ORVANE SOMEWHERE ELSE ID', '-', 'two words, neither typical of cities'],
    ['ORVANE NORTH SOMEWHERE ID', 'north somewhere id', 'a word that begins many cities'],
    ['ORVANE SOMEWHERE HEIGHTS ID', 'somewhere heights id', 'a word that ends many cities'],
    ['ORVANE NORTH SOMEWHERE ELSE ID', 'north somewhere else id', 'three words'],
    ['ORVANE SOMEWHERE ELSE HEIGHTS ID', 'somewhere else heights id'],
    ['ORVANE NORTH FOX ID', 'north fox id', 'a three-letter word'],
    ['ORVANE NORTH SOMEWHERE ELSE HEIGHTS ID', '-', 'four words'],
    ['ORVANE PLUMBING ID', '-', 'a trade'],
    ['ORVANE PLUMBING HEIGHTS ID', '-'],
    ['ORVANE NORTH CAFE ID', '-'],
    ['ORVANE NORTH 12345 ID', '-', 'a number'],
    ['ORVANE NORTH STORETEMPE ID', '-', 'a shop word with the city attached'],
    ['ORVANE NORTH STATIONTEMPE ID', '-'],
    ['ORVANE NORTH OUTLETTEMPE ID', '-'],
    ['ORVANE NORTH FACTORYTEMPE ID', '-'],
    ['ORVANE NORTH DRUGSTORE ID', 'north drugstore id', 'a shop word at the end of a word'],
    ['ORVANE ST SOMEWHERE ID', 'st somewhere id', 'two letters that begin cities'],
    ['ORVANE MT SOMEWHERE ID', 'mt somewhere id'],
    ['ORVANE FT SOMEWHERE ID', 'ft somewhere id'],
    ['ORVANE LA SOMEWHERE ID', 'la somewhere id'],
    ['ORVANE EL SOMEWHERE ID', 'el somewhere id'],
    ['ORVANE NORTH XY ID', '-', 'two letters that begin no city'],
    ['ORVANE BOISEID', '-', 'a city joined to its state is not guessed'],
    ['ORVANE X BOISEID', '-'],
  ]
  for (const [text, start, why] of rows) assert.equal(read(text, '').guessed, start, `${text}: ${why}`)
})

test('a city may begin within a word, after the name', () => {
  const rows: readonly (readonly [text: string, city: string, is: boolean, why?: string])[] = [
    ['ORVANE+BOISE ID', '', true],
    ['ORVANE+BOISEID', '', false, 'a state attached to the last word is not seen'],
    ['ORVANE+SALT LAKE CITY UT', '', true, 'three words'],
    ['OLD ORVANE+SALT LAKE CITY UT', '', true],
    ['ORVANE+SALT LAKE CITYUT', '', false],
    ['ORVANE+BOISE CA', '', false, 'a city of another state'],
    ['ORVANE+BOISE', '', false, 'no state'],
    ['ORVANE+ELY NV', '', false, 'many words end in these three letters'],
    ['ORVANE+ELKO NV', '', true, 'a four-letter city'],
    ['ORVANE+TRUTH', 'truth', true, 'the city of the purchase'],
    ['ORVANE+TRUTH 12', 'truth', true],
    ['ORVANE+TRUTH OR CONSEQUENCES', 'truthorconsequences', true],
    ['ORVANE+TRUTH OR', 'truth', true],
    ['ORVANE+TRUE', 'truth', false],
    ['ORVANE+ID', '', false, 'only the state'],
    ['ORVANE+A LONG WAY TO GO ID', 'alongwaytogo', false, 'too many words for a city'],
  ]
  for (const [text, city, is, why] of rows) {
    const split = text.indexOf('+')
    const lead = text.lastIndexOf(' ', split) + 1
    const at = text.slice(0, split).split(' ').length - 1
    const tokens = tokenize(fold(text.replace('+', '')))
    const end = tokens.texts.length
    assert.equal(
      isCityFrom(tokens, { at, split: split - lead }, findLocation(tokens, 0, end, city)),
      is,
      `${text}: ${why}`,
    )
  }
})
