/**
 * The cells of a row as PostgreSQL writes it when it is cast to text (manual, 8.16.6): a row of many columns is one text
 * that way, which the driver takes out in a quarter of the time of as many values.
 */
export function cellsOf(record: string): (string | null)[] {
  const cells: (string | null)[] = []
  const end = record.length - 1
  for (let at = 1; ; at++) {
    if (record.charCodeAt(at) === QUOTE) {
      const close = closingQuote(record, at + 1)
      cells.push(unescaped(record.slice(at + 1, close)))
      at = close + 1
    } else {
      const comma = record.indexOf(',', at)
      const next = comma === -1 ? end : comma
      cells.push(next === at ? null : record.slice(at, next))
      at = next
    }
    if (at >= end) return cells
  }
}

const QUOTE = 0x22

/** A quote in the text is written twice. */
function closingQuote(record: string, from: number): number {
  let quote = record.indexOf('"', from)
  while (record.charCodeAt(quote + 1) === QUOTE) quote = record.indexOf('"', quote + 2)
  return quote
}

/** So is a backslash. */
function unescaped(text: string): string {
  return /["\\]/.test(text) ? text.replace(/(["\\])\1/g, '$1') : text
}
