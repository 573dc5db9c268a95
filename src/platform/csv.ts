/**
 * RFC 4180, safe to open in a spreadsheet: a text cell that would be read as a formula is given a leading apostrophe,
 * which spreadsheets show as plain text. Numbers are ours and stay as they are, or a minus sign would make them text.
 */
export function csvText(text: string): string {
  if (PLAIN.test(text)) return text
  const safe = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const FORMULA = /^[=+\-@\t\r\n]/
const QUOTED = /[",\r\n]/
// Neither, in one look.
const PLAIN = /^(?![=+\-@\t])[^",\r\n]*$/
