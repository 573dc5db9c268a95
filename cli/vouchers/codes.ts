import type { ImportedCode } from '../../src/catalog/allowances/index.ts'
import { isDay } from '../../src/platform/calendar.ts'
import { type DelimitedRow, readDelimited } from '../../src/platform/text/delimited.ts'
import { UserError } from '../errors.ts'

/** A code with its line number. Messages refer to the line because codes are never printed. */
type CodeInFile = ImportedCode & { readonly line: number }

const CODE_MAX = 100

/**
 * Reads codes from a file with one code per line, or from a table with the titles `code` and, if codes expire,
 * `expires_on`.
 * @throws UserError with the number of the first line that cannot be read
 */
export function readCodes(text: string): CodeInFile[] {
  const table = readDelimited(text, (cells) => findColumns(cells) !== null)
  if ('rows' in table) {
    const columns = checked(table.header)
    return table.rows.map((row) => codeIn(row, columns, table.header.length))
  }
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: index + 1, text: unquoted(line.trim()) }))
  const filled = lines.filter((line) => line.text !== '')
  checkNoTitle(filled)
  return filled.map(({ line, text }) => codeIn({ line, cells: [text] }, { code: 0, expiresOn: null }, 1))
}

type Columns = { readonly code: number; readonly expiresOn: number | null }

// Titles that shops use for the code column. If a title were mistaken for a code, a user would receive it.
const CODE_TITLE = /^(?:voucher|coupon|promo|promotion|gift|discount)?[ _-]?codes?$|^(?:voucher|coupon)s?$/i

function findColumns(titles: readonly string[]): { readonly code: number; readonly expiresOn: number } | null {
  const code = titles.findIndex((title) => CODE_TITLE.test(title))
  const expiresOn = titles.findIndex((title) => title.toLowerCase() === 'expires_on')
  return code === -1 && expiresOn === -1 ? null : { code, expiresOn }
}

/** Rejects unknown columns. If a misspelled `expires_on` were ignored, the codes would never expire. */
function checked(titles: readonly string[]): Columns {
  const { code, expiresOn } = findColumns(titles) ?? { code: -1, expiresOn: -1 }
  const unknown = titles.find((title, at) => title !== '' && at !== code && at !== expiresOn)
  if (unknown !== undefined)
    throw new UserError(
      `Line 1: the column ${unknown.toLowerCase()} is not allowed. Use code and expires_on, once each.`,
    )
  if (code === -1) throw new UserError('Line 1: the column code is missing.')
  return { code, expiresOn: expiresOn === -1 ? null : expiresOn }
}

// Words found in titles in several languages, including as part of longer words: Gutscheincode, Seriennummer.
const TITLE_WORD =
  /code|gutschein|coupon|voucher|kupon|cup[oó]n|cupom|serial|serien|c[oó]digo|codice|k[oó]d\b|コード|番号/i

/** @throws UserError if the first line looks like a title, because it would otherwise be given to a user as a code */
function checkNoTitle(lines: readonly { readonly line: number; readonly text: string }[]): void {
  const [first, ...others] = lines.map(({ text }) => text.normalize('NFC'))
  if (first === undefined) return
  const firstDigit = lines.findIndex(({ text }) => /\d/.test(text))
  const isAboveDigits = firstDigit > 0 && lines.slice(firstDigit).every(({ text }) => /\d/.test(text))
  // In a series such as CODE-1, CODE-2, the word is part of each code.
  const isSeries = others.length === 0 ? /\d/.test(first) : others.every((text) => TITLE_WORD.test(text))
  if (!isAboveDigits && (isSeries || !TITLE_WORD.test(first))) return
  throw new UserError(
    `Line ${lines[0]?.line} looks like a column title, not a code. If it is a title, replace it with the word ` +
      'code. If it is a code, add a first line with that word.',
  )
}

function unquoted(line: string): string {
  return /^"[^"]*"$/.test(line) ? line.slice(1, -1).trim() : line
}

function codeIn({ line, cells }: DelimitedRow, columns: Columns, width: number): CodeInFile {
  const fault = (sentence: string) => new UserError(`Line ${line}: ${sentence}`)
  const code = cells[columns.code] ?? ''
  const expiresOn = columns.expiresOn === null ? '' : (cells[columns.expiresOn] ?? '')
  if (cells.slice(width).some((cell) => cell !== '') || /[,;\t|"]/.test(code))
    throw fault(
      'a code must not contain a comma, semicolon, tab, pipe or quote. Name the columns in a first line: ' +
        'code,expires_on.',
    )
  if (code === '' || code.length > CODE_MAX || /[\p{Cc}\p{Cs}]/u.test(code))
    throw fault(`a code must be 1 to ${CODE_MAX} printable characters.`)
  if (/^\d(?:\.\d+)?E\+\d+$/i.test(code))
    throw fault('a spreadsheet has rounded this code. Format its column as text there, and paste the codes again.')
  if (expiresOn !== '' && !isDay(expiresOn)) throw fault('expires_on must be yyyy-MM-dd.')
  return { code, expiresOn: expiresOn === '' ? null : expiresOn, line }
}
