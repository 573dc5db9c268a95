import { BRAND_COLUMNS, escapedCell, OFFER_COLUMNS, SEPARATOR, SHARED_COLUMNS } from './csv-columns.ts'

/** Writes a catalog as CSV: a row for each offer with its brand's fields repeated, a brand without offers in one row. */
type Item = Readonly<Record<string, unknown>>
type Cells = Readonly<Record<string, unknown>>

const brandNames = [...Object.keys(BRAND_COLUMNS), ...Object.keys(SHARED_COLUMNS).map((name) => `brand_${name}`)]
const offerNames = [...Object.keys(SHARED_COLUMNS), ...Object.keys(OFFER_COLUMNS)]
const HEADER = [...brandNames, ...offerNames]

export const csvHead = `${HEADER.join(',')}\r\n`

export function csvLines(brand: object): string {
  const { offers = [], ...own } = brand as { offers?: readonly Item[] } & Item
  const cells: Cells = Object.fromEntries(
    Object.entries(own).map(([field, value]) => [field in SHARED_COLUMNS ? `brand_${field}` : field, value]),
  )
  if (offers.length === 0) return lineOf(cells)
  return offers.map((offer) => lineOf({ ...cells, ...offerCells(offer) })).join('')
}

function offerCells({ commission, ...offer }: Item): Cells {
  const { rate, amount } = (commission ?? {}) as { rate?: number; amount?: number }
  return { ...offer, commission_rate: rate, commission_amount: amount }
}

function lineOf(cells: Cells): string {
  return `${HEADER.map((name) => cellOf(cells[name])).join(',')}\r\n`
}

/** Quotes keep blanks at both ends of a text. A list whose parts contain the separator is written as JSON. */
function cellOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `"${escapedCell(textOf(value)).replaceAll('"', '""')}"`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const plain =
    Array.isArray(value) &&
    value.every((part) => typeof part === 'number' || (typeof part === 'string' && isPlain(part)))
  return plain ? value.join(SEPARATOR) : JSON.stringify(value)
}

function isPlain(part: string): boolean {
  return part === part.trim() && part !== '' && !part.includes(SEPARATOR) && !part.startsWith('[')
}
