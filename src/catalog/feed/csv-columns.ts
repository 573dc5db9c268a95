import { BrandFileSchema, OfferFileSchema } from './file-schema.ts'

/** How the cells of a column are written. */
export type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers' | 'json'
type Columns = Readonly<Record<string, Kind>>
type Shape = { readonly type?: unknown; readonly items?: Shape }

const { offers: _offers, ...brandProperties } = BrandFileSchema.properties
const brandKinds = Object.entries(brandProperties).map(([name, shape]) => [name, kindOf(shape)] as const)
const offerKinds = Object.entries(OfferFileSchema.properties).flatMap(([name, shape]) => {
  const names = name === 'commission' ? ['commission_rate', 'commission_amount'] : [name]
  return names.map((column) => [column, name === 'commission' ? 'number' : kindOf(shape)] as const)
})
const isShared = ([name]: readonly [string, Kind]): boolean =>
  name in brandProperties && name in OfferFileSchema.properties

/** The columns of a CSV catalog, in the order of the schema; shared ones are of a brand and of an offer. */
export const BRAND_COLUMNS: Columns = Object.fromEntries(brandKinds.filter((column) => !isShared(column)))
export const SHARED_COLUMNS: Columns = Object.fromEntries(brandKinds.filter(isShared))
export const OFFER_COLUMNS: Columns = Object.fromEntries(offerKinds.filter((column) => !isShared(column)))

function kindOf(schema: object): Kind {
  const { type, items } = schema as Shape
  if (type === 'boolean') return type
  if (type === 'number' || type === 'integer') return 'number'
  // An id of a category is a number or a text.
  if (type === 'string' || Array.isArray(type)) return 'text'
  return items?.type === 'string' ? 'texts' : items?.type === 'number' ? 'numbers' : 'json'
}

/** Between the parts of a list; a list may also be written as JSON. */
export const SEPARATOR = '|'

// What a spreadsheet reads as a formula.
const FORMULA = /^'*[=+\-@\t\r]/

/** Cells that a spreadsheet would run as formulas start with an apostrophe, which marks plain text. */
export function escapedCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

export function unescapedCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}
