import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLocation } from '../places/printed-location.ts'
import { isPhone, isSite, readNumberAt } from '../text/store-number.ts'
import { fold, tokenize } from '../text/tokens.ts'
import { classifyTrailing, type Own, type Trailing } from './trailing-text.ts'

// Tests how the text after a name is classified. A name that no other brand has (`Orvane Inn`, an inn with a
// restaurant) is treated more leniently than a plain word. A row with a single verdict covers both.

const distinct: Own = { form: 'orvane', isDistinct: true, words: ['orvane', 'inn'], mccs: ['5812'] }

type Row = readonly [rest: string, said: Trailing, saidOfPlain?: Trailing, why?: string]

function each(rows: readonly Row[], city = ''): void {
  for (const [rest, said, saidOfPlain = said, why] of rows) {
    const tokens = tokenize(fold(`ORVANE${rest.startsWith('.') ? '' : ' '}${rest}`))
    const end = tokens.texts.length
    const location = findLocation(tokens, 0, end, city)
    const kinds = [distinct, { ...distinct, isDistinct: false }].map((own) =>
      classifyTrailing(tokens, 1, location, own),
    )
    assert.deepEqual(kinds, [said, saidOfPlain], `${rest}: ${why}`)
  }
}

test('text that says nothing about the merchant is treated as the end of the name', () => {
  each([
    ['', 'end'],
    ['INC', 'end'],
    ['STORE ONLINE PURCHASE', 'end'],
    ['.COM', 'end', 'end', 'the end of its own website'],
    ['COM', 'open', 'open', 'a separate word'],
    ['INC.COM', 'open', 'open', 'the end of another website'],
    ['WWW.ORVANE.COM', 'end'],
    ['HTTPSORVANE', 'end'],
    ['RIVERBEND.ORG', 'end', 'end', 'a website'],
    ['ORVANE', 'end', 'end', 'the name again'],
    ['ORV ANE', 'end', 'end', 'the name in two pieces'],
    ['ORVANES', 'open', 'open', 'not the name again'],
    ['ORVAN', 'open'],
    ['ORV', 'open'],
    ['800-555-0199', 'end', 'end', 'a phone number gives no location'],
    ['8005550199', 'end'],
    ['INN', 'end', 'end', 'a word of the brand’s names'],
    ['STORE INN', 'end'],
    ['AND INN', 'end'],
    ['CAFE', 'end', 'open', 'its own trade'],
    ['AND GRILL', 'end', 'foreign'],
  ])
})

test('text after a star was added by the merchant', () => {
  each([
    ['*SOMEBODY', 'detail'],
    ['*DENTAL', 'detail'],
    ['STORE *SOMEBODY', 'detail'],
    ['*STORE', 'detail'],
    ['RIVERBEND *X', 'open', 'open', 'words before the star'],
  ])
})

test('a number is a store number unless it may belong to the words after it', () => {
  each([
    ['0412', 'number'],
    ['41', 'number'],
    ['4', 'end', 'open', 'one digit may end a longer number or the name'],
    ['#4', 'end', 'open'],
    ['#41', 'number'],
    ['STORE 4', 'number', 'number', 'a word identifies the number'],
    ['SHOP 4', 'number'],
    ['STATION 4 RIVERBEND', 'number'],
    ['UNIT 4', 'number'],
    ['NO 4', 'number'],
    ['NBR 4', 'number'],
    ['NUMBER 4', 'number'],
    ['LOCATION 4', 'number'],
    ['STORE RIVERBEND', 'open', 'open', 'no number follows'],
    ['STORE 41 RIVERBEND', 'counted', 'counted', 'a longer number needs no word'],
    ['INC 4', 'end', 'open'],
    ['4 RIVERBEND', 'open'],
    ['41 RIVERBEND', 'counted', 'counted', 'words may follow a two-digit number'],
    ['412 RIVERBEND', 'counted'],
    ['0412 RIVERBEND', 'number', 'number', 'four digits are a store number whatever follows'],
    ['#41 RIVERBEND', 'number', 'number', 'digits after a sign are a store number whatever follows'],
    ['#4 RIVERBEND', 'open'],
    ['4 BOISE ID', 'place', 'open'],
    ['0 RIVERBEND', 'counted', 'counted', 'a zero begins a longer number'],
    ['0 BOISE ID', 'number'],
    ['41 BOISE ID', 'number'],
    ['41 BOISE', 'number'],
    ['4 0412', 'number'],
    ['4 41', 'number'],
    ['41 *X', 'number'],
    ['41 4', 'number', 'counted'],
  ])
})

test('a short number before another trade is a quantity, not a store number', () => {
  each([
    ['412 SPIRITS', 'foreign'],
    ['4 PLUMBING', 'foreign'],
    ['4123 PLUMBING', 'foreign'],
    ['#412 PLUMBING', 'number', 'number', 'a number after a sign'],
    ['0412 PLUMBING', 'number', 'number', 'a leading zero'],
    ['41234 PLUMBING', 'number', 'number', 'five digits'],
    ['412 MEDIA BOISE ID', 'foreign'],
    ['412 MEDIA PA', 'number', 'number', 'a city named like a trade'],
    ['412 INN', 'number', 'number', 'a word of the brand’s names'],
    ['412 RIVERBEND PLUMBING', 'open', 'open', 'not directly after the number'],
  ])
  each([['412 MEDIA', 'number', 'number', 'the city of the purchase']], 'media')
})

