import { escapeFormula } from '../../../platform/text/csv.ts'
import { BrandFileSchema, OfferFileSchema } from './file-schema.ts'

/** The format of the cells in a column. */
export type CsvKind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers' | 'json'
export type CsvColumn = { readonly of: 'brand' | 'offer'; readonly field: string; readonly kind: CsvKind }
type Shape = { readonly type?: unknown; readonly items?: Shape }

const { offers: _offers, ...brandProperties } = BrandFileSchema.properties
const { commission: _commission, ...offerProperties } = OfferFileSchema.properties
const brandColumns = buildColumns('brand', brandProperties)
const offerColumns = [
  ...buildColumns('offer', offerProperties),
  ...['commission_rate', 'commission_amount'].map((field): CsvColumn => ({ of: 'offer', field, kind: 'number' })),
]
export const isShared = (field: string): boolean => field in brandProperties && field in offerProperties

/**
 * The columns of a CSV catalog by name. If brands and offers share a field, the brand's column is prefixed with
 * `brand_`.
 */
export const COLUMNS: ReadonlyMap<string, CsvColumn> = new Map(
  [...brandColumns, ...offerColumns].map((column) => {
    const { of, field } = column
    return [of === 'brand' && isShared(field) ? `brand_${field}` : field, column]
  }),
)

function buildColumns(of: CsvColumn['of'], properties: Readonly<Record<string, object>>): CsvColumn[] {
  return Object.entries(properties).map(([field, schema]) => ({ of, field, kind: toKind(schema) }))
}

function toKind(schema: object): CsvKind {
  const { type, items } = schema as Shape
  if (type === 'boolean') return type
  if (type === 'number' || type === 'integer') return 'number'
  // Category ids may be numbers or text.
  if (type === 'string' || Array.isArray(type)) return 'text'
  return items?.type === 'string' ? 'texts' : items?.type === 'number' ? 'numbers' : 'json'
}

/** The separator between the parts of a list. A list may also be written as JSON. */
export const SEPARATOR = '|'

/** Prefixes a cell with an apostrophe, which marks plain text, if a spreadsheet would run it as a formula. */
export function escapeCell(text: string): string {
  return isMarked(text) ? `'${text}` : text
}

export function unescapeCell(cell: string): string {
  return cell.startsWith("'") && isMarked(cell.slice(1)) ? cell.slice(1) : cell
}

/** Returns true for a formula, even one preceded by apostrophes, so that reading restores exactly what was written. */
function isMarked(text: string): boolean {
  const bare = text.replace(/^'+/, '')
  return escapeFormula(bare) !== bare
}
