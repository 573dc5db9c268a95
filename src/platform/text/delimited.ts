import { type Options, parse } from 'csv-parse/sync'

/** A parsed table: the header and the non-blank rows below it. */
type DelimitedTable = {
  readonly delimiter: string
  readonly header: readonly string[]
  readonly rows: readonly DelimitedRow[]
}
/** The trimmed cells, and the number of the line where the row ends. */
export type DelimitedRow = { readonly line: number; readonly cells: readonly string[] }
/**
 * The reason why the input is not a table, and the line to look at. The message follows the words "The file" or "it".
 */
type DelimitedFault = { readonly line: number; readonly fault: string; readonly titles: readonly string[] }

const DELIMITERS = [',', ';', '\t', '|']

/**
 * Reads cells separated by commas, semicolons, tabs or pipes, quoted or not. The delimiter is whichever one turns one
 * of the first lines into a header, so quotes and commas inside cells do not matter.
 *
 * @param isHeader returns true if the cells are the titles of the table
 * @param within the last row that may be the header, counted from the top
 */
export function readDelimited(
  text: string,
  isHeader: (cells: readonly string[]) => boolean,
  within = 1,
): DelimitedTable | DelimitedFault {
  const plain = text.replace(/^\uFEFF/, '')
  // Tolerates quotes anywhere above the header. The rows below it are parsed strictly, because a misplaced quote could
  // merge two of them.
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

// The library's messages count lines from where parsing starts and do not help people who have never quoted a cell.
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote in its cell',
  INVALID_OPENING_QUOTE: 'a quote appears inside a cell that does not begin with one',
}

type Records = { readonly records: readonly DelimitedRow[]; readonly error: { line: number; fault: string } | null }

/** Parses the rows below the first `above` lines, stopping at the first syntax error. */
function readRecords(text: string, options: Options<string[]>, above = 0): Records {
  const records: DelimitedRow[] = []
  const keep = (found: unknown): null => {
    // With `info`, each record includes the line where it ends. The library's types do not reflect this option.
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
    return { records, error: { line, fault: `is not valid CSV from line ${line} on: ${FAULTS[code] ?? message}` } }
  }
}

// Used instead of the library's from_line option, which parses the lines that it skips.
function startOfLine(text: string, above: number): number {
  const ends = /\r\n|\n|\r/g
  for (let line = 0; line < above; line++) ends.exec(text)
  return ends.lastIndex
}

/**
 * Builds the fault for a missing header. Takes the titles from the widest readable row, which is most likely to be the
 * header.
 */
function headerless(tops: readonly Records[]): DelimitedFault {
  const [widest] = tops.flatMap(({ records }) => records).toSorted((a, b) => b.cells.length - a.cells.length)
  const broken = tops.find(({ error }) => error !== null)?.error
  if ((widest?.cells.length ?? 0) < 2 && broken != null) return { ...broken, titles: [] }
  return {
    line: widest?.line ?? 1,
    fault: 'has no known column titles',
    titles: (widest?.cells ?? []).filter((one) => one !== ''),
  }
}
