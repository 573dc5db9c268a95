/**
 * Formats a line of CSV. Missing values become empty cells, and nested values are written as JSON. Numbers, which never
 * come from users, are not escaped, because an apostrophe would turn negative numbers into text.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return formatCsvText(typeof value === 'string' ? value : JSON.stringify(value))
}

/**
 * Formats an RFC 4180 cell that is safe to open in a spreadsheet. Text that would run as a formula gets a leading
 * apostrophe, so that spreadsheets show it as plain text.
 */
export function formatCsvText(text: string): string {
  if (PLAIN.test(text)) return text
  const safe = escapeFormula(text)
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

// Some programs skip whitespace and invisible characters before an operator, and some accept the full-width and small
// forms of operators. A tab or line break can end up at the start of the next cell.
const FORMULA = /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u
const QUOTED = /[",\r\n]/
// Fast path: text that starts with a letter or digit and needs no quotes.
const PLAIN = /^(?:[A-Za-z0-9][^",\r\n]*)?$/
