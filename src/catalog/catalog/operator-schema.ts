import Type, { type Static } from 'typebox'
import { enumField, named, namedObject, nullable, strictObject } from '../../platform/http/index.ts'
import { EXPORT_FORMATS } from './feed/export.ts'
import type { ImportOutcome } from './import/import.ts'

/** Builds a boolean query parameter that rejects values other than true and false. */
const flag = (description: string) => Type.Optional(named('Flag', enumField(['true', 'false'], description)))

export const ImportQuery = strictObject({
  dry_run: flag('If true, returns what would change without changing anything.'),
  replace: flag('If true, retires every brand and offer that is not in the batch.'),
})
export const ExportQuery = strictObject({
  format: Type.Optional(enumField(EXPORT_FORMATS, 'Defaults to json; jsonl has one brand per line.')),
})

export const CsvBody = strictObject({
  csv: Type.String({ minLength: 1, description: 'Text of the file, with a header row.' }),
})
const line = Type.Integer({ description: 'Line number in the file.' })
export const CsvDocumentSchema = namedObject('CatalogCsv', {
  categories: Type.Array(Type.Unknown(), { description: 'In import format.' }),
  brands: Type.Array(Type.Unknown(), { description: 'In import format.' }),
  lines: Type.Array(Type.Object({ line, offers: Type.Array(line, { description: 'Line numbers of its offers.' }) }), {
    description: 'Line numbers of each brand, in the order of `brands`.',
  }),
})
export const csvExample = {
  categories: [],
  brands: [{ name: 'Acme', category_id: 1, website: 'https://acme.example', offers: [] }],
  lines: [{ line: 2, offers: [] }],
}

const count = Type.Integer({ minimum: 0 })
const CountsSchema = namedObject('CatalogImportCounts', {
  added: count,
  changed: count,
  retired: Type.Integer({ minimum: 0, description: 'Number retired.' }),
  unchanged: count,
})
const ChangeSchema = namedObject('CatalogChange', {
  change: named('CatalogChangeKind', enumField(['added', 'changed', 'retired'])),
  uid: Type.String(),
  name: Type.String(),
  brand_name: nullable(Type.String({ description: "Name of the offer's brand, or null for a brand." })),
  fields: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
})
const DiffSchema = namedObject('CatalogDiff', {
  categories: Type.Array(Type.Object({ category_id: Type.Integer(), category: Type.String() }), {
    description: 'New and renamed categories.',
  }),
  brands: Type.Array(ChangeSchema, { description: 'The first fifty changes.' }),
  offers: Type.Array(ChangeSchema, {
    description: 'The first fifty changes: retired offers first, then changed, then added.',
  }),
  effects: Type.Object(
    { rates: count, dates: count, conditions: count },
    { description: 'Number of continuing offers whose rewards, dates or conditions change.' },
  ),
})

export const ImportedSchema = namedObject('CatalogImport', {
  dry_run: Type.Boolean(),
  version: Type.Integer({ description: 'The resulting version of the catalog.' }),
  brands: { ...CountsSchema, description: 'Number of brands, by change.' },
  offers: { ...CountsSchema, description: 'Number of offers, by change.' },
  diff: nullable(DiffSchema),
})

export function presentImport({ version, changes, diff }: ImportOutcome): Static<typeof ImportedSchema> {
  const change = ({ brandName, ...one }: NonNullable<typeof diff>['offers'][number]) => ({
    ...one,
    brand_name: brandName,
    fields: [...one.fields],
  })
  return {
    dry_run: diff !== null,
    version,
    ...changes,
    diff:
      diff === null
        ? null
        : {
            categories: diff.categories.map(({ categoryId, category }) => ({ category_id: categoryId, category })),
            brands: diff.brands.map(change),
            offers: diff.offers.map(change),
            effects: diff.effects,
          },
  }
}

export const importExample = {
  categories: [{ category_id: 1, category: 'GROCERY' }],
  brands: [
    {
      brand_uid: 'corner-market',
      category_id: 1,
      name: 'Corner Market',
      offers: [
        {
          offer_uid: 'corner-market-5',
          name: '5% back',
          offer_type: 'CARD_LINKED',
          reward_type: 'CASHBACK_PERCENTAGE',
          commission: { rate: 5 },
        },
      ],
    },
  ],
}
export const importedExample: Static<typeof ImportedSchema> = {
  dry_run: false,
  version: 17,
  brands: { added: 1, changed: 0, retired: 0, unchanged: 0 },
  offers: { added: 1, changed: 0, retired: 0, unchanged: 0 },
  diff: null,
}
