import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText, isEncoding } from './decode-text.ts'

const encode = (text: string, encoding: 'utf8' | 'utf16le' | 'latin1') => Buffer.from(text, encoding)

test('UTF-8, UTF-16 and windows-1252 are detected', () => {
  const text = 'Buchungstag;Empfänger;Betrag\n03.11.2026;Müller & Söhne;-12,50\n'
  const little = encode(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  const cases: [string, Buffer, string][] = [
    ['utf-8', encode(text, 'utf8'), text],
    ['utf-8', encode(`\uFEFF${text}`, 'utf8'), text],
    ['utf-16le', encode(`\uFEFF${text}`, 'utf16le'), text],
    ['utf-16le', little, text],
    ['utf-16be', encode(`\uFEFF${text}`, 'utf16le').swap16(), text],
    ['utf-16be', big, text],
    ['windows-1252', encode(text, 'latin1'), text],
    ['windows-1252', Buffer.from([0x80, 0x20, 0x92, 0x53]), '€ ’S'],
    ['windows-1252', encode('1;L´ORÉAL', 'latin1'), '1;L´ORÉAL'],
    ['windows-1252', encode(`${text}\u001A`, 'latin1'), text],
    ['utf-8', encode(`${text}\u001A\r\n`, 'utf8'), text],
    ['utf-16le', encode(`\uFEFF${text}\u001A`, 'utf16le'), text],
    ['utf-8', Buffer.from([]), ''],
  ]
  for (const [encoding, bytes, read] of cases) assert.deepEqual(decodeText(bytes), { text: read, encoding }, encoding)
})

test('other code pages are not mistaken for windows-1252 and can be specified explicitly', () => {
  const cases: [string, number[], string][] = [
    ['shift_jis', [0x93, 0xfa, 0x95, 0x74], '日付'],
    ['shift_jis', [0xbe, 0xcc, 0xde, 0xdd], 'ｾﾌﾞﾝ'],
    ['windows-1251', [0xcc, 0xe0, 0xe3, 0xe0, 0xe7, 0xe8, 0xed], 'Магазин'],
    ['windows-1250', [0x75, 0x73, 0xb3, 0x75, 0x67, 0x61], 'usługa'],
  ]
  for (const [encoding, bytes, text] of cases) {
    assert.equal(decodeText(Buffer.from(bytes)), null, text)
    assert.deepEqual(decodeText(Buffer.from(bytes), encoding), { text, encoding })
  }
  assert.equal(decodeText(Buffer.from([0xff, 0xfe, 0xff]), 'utf-8'), null)
  assert.equal(decodeText(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 8])), null, 'a spreadsheet')
  assert(isEncoding('shift_jis'))
  assert(!isEncoding('klingon'))
})
