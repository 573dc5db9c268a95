import type { Database, Reader, Tx } from '../../../platform/db/database.ts'
import { type ReadingBounds, streamSnapshot } from '../../../platform/db/streamed-snapshot.ts'
import { listCategories } from '../queries.ts'
import { eachBrand, findBrand, type WholeBrandRecord } from './export-queries.ts'
import type { BrandInFile } from './file-schema.ts'
import { csvHead, formatCsvLines } from './write-csv.ts'

export const EXPORT_FORMATS = ['json', 'jsonl', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/**
 * The parts of an export format: the opening and closing text, the text between categories and brands, the item
 * separator, and the function that writes an item.
 */
type Writer = {
  readonly head: string
  readonly between: string
  readonly separator: string
  readonly item: (one: object) => string
  readonly end: string
}

const jsonItem = (one: object): string => `\n${JSON.stringify(one)}`
const jsonLine = (one: object): string => `${JSON.stringify(one)}\n`
const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  json: { head: '{\n"categories": [', between: '\n],\n"brands": [', separator: ',', item: jsonItem, end: '\n]\n}\n' },
  jsonl: { head: '', between: '', separator: '', item: jsonLine, end: '' },
  csv: { head: csvHead, between: '', separator: '', item: formatCsvLines, end: '' },
}

/**
 * Exports the whole catalog in catalog order and normal form. Importing the result changes nothing, and exporting again
 * yields the same bytes. Text is produced in batches.
 */
export async function* exportCatalog(tx: Tx, format: ExportFormat): AsyncGenerator<string> {
  const { head, between, separator, item, end } = WRITERS[format]
  const categories = await listCategories(tx)
  const listed = categories.map(({ categoryId, category }) => item({ category_id: categoryId, category }))
  yield `${head}${listed.join(separator)}${between}`
  let isFirst = true
  for await (const brands of eachBrand(tx)) {
    yield `${isFirst ? '' : separator}${brands.map((brand) => item(exported(brand))).join(separator)}`
    isFirst = false
  }
  yield end
}

/** Streams the catalog as text. */
export function streamCatalog(
  db: Database,
  format: ExportFormat,
  bounds?: ReadingBounds,
): ReturnType<typeof streamSnapshot> {
  return streamSnapshot(db, (tx) => exportCatalog(tx, format), bounds)
}

/** Returns a brand with its offers, retired ones included, as in a catalog file; null if there is none. */
export async function exportBrand(reader: Reader, brandUid: string): Promise<BrandInFile | null> {
  const brand = await findBrand(reader, brandUid)
  return brand === null ? null : exported(brand)
}

function exported({ brandUid, content, offers }: WholeBrandRecord): BrandInFile {
  const own = offers?.map((one) => ({ offer_uid: one.offer_uid, ...one.content }))
  return { brand_uid: brandUid, ...content, ...(own === undefined ? {} : { offers: own }) }
}
