/**
 * RFC 4180, safe to open in a spreadsheet: a text cell that would be read as a formula is given a leading apostrophe,
 * which spreadsheets show as plain text. Numbers are ours and stay as they are, or a minus sign would make them text.
 */
export function csvText(text: string): string {
  if (PLAIN.test(text)) return text
  const safe = escapeFormula(text)
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

// Some programs skip blanks and invisible characters before a sign, and some read the full-width and small forms of
// the signs. A tab or a line break can end up as the start of the next cell.
const FORMULA = /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u
const QUOTED = /[",\r\n]/
// Fast path: text that begins with a letter or digit and has nothing to quote.
const PLAIN = /^(?:[A-Za-z0-9][^",\r\n]*)?$/
