/**
 * Formats a cell according to RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe, as in
 * reports.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const FORMULA = /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u
