import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import type { ImportedCode } from '../../src/allowances/index.ts'
import { isDay } from '../../src/platform/calendar.ts'
import { UserError } from '../errors.ts'

/** A code and its line: messages name the line, because codes are never printed. */
type CodeInFile = ImportedCode & { readonly line: number }

const CODE_MAX = 100
// A commit each; sealing them is what takes the time.
const BATCH = 1_000

/**
 * Reads codes from a file of any size, one a line, or CSV with a header: `code` and, where codes end, `expires_on`.
 * @throws UserError naming the first line that cannot be read; what was handed on before stays
 */
export async function* readCodes(file: string): AsyncGenerator<readonly CodeInFile[]> {
  const rows = parse({ bom: true, trim: true, skip_empty_lines: true, relax_column_count: true, info: true })
  // An error of the file is thrown where the rows are read.
  pipeline(createReadStream(file), rows, () => undefined)
  let columns: Columns | null = null
  let batch: CodeInFile[] = []
  try {
    for await (const { record, info } of rows as AsyncIterable<Row>) {
      if (columns === null) {
        const named = columnsOf(record)
        columns = named ?? { code: 0, expiresOn: null }
        if (named !== null) continue
      }
      batch.push(codeOf(record, columns, info.lines))
      if (batch.length === BATCH) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    throw readable(file, error)
  }
  if (batch.length > 0) yield batch
}

type Row = { readonly record: readonly string[]; readonly info: { readonly lines: number } }
type Columns = { readonly code: number; readonly expiresOn: number | null }

/**
 * The columns that a header names; null where the first line is a code already. A misspelt column would be
 * ignored without a message, and its codes would never expire.
 */
function columnsOf(record: readonly string[]): Columns | null {
  const names = record.map((name) => name.toLowerCase())
  const code = names.indexOf('code')
  const expiresOn = names.indexOf('expires_on')
  if (code === -1 && expiresOn === -1) return null
  const unknown = names.find((name, at) => name !== '' && at !== code && at !== expiresOn)
  if (unknown !== undefined) throw new UserError(`Line 1: the column ${unknown} is none of code and expires_on.`)
  if (code === -1) throw new UserError('Line 1: the column code is missing.')
  return { code, expiresOn: expiresOn === -1 ? null : expiresOn }
}

function codeOf(record: readonly string[], columns: Columns, line: number): CodeInFile {
  const code = record[columns.code] ?? ''
  const expiresOn = columns.expiresOn === null ? '' : (record[columns.expiresOn] ?? '')
  if (code === '' || code.length > CODE_MAX || /[\p{Cc}\p{Cs}]/u.test(code))
    throw new UserError(`Line ${line}: a code has 1 to ${CODE_MAX} printable characters.`)
  if (expiresOn !== '' && !isDay(expiresOn)) throw new UserError(`Line ${line}: expires_on must be yyyy-MM-dd.`)
  return { code, expiresOn: expiresOn === '' ? null : expiresOn, line }
}

function readable(file: string, error: unknown): unknown {
  const { code, lines } = error as CsvError & { readonly lines?: number }
  if (code === ('ENOENT' as string)) return new UserError(`There is no file ${file}.`)
  if (typeof code === 'string' && code.startsWith('CSV_')) return new UserError(`Line ${lines}: no readable CSV.`)
  return error
}
