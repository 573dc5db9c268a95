import { BATCH_BRANDS, type Feed, type FeedBatch, type FeedItem } from './feed.ts'
import type { Fault } from './file-schema.ts'
import { removeNulls } from './read-json.ts'

/**
 * Reads a catalog in JSON Lines. Each line is a category or a brand with its offers, and categories precede the brands
 * that refer to them. Streams line by line, so files can be of any length; only the line numbers of items are retained.
 */
export function linesFeed(lines: () => AsyncIterable<string>): Feed {
  const lineNumbers: Record<'categories' | 'brands', number[]> = { categories: [], brands: [] }
  async function* batches(): AsyncGenerator<FeedBatch> {
    lineNumbers.categories = []
    lineNumbers.brands = []
    let items: FeedItem[] = []
    let faults: Fault[] = []
    let number = 0
    for await (const line of lines()) {
      number++
      if (line.trim() === '') continue
      const value = parsed(line)
      const of = isCategory(value) ? 'category' : 'brand'
      const member = of === 'category' ? 'categories' : 'brands'
      const path = [member, lineNumbers[member].push(number) - 1]
      if (value === undefined) faults.push({ path, message: 'is not valid JSON' })
      else items.push({ of, path, value })
      if (items.length + faults.length < BATCH_BRANDS) continue
      yield { items, faults }
      items = []
      faults = []
    }
    if (lineNumbers.categories.length + lineNumbers.brands.length === 0)
      faults.push({ path: [], message: 'contains no brands or categories' })
    yield { items, faults }
  }
  const findLine: Feed['findLine'] = ([member, index]) =>
    member === 'categories' || member === 'brands' ? (lineNumbers[member][Number(index)] ?? 1) : 1
  return { batches, findLine }
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    // Skipped for the many lines without nulls, because walking all values costs as much as parsing.
    return line.includes('null') ? removeNulls(value) : value
  } catch {
    return undefined
  }
}

/** Returns true if the line contains only a category. */
function isCategory(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'category' in value &&
    Object.keys(value).every((name) => name === 'category_id' || name === 'category')
  )
}
