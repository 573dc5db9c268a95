import { escapeFormula } from '../../platform/csv.ts'
import { BrandFileSchema, OfferFileSchema } from './file-schema.ts'

/** How the cells of a column are written. */
export type CsvKind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers' | 'json'
export type CsvColumn = { readonly of: 'brand' | 'offer'; readonly field: string; readonly kind: CsvKind }
type Shape = { readonly type?: unknown; readonly items?: Shape }

const { offers: _offers, ...brandProperties } = BrandFileSchema.properties
const { commission: _commission, ...offerProperties } = OfferFileSchema.properties
const brandColumns = columnsOf('brand', brandProperties)
const offerColumns = [
  ...columnsOf('offer', offerProperties),
  ...['commission_rate', 'commission_amount'].map((field): CsvColumn => ({ of: 'offer', field, kind: 'number' })),
]
export const isShared = (field: string): boolean => field in brandProperties && field in offerProperties

/** The columns of a CSV catalog by name; a field that brand and offer both have is the offer's without `brand_`. */
export const COLUMNS: ReadonlyMap<string, CsvColumn> = new Map(
  [...brandColumns, ...offerColumns].map((column) => {
    const { of, field } = column
    return [of === 'brand' && isShared(field) ? `brand_${field}` : field, column]
  }),
)

function columnsOf(of: CsvColumn['of'], properties: Readonly<Record<string, object>>): CsvColumn[] {
  return Object.entries(properties).map(([field, schema]) => ({ of, field, kind: kindOf(schema) }))
}

function kindOf(schema: object): CsvKind {
  const { type, items } = schema as Shape
  if (type === 'boolean') return type
  if (type === 'number' || type === 'integer') return 'number'
  // An id of a category is a number or a text.
  if (type === 'string' || Array.isArray(type)) return 'text'
  return items?.type === 'string' ? 'texts' : items?.type === 'number' ? 'numbers' : 'json'
}

/** Between the parts of a list; a list may also be written as JSON. */
export const SEPARATOR = '|'

/** Cells that a spreadsheet would run as formulas start with an apostrophe, which marks plain text. */
export function escapedCell(text: string): string {
  return isMarked(text) ? `'${text}` : text
}

export function unescapedCell(cell: string): string {
  return cell.startsWith("'") && isMarked(cell.slice(1)) ? cell.slice(1) : cell
}

/** Also matches text that already begins with apostrophes, so that reading restores what was written. */
function isMarked(text: string): boolean {
  const bare = text.replace(/^'+/, '')
  return escapeFormula(bare) !== bare
}
