import type { Database, Tx } from '../../platform/database.ts'
import { type BrandContent, type OfferContent, orderedBrand, orderedOffer } from '../import/normal-form.ts'
import { listCategories } from '../queries.ts'
import { eachBrand, listOfferContents, readSnapshot } from './export-queries.ts'
import { csvHead, csvLines } from './write-csv.ts'

export const EXPORT_FORMATS = ['json', 'jsonl', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

type ExportedBrand = { readonly brand_uid: string } & BrandContent & {
    readonly offers?: readonly ExportedOffer[]
  }
type ExportedOffer = { readonly offer_uid: string } & OfferContent
type ExportedCategory = { readonly category_id: number; readonly category: string }

/** How a format writes the beginning, a category, a brand and the end. */
type Writer = {
  readonly head: string
  category(one: ExportedCategory, first: boolean): string
  readonly between: string
  brand(one: ExportedBrand, first: boolean): string
  readonly end: string
}

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  json: {
    head: '{\n"categories": [',
    category: (one, first) => `${first ? '' : ','}\n${JSON.stringify(one)}`,
    between: '\n],\n"brands": [',
    brand: (one, first) => `${first ? '' : ','}\n${JSON.stringify(one)}`,
    end: '\n]\n}\n',
  },
  jsonl: {
    head: '',
    category: (one) => `${JSON.stringify(one)}\n`,
    between: '',
    brand: (one) => `${JSON.stringify(one)}\n`,
    end: '',
  },
  csv: {
    head: csvHead,
    category: ({ category_id, category }) => csvLines({ category_id, category }),
    between: '',
    brand: (one) => csvLines(one),
    end: '',
  },
}

/**
 * The whole catalog as of one instant, in catalog order and normal form: importing it changes nothing, and exporting it
 * again gives the same bytes. Text is produced in batches.
 */
export async function* exportCatalog(tx: Tx, format: ExportFormat): AsyncGenerator<string> {
  await readSnapshot(tx)
  const writer = WRITERS[format]
  const categories = await listCategories(tx)
  const listed = categories.map(({ categoryId, category }, index) =>
    writer.category({ category_id: categoryId, category }, index === 0),
  )
  yield `${writer.head}${listed.join('')}${writer.between}`
  let first = true
  for await (const brands of eachExported(tx)) {
    let text = ''
    for (const brand of brands) {
      text += writer.brand(brand, first)
      first = false
    }
    yield text
  }
  yield writer.end
}

async function* eachExported(tx: Tx): AsyncGenerator<ExportedBrand[]> {
  for await (const brands of eachBrand(tx)) {
    const uids = brands.map(({ brandUid }) => brandUid)
    const offers = Map.groupBy(await listOfferContents(tx, uids), (offer) => offer.brandUid)
    yield brands.map(({ brandUid, content }) => {
      const own = (offers.get(brandUid) ?? []).map((one) => ({
        offer_uid: one.offerUid,
        ...orderedOffer(one.content),
      }))
      return { brand_uid: brandUid, ...orderedBrand(content), ...(own.length === 0 ? {} : { offers: own }) }
    })
  }
}

/** Exports in a transaction of its own, into a consumer of texts. */
export async function writeExport(
  db: Database,
  format: ExportFormat,
  write: (texts: AsyncIterable<string>) => Promise<void>,
): Promise<void> {
  await db.transaction((tx) => write(exportCatalog(tx, format)))
}