test('letters before digits denote a register, a store format or a state', () => {
  each([
    ['F12293', 'number'],
    ['F-12293', 'number'],
    ['F#12293', 'number'],
    ['T-2429', 'number'],
    ['XZ123', 'number'],
    ['F 12293', 'counted', 'counted', 'a space after the letter'],
    ['F*123', 'counted'],
    ['ABC123', 'counted', 'counted', 'three letters are a word'],
    ['XZ12', 'open', 'open', 'too few digits'],
    ['T-24', 'open'],
    ['FL12', 'number', 'number', 'two digits are enough after a state'],
    ['FL1', 'number'],
    ['FL-12', 'place', 'place', 'a state with digits after a dash'],
    ['#FL12', 'place'],
  ])
})

test('a place after the name suggests that the merchant has several stores', () => {
  each([
    ['BOISE ID', 'place'],
    ['ID', 'place'],
    ['BOISEID', 'place'],
    ['AIRPORT BOISE ID', 'place', 'place', 'a word chains use for their stores'],
    ['SOUTH BOISE ID', 'place'],
    ['SOMEWHERE ID', 'place', 'place', 'an unlisted city'],
    ['RIVERBEND QUILL ID', 'open'],
    ['RIVERBEND BOISE ID', 'open', 'open', 'words before the city'],
    ['BOISE AIRPORT ID', 'open'],
    ['GRILL BOISE ID', 'place', 'open', 'its own trade'],
    ['GRILL RIVERBEND BOISE ID', 'open'],
    ['BOISE ID 0412', 'number'],
    ['RIVERBEND BOISE ID 0412', 'open', 'open', 'only the bank’s text follows a place'],
    ['BOI BOISE ID', 'place', 'place', 'the name field was truncated within the city'],
    ['SALT LA SALT LAKE CITY UT', 'place'],
    ['BO BOISE ID', 'open', 'open', 'two letters could be anything'],
    ['- BO BOISE ID', 'place', 'place', 'two letters after a dash'],
    ['BOX BOISE ID', 'open', 'open', 'not the beginning of the city'],
    ['U.S. RTE. 29 BOISE ID', 'place', 'place', 'a road'],
    ['U.S. DESK BOISE ID', 'open'],
    ['BOISE LLC', 'town', 'town', 'the store’s legal entity'],
    ['BOISE LLC BOISE ID', 'place'],
    ['T1 ORVANE', 'end', 'end', 'a truncated register, then the name again'],
    ['T1 ORVANES', 'open'],
    ['1T ORVANE', 'open'],
    ['BOISE', 'town', 'town', 'no state'],
    ['SOUTH BOISE', 'town'],
    ['MALL', 'town'],
    ['RIVERBEND MALL', 'town', 'town', 'the mall’s name'],
    ['BOISE 0412', 'number'],
    ['MALL 0412', 'number'],
  ])
  each(
    [
      ['TRUTH', 'place', 'place', 'the city of the purchase'],
      ['TRUTH 0412', 'number'],
      ['TRUTH OAKS', 'open'],
    ],
    'truth',
  )
})

test("words followed by a number are the location of a chain's store", () => {
  each([
    ['RIVERBEND', 'open'],
    ['RIVERBEND QUILL', 'open'],
    ['RIVERBEND 0412', 'counted'],
    ['RIVERBEND 412', 'counted'],
    ['RIVERBEND #41', 'counted'],
    ['RIVERBEND 41', 'open', 'open', 'a short number may belong to the words'],
    ['RIVERBEND 41 0412', 'counted', 'counted', 'a second number follows'],
    ['RIVERBEND 41 X', 'open'],
    ['RIVERBEND 16 #22', 'counted', 'counted', 'only a cinema prints its screens like this'],
    ['RIVERBEND 41 42 43', 'open'],
    ['RIVERBEND 41 412', 'open'],
    ['RIVERBEND 800-555-0199', 'open'],
    ['RIVERBEND 800-555-0199 0412', 'open'],
    ['RIVERBEND F12293', 'counted'],
  ])
})

