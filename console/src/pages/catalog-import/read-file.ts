import type { Schemas } from '../../api/client.ts'

type CatalogFile = Schemas['CatalogFile']
type Brand = Schemas['CatalogBrand']

/** A catalog file, and the line on which each brand begins. */
export type ReadFile = {
  readonly categories: NonNullable<CatalogFile['categories']>
  readonly brands: readonly Brand[]
  /** By the index of the brand; empty for JSON, in which lines mean nothing. */
  readonly lines: readonly number[]
}

/**
 * Reads a catalog as JSON, or as JSON Lines with a brand or a category a line; what is in the brands the service checks.
 * @throws Error with the line that cannot be read, in words
 */
export function readCatalogFile(name: string, text: string): ReadFile {
  if (!/\.(jsonl|ndjson)$/i.test(name)) return readDocument(text)
  const [brands, lines, categories]: [Brand[], number[], ReadFile['categories']] = [[], [], []]
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = parsed(line, `Line ${index + 1}`)
    if (isCategory(read)) {
      categories.push(read)
      continue
    }
    brands.push(read as Brand)
    lines.push(index + 1)
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
    // A member that is null is one that was left out.
    const read: unknown = JSON.parse(text, (_name, value) => value ?? undefined)
    if (typeof read === 'object' && read !== null) return read
  } catch (error) {
    throw new Error(`${where} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  throw new Error(`${where} is not a JSON object.`)
}

// What one call takes in well under a second, so that progress is seen and cancelling is quick.
const BRANDS_A_BATCH = 200

/** The calls by which a file is imported; the categories come with the first one. */
export function batchesOf({ categories, brands }: ReadFile, whole: boolean): CatalogFile[] {
  if (whole || brands.length <= BRANDS_A_BATCH) return [{ categories, brands: [...brands] }]
  const count = Math.ceil(brands.length / BRANDS_A_BATCH)
  return Array.from({ length: count }, (_, index) => ({
    // Each batch is checked alone, so it needs the categories that its brands name.
    categories,
    brands: brands.slice(index * BRANDS_A_BATCH, (index + 1) * BRANDS_A_BATCH),
  }))
}

export type Fault = { readonly where: string; readonly message: string }

/** Where a fault is, in the file as the person has it: `brands.3.name` is the brand's line, or its name. */
export function locate(file: ReadFile, batch: number, field: string, whole: boolean): string {
  const match = /^brands[.[](\d+)\]?\.?(.*)$/.exec(field)
  if (match === null) return field
  const index = Number(match[1]) + (whole ? 0 : batch * BRANDS_A_BATCH)
  const line = file.lines[index]
  const name = file.brands[index]?.name || `Brand ${index + 1}`
  const place = line === undefined ? name : `Line ${line}, ${name}`
  return match[2] === '' ? place : `${place}: ${match[2]}`
}
