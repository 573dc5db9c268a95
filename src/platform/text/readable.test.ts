import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmail, isFact, isIdentifier, isReadableLine } from './readable.ts'

const cases: readonly (readonly [what: string, text: string, identifier: boolean, line: boolean])[] = [
  ['plain text', 'user-1', true, true],
  ['accents and other scripts', 'Zoë Ångström 山田 Привет', true, true],
  ['an override of direction', 'user\u202Egpj', false, false],
  ['an isolate', 'a\u2067b\u2069', false, false],
  ['a mark of direction, as Hebrew text has it', 'שלום\u200F!', false, true],
  ['a joiner in a name, as Malayalam has it', 'അവന്\u200D', false, true],
  ['a family of emoji', '👨\u200D👩\u200D👧', false, true],
  ['a red heart', '❤\uFE0F', false, true],
  ['the flag of England', '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}', false, true],
  ['a zero-width space', 'pay\u200Bpal', false, false],
  ['a byte order mark', '\uFEFFuser-1', false, false],
  ['a word joiner', 'a\u2060b', false, false],
  ['a line separator', 'a\u2028b', false, false],
  ['a line break', 'a\nb', false, false],
  ['a Hangul filler, which looks like a blank', '\u3164', false, false],
  ['nothing that can be seen', '\u200D\u200D', false, false],
  ['half of a surrogate pair', '\uD83D', false, false],
]

test('identifiers allow no invisible characters; names allow only those that scripts and emoji need', () => {
  for (const [what, text, identifier, line] of cases)
    assert.deepEqual([isIdentifier(text), isReadableLine(text)], [identifier, line], what)
})

test('external data is never rejected for invisible characters', () => {
  for (const text of ['SHOP\u202E123', 'CAFÉ\u200B', '\uFEFFACME', '\u3164']) assert.equal(isFact(text), true)
})

test('an email address allows no invisible characters', () => {
  assert.equal(isEmail('ada@example.com'), true)
  for (const text of ['a\u202Eda@example.com', 'a\u200Bda@example.com', 'a\u2066da@example.com'])
    assert.equal(isEmail(text), false)
})
