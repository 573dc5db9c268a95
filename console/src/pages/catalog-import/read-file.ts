import { post, Refused, type Schemas } from '../../api/client.ts'

type CatalogFile = Schemas['CatalogFile']
type Brand = Schemas['CatalogBrand']

/** A catalog file, with the line on which each brand begins. */
export type ReadFile = {
  readonly categories: NonNullable<CatalogFile['categories']>
  readonly brands: readonly Brand[]
  /** Indexed by brand. Empty for JSON, where line numbers are meaningless. In CSV, offers also have line numbers. */
  readonly lines: readonly { readonly line: number; readonly offers?: readonly number[] }[]
}

/** Thrown if the file cannot be read, with the location of each error. */
export class Unreadable extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super('The file cannot be read.')
    this.faults = faults
  }
}

/**
 * Reads a catalog as JSON, as JSON Lines with one brand or category per line, or as CSV, which the service parses. The
 * service checks the content of the brands.
 * @throws Unreadable; Error whose message identifies the unreadable line
 */
export async function readCatalogFile(name: string, text: string): Promise<ReadFile> {
  if (/\.csv$/i.test(name)) return readCsv(text)
  return /\.(jsonl|ndjson)$/i.test(name) ? readLines(text) : readDocument(text)
}

async function readCsv(csv: string): Promise<ReadFile> {
  try {
    return (await post('/operator/catalog/csv', { body: { csv } })) as ReadFile
  } catch (error) {
    const faults = error instanceof Refused ? Object.entries(error.fields) : []
    if (faults.length === 0) throw error
    throw new Unreadable(faults.map(([field, message]) => ({ where: describePlace(field), message })))
  }
}

/** Translates a field such as `lines.7.website` into a location in the file. */
function describePlace(field: string): string {
  const [, line, column] = /^lines\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
  if (line === undefined) return field
  return column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`
}

function readLines(text: string): ReadFile {
  const [brands, lines, categories]: [Brand[], { line: number }[], ReadFile['categories']] = [[], [], []]
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = parsed(line, `Line ${index + 1}`)
    if (isCategory(read)) {
      categories.push(read)
      continue
    }
    brands.push(read as Brand)
    lines.push({ line: index + 1 })
  }
  return { categories, brands, lines }
}

function readDocument(text: string): ReadFile {
  const read = parsed(text, 'The file') as CatalogFile
  const { categories = [], brands = [] } = Array.isArray(read) ? { brands: read as Brand[] } : read
  return { categories, brands, lines: [] }
}

type Category = ReadFile['categories'][number]

function isCategory(read: object): read is Category {
  return 'category' in read && Object.keys(read).every((name) => name === 'category_id' || name === 'category')
}

function parsed(text: string, where: string): object {
  try {
    // Treats a null member as omitted.
    const read: unknown = JSON.parse(text, (_name, value) => value ?? undefined)
    if (typeof read === 'object' && read !== null) return read
  } catch (error) {
    throw new Error(`${where} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  throw new Error(`${where} is not a JSON object.`)
}

// One call imports this many brands in well under a second, so progress is visible and canceling is quick.
const BRANDS_A_BATCH = 200

/** Splits a file into import calls, each with all categories. */
export function splitIntoBatches({ categories, brands }: ReadFile, whole: boolean): CatalogFile[] {
  if (whole || brands.length <= BRANDS_A_BATCH) return [{ categories, brands: [...brands] }]
  const count = Math.ceil(brands.length / BRANDS_A_BATCH)
  return Array.from({ length: count }, (_, index) => ({
    // Each batch is validated separately, so it needs the categories that its brands reference.
    categories,
    brands: brands.slice(index * BRANDS_A_BATCH, (index + 1) * BRANDS_A_BATCH),
  }))
}

export type Fault = { readonly where: string; readonly message: string }

/**
 * Translates an error's field into a location in the person's file: `brands.3.name` becomes the brand's line or name.
 */
export function locate(file: ReadFile, batch: number, field: string, whole: boolean): string {
  const match = /^brands[.[](\d+)\]?\.?(.*)$/.exec(field)
  if (match === null) return field
  const index = Number(match[1]) + (whole ? 0 : batch * BRANDS_A_BATCH)
  const place = file.lines[index]
  const name = file.brands[index]?.name || `Brand ${index + 1}`
  if (place?.offers !== undefined) return describeCell(place.line, place.offers, match[2] ?? '')
  const where = place === undefined ? name : `Line ${place.line}, ${name}`
  return match[2] === '' ? where : `${where}: ${match[2]}`
}

/** Describes a cell in a CSV file, in which each offer has its own row and a commission has its own columns. */
function describeCell(line: number, offers: readonly number[], rest: string): string {
  const [, index, ofOffer] = /^offers[.[](\d+)\]?\.?(.*)$/.exec(rest) ?? []
  const at = index === undefined ? line : (offers[Number(index)] ?? line)
  const column = (ofOffer ?? rest).replace(/^commission\./, 'commission_')
  return column === '' ? `Line ${at}` : `Line ${at}, column ${column}`
}
