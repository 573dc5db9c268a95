/**
 * RFC 4180, safe to open in a spreadsheet: a text cell that would be read as a formula is given a leading apostrophe,
 * which spreadsheets show as plain text. Numbers are ours and stay as they are, or a minus sign would make them text.
 */
export type Cell = string | number | null

const FORMULA = /^[=+\-@\t\r\n]/
const QUOTED = /[",\r\n]/
// Either of them: most cells are neither, and are looked through once.
const SPECIAL = /^[=+\-@\t]|[",\r\n]/

export function csvLine(cells: readonly Cell[]): string {
  let line = ''
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) line += ','
    const cell = cells[index]
    if (typeof cell === 'string') line += textCell(cell)
    else if (cell !== null && cell !== undefined) line += cell
  }
  return `${line}\r\n`
}

function textCell(text: string): string {
  if (!SPECIAL.test(text)) return text
  const safe = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