test('a trade, an "and", a payee or a company form after the name indicates another merchant', () => {
  each([
    ['DENTAL', 'foreign'],
    ['DENTAL 0412', 'foreign'],
    ['DENTAL BOISE ID', 'foreign'],
    ['RIVERBEND DENTAL', 'foreign'],
    ['DAY CARE', 'foreign', 'foreign', 'a two-word trade'],
    ['RIVERBEND BOOK STORE', 'foreign'],
    ['HOTEL', 'foreign', 'foreign', 'a trade the brand does not have'],
    ['PHARMACY', 'open', 'open', 'a trade that many stores include'],
    ['FUEL BOISE ID', 'open'],
    ['AND MORE', 'foreign'],
    ['AND SONS BOISE ID', 'foreign'],
    ['BY DOORDASH', 'foreign', 'foreign', 'the payee'],
    ['BY THE SEA', 'open'],
    ['DOORDASH', 'open'],
    ['RIVERBEND DOORDASH', 'open'],
    ['MUFFLER', 'foreign', 'foreign', 'a trade of some categories'],
    ['TEN STARFISH LTD', 'foreign', 'open', 'a company with that full name'],
    ['TEN STARFISH LTD 0412', 'counted', 'counted', 'a company with that full name and a store number'],
    ['STARFISH LTD', 'open', 'open', 'one word may be a location'],
    ['USA STARFISH INC', 'open'],
    ['ON EAST', 'town', 'open', 'a restaurant named after its street'],
    ['ON 7TH', 'town', 'open'],
    ['ON EAST 0412', 'number'],
    ['CENTER', 'town', 'open', 'with a plain word it makes a building'],
    ['WAY BOISE ID', 'place', 'open'],
    ['CENTER 0412', 'number'],
    ['UNIVERSITY BOISE ID', 'place', 'open'],
  ])
})

test('a cinema prints its number of screens before its store number', () => {
  const rows: readonly (readonly [rest: string, said: Trailing])[] = [
    ['RIVERBEND 16 #22', 'number'],
    ['GARDEN CENTER 16 #22 BOISE ID', 'number'],
    ['RIVERBEND 16 22', 'open'],
    ['RIVERBEND 6 #22', 'counted'],
    ['RIVERBEND #22', 'counted'],
    ['DENTAL #22', 'foreign'],
  ]
  for (const [rest, said] of rows) {
    const tokens = tokenize(fold(`ORVANE ${rest}`))
    const location = findLocation(tokens, 0, tokens.texts.length, '')
    assert.equal(classifyTrailing(tokens, 1, location, { ...distinct, words: [], mccs: ['7832'] }), said, rest)
  }
})

test("the name of a gas station's owner may follow the fuel brand", () => {
  const tokens = tokenize(fold('ORVANE TEN STARFISH LTD'))
  const fuel = { ...distinct, mccs: ['5541', '5172'] }
  assert.equal(classifyTrailing(tokens, 1, findLocation(tokens, 0, tokens.texts.length, ''), fuel), 'open')
})

test('a phone number is recognized among other numbers, masked or not', () => {
  const rows: readonly (readonly [text: string, is: boolean, why?: string])[] = [
    ['8005550199', true],
    ['XXXXXXXXXX', true, 'masked'],
    ['1005550199', false, 'no area code begins with a one'],
    ['8001550199', false, 'no exchange begins with a one'],
    ['#8005550199', false, 'a number after a sign'],
    ['800555019', false, 'nine digits'],
    ['80055501990', false, 'eleven digits'],
    ['800-555-0199', true],
    ['800.555.0199', true],
    ['800-5550199', true],
    ['xxx-xxx-xxxx', true],
    ['800 555 0199', false, 'no sign between the parts'],
    ['80-555-0199', false],
    ['8005-555-0199', false],
    ['800-55-0199', false],
    ['800-555-019', false],
    ['800-555019', false],
    ['800-555-01990', false],
    ['800-ORVANES', false],
    ['ABC-555-0199', false],
    ['800', false],
  ]
  for (const [text, is, why] of rows) assert.equal(isPhone(tokenize(fold(text)), 0), is, `${text}: ${why}`)
})

test('a URL is recognized among words', () => {
  for (const text of ['WWW ORVANE', 'HTTPSORVANE', 'GOSQ.COM', 'A.CO', 'A.NET', 'A.ORG', 'A.IO', 'A.LY', 'A-COM'])
    assert.equal(isSite(tokenize(fold(text)), 0), true, text)
  for (const text of ['ORVANE', 'ORVANE COM', 'ORVANE.RIVERBEND', 'HTTPORVANE', 'ORVANE*COM', 'WWWORVANE'])
    assert.equal(isSite(tokenize(fold(text)), 0), false, text)
})

test('a store number spans one or two tokens and is strong or weak evidence', () => {
  const at = (text: string, end?: number) => {
    const tokens = tokenize(fold(text))
    return readNumberAt(tokens, 0, end ?? tokens.texts.length)
  }
  assert.deepEqual(at('4'), { next: 1, strong: false, weak: true })
  assert.deepEqual(at('41'), { next: 1, strong: false, weak: false })
  assert.deepEqual(at('412'), { next: 1, strong: false, weak: false })
  assert.deepEqual(at('4123'), { next: 1, strong: true, weak: false })
  assert.deepEqual(at('#41'), { next: 1, strong: true, weak: false })
  assert.deepEqual(at('#4'), { next: 1, strong: false, weak: true })
  assert.deepEqual(at('FL1'), { next: 2, strong: true, weak: false })
  assert.deepEqual(at('F123'), { next: 2, strong: true, weak: false })
  assert.deepEqual([at('F123', 1), at('RIVERBEND'), at('F X')], [null, null, null])
})
