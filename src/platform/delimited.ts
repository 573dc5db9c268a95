import { type Options, parse } from 'csv-parse/sync'

/** A table as text: the row of titles, and the rows below it that are not blank. */
type DelimitedTable = {
  readonly delimiter: string
  readonly header: readonly string[]
  readonly rows: readonly DelimitedRow[]
}
/** The cells without blanks at their ends, and the line of the file on which the row ends. */
export type DelimitedRow = { readonly line: number; readonly cells: readonly string[] }
/** Why a text is no table, and the line where it shows; the message follows on "The file" or "it". */
type DelimitedFault = { readonly line: number; readonly fault: string; readonly titles: readonly string[] }

const DELIMITERS = [',', ';', '\t', '|']

/**
 * Reads text whose cells are separated by commas, semicolons, tabs or bars, quoted or not. The delimiter that makes a
 * header out of one of the first lines is that of the file, so quotes and commas inside of cells mislead nobody.
 *
 * @param isHeader whether cells are the titles of the table
 * @param within how many rows may stand above the titles, and the titles themselves
 */
export function readDelimited(
  text: string,
  isHeader: (cells: readonly string[]) => boolean,
  within = 1,
): DelimitedTable | DelimitedFault {
  const plain = text.replace(/^\uFEFF/, '')
  // Above the titles quotes may stand anywhere; below them one in the wrong place could join two rows.
  const tops = DELIMITERS.map((delimiter) => ({
    delimiter,
    ...readRecords(plain, { delimiter, to: within, relax_quotes: true }),
  }))
  for (const { delimiter, records } of tops) {
    const at = records.findIndex(({ cells }) => isHeader(cells))
    const header = records[at]?.cells
    if (header === undefined) continue
    const { records: all, error } = readRecords(plain, { delimiter }, records[at - 1]?.line)
    if (error !== null) return { ...error, titles: header }
    return { delimiter, header, rows: all.slice(1).filter(({ cells }) => cells.some((cell) => cell !== '')) }
  }
  return headerless(tops)
}

// The library's own words count lines from where it begins, and say little to somebody who has never quoted a cell.
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote in its cell',
  INVALID_OPENING_QUOTE: 'a quote is inside of a cell that does not begin with one',
}

type Records = { readonly records: readonly DelimitedRow[]; readonly error: { line: number; fault: string } | null }

/** The rows below some lines, up to the first fault of the notation. */
function readRecords(text: string, options: Options<string[]>, above = 0): Records {
  const records: DelimitedRow[] = []
  const keep = (found: unknown): null => {
    // With `info` each record comes with the line on which it ends; the library's types do not follow the option.
    const { record, info } = found as { readonly record: string[]; readonly info: { readonly lines: number } }
    records.push({ line: above + info.lines, cells: record })
    return null
  }
  try {
    parse(text.slice(startOfLine(text, above)), {
      ...options,
      info: true,
      on_record: keep,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
    return { records, error: null }
  } catch (error) {
    const { message, code = '', lines = 1 } = error as { message: string; code?: string; lines?: number }
    const line = above + lines
    return { records, error: { line, fault: `is not CSV from line ${line} on: ${FAULTS[code] ?? message}` } }
  }
}

// The option from_line of the library still parses what it skips.
function startOfLine(text: string, above: number): number {
  const ends = /\r\n|\n|\r/g
  for (let line = 0; line < above; line++) ends.exec(text)
  return ends.lastIndex
}

/** The titles are likely in the widest row of those that can be read. */
function headerless(tops: readonly Records[]): DelimitedFault {
  const [widest] = tops.flatMap(({ records }) => records).toSorted((a, b) => b.cells.length - a.cells.length)
  const broken = tops.find(({ error }) => error !== null)?.error
  if ((widest?.cells.length ?? 0) < 2 && broken != null) return { ...broken, titles: [] }
  return {
    line: widest?.line ?? 1,
    fault: 'has no known titles',
    titles: (widest?.cells ?? []).filter((one) => one !== ''),
  }
}
