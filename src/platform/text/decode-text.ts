/**
 * Decodes an external file and strips its byte order mark. Detects UTF-8, UTF-16 and Western European text from Windows
 * (windows-1252). Any other encoding must be specified, because most code pages decode any bytes to letters.
 *
 * @param encoding a label from the Encoding Standard, such as shift_jis
 * @returns null if the bytes are not valid in this encoding, or if no encoding is detected
 */
export function decodeText(bytes: Uint8Array, encoding?: string): DecodedText | null {
  if (encoding !== undefined) return decoded(bytes, encoding)
  const marked = findMark(bytes)
  if (marked !== null) return decoded(bytes, marked)
  const utf16 = detectUnmarkedUtf16(bytes)
  if (utf16 !== null) return decoded(bytes, utf16)
  const unicode = decoded(bytes, 'utf-8')
  if (unicode !== null) return unicode
  const western = decoded(bytes, 'windows-1252')
  return western !== null && isWestern(western.text) ? western : null
}

type DecodedText = { readonly text: string; readonly encoding: string }

/** True if the label names an encoding that we can decode. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label) !== null
  } catch {
    return false
  }
}

/** Returns the Unicode encoding that the first bytes of a file suggest. */
export function detectUnicode(bytes: Uint8Array): string {
  return findMark(bytes) ?? detectUnmarkedUtf16(bytes) ?? 'utf-8'
}

function findMark(bytes: Uint8Array): string | null {
  return MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))?.encoding ?? null
}

const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

function decoded(bytes: Uint8Array, encoding: string): DecodedText | null {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    const text = decoder.decode(bytes)
    // Text never contains NUL, so this is another encoding or not text at all.
    return text.includes('\0') ? null : { text: withoutEndMark(text), encoding: decoder.encoding }
  } catch {
    return null
  }
}

/** Strips the Ctrl-Z that DOS-style programs write at the end of a file. */
function withoutEndMark(text: string): string {
  const content = text.trimEnd()
  return content.endsWith(END_MARK) ? withoutEndMark(content.slice(0, -END_MARK.length)) : text
}

const END_MARK = '\u001A'
const SAMPLE_BYTES = 4096
// Most characters in a table (titles, digits, delimiters) are ASCII, so in UTF-16 every other byte is zero.
const ZEROS_MIN = 0.4

function detectUnmarkedUtf16(bytes: Uint8Array): string | null {
  const pairs = Math.floor(Math.min(bytes.length, SAMPLE_BYTES) / 2)
  if (pairs === 0 || bytes.length % 2 === 1) return null
  let [even, odd] = [0, 0]
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  if (odd >= pairs * ZEROS_MIN && even === 0) return 'utf-16le'
  return even >= pairs * ZEROS_MIN && odd === 0 ? 'utf-16be' : null
}

// The non-ASCII letters of Western European text. Three in a row, or a symbol between letters, mean that text in
// another alphabet was misread. The exception is the accent that people type as an apostrophe.
const WESTERN = /^[\t\n\r\x20-\x7e\xa0¡£§¨©ª«®°±²³´µ·¹º»¼½¾¿À-ÖØ-öø-ÿ€„…‘’“”–—™ŠšŒœŽžŸ]*$/
const OTHER_ALPHABET = /[À-ÖØ-öø-ÿ]{3}|[A-Za-z][¡-³µ-¾][A-Za-z]/

function isWestern(text: string): boolean {
  return WESTERN.test(text) && !OTHER_ALPHABET.test(text)
}
