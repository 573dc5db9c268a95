import Type from 'typebox'
import { type Checked, createShapeCheck } from './check-shape.ts'
import { BATCH_BRANDS, type Feed, type FeedBatch, type FeedItem } from './feed.ts'
import { CategoryFileSchema, type ReadFile } from './file-schema.ts'
import { readCsvFile } from './read-csv.ts'
import { readJsonFile } from './read-json.ts'
import { linesFeed } from './read-jsonl.ts'

/** A catalog to import: the text of a file, the lines of a large one, or a parsed value. */
export type CatalogInput =
  | { readonly format: 'json' | 'csv'; readonly text: string }
  | { readonly format: 'jsonl'; readonly lines: () => AsyncIterable<string> }
  | { readonly format: 'value'; readonly value: unknown }

export function openFeed(input: CatalogInput): Feed {
  switch (input.format) {
    case 'json':
      return wholeFeed(readJsonFile(input.text))
    case 'csv':
      return wholeFeed(readCsvFile(input.text))
    case 'jsonl':
      return linesFeed(input.lines)
    case 'value':
      return wholeFeed({ value: input.value, findLine: () => 0, faults: [] })
    default:
      return input satisfies never
  }
}

const checkWhole = createShapeCheck(
  Type.Object(
    { categories: Type.Optional(Type.Array(CategoryFileSchema)), brands: Type.Optional(Type.Array(Type.Unknown())) },
    { additionalProperties: false, minProperties: 1 },
  ),
)

/** Yields categories first, because brands refer to them. */
function wholeFeed({ value, findLine, faults }: ReadFile): Feed {
  async function* batches(): AsyncGenerator<FeedBatch> {
    const whole: Checked<{ categories?: readonly object[]; brands?: readonly unknown[] }> =
      faults.length > 0 ? { faults } : checkWhole(value, [])
    if ('faults' in whole) return yield { items: [], faults: whole.faults }
    const { categories = [], brands = [] } = whole.shaped
    const items = [...toItems('category', 'categories', categories), ...toItems('brand', 'brands', brands)]
    for (let from = 0; from === 0 || from < items.length; from += BATCH_BRANDS)
      yield { items: items.slice(from, from + BATCH_BRANDS), faults: [] }
  }
  return { batches, findLine }
}

function toItems(of: FeedItem['of'], member: string, values: readonly unknown[]): FeedItem[] {
  return values.map((value, index) => ({ of, path: [member, index], value }))
}
