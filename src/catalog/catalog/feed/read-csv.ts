import { findGrouped } from '../../../platform/money.ts'
import { readDelimited } from '../../../platform/text/delimited.ts'
import { COLUMNS, type CsvColumn, type CsvKind, isShared, SEPARATOR, unescapeCell } from './csv-columns.ts'
import type { Fault, Path, ReadFile } from './file-schema.ts'
import { removeNulls } from './read-json.ts'

type Row = { readonly record: Readonly<Record<string, string>>; readonly line: number }
type FileItem = Record<string, unknown>

/**
 * Reads a CSV catalog with one row per offer, repeating the brand's fields. A row without offer fields is a brand
 * without offers. Where a brand and an offer share a field name, the brand's column is `brand_name`,
 * `brand_description`, `brand_reward_type`, `brand_max_customer_offer` or `brand_retired`. A plain `name` is the
 * brand's if there is no `brand_name`. A row with only a category declares that category. Lists are separated by
 * vertical bars or written as JSON.
 */
export function readCsvFile(text: string): ReadFile {
  const rows = parseRows(text)
  if ('fault' in rows) return { value: null, findLine: () => rows.line, faults: [{ path: [], message: rows.fault }] }
  const columns = mapColumns(rows.header)
  const unknown = rows.header.filter((name) => !columns.has(name))
  if (unknown.length > 0) {
    const faults = unknown.map((name) => ({ path: [name], message: 'is not a known column' }))
    return { value: null, findLine: () => 1, faults }
  }
  const grouped = listGrouped(rows.rows, columns)
  if (grouped.length > 0) return { value: null, findLine: ([line]) => Number(line), faults: grouped }
  return gather(rows.rows, columns)
}

/**
 * Reports numbers such as 1.000, whose separator could mark thousands or decimals, in columns where no other number
 * resolves the ambiguity. Rates never have thousands separators, and 2.125 can only be a percentage, because amounts
 * have two decimals.
 */
function listGrouped(rows: readonly Row[], columns: ReadonlyMap<string, CsvColumn>): Fault[] {
  return [...columns].flatMap(([name, { field, kind }]) => {
    if (!['number', 'numbers'].includes(kind) || field === 'commission_rate') return []
    const cells = rows.map(({ record, line }) => ({ line, numbers: splitCell(record[name] ?? '') }))
    const grouped = findGrouped(cells.flatMap(({ numbers }) => numbers.filter((one) => !/\.\d\d[1-9]$/.test(one))))
    const at = cells.find(({ numbers }) => grouped !== null && numbers.includes(grouped))
    if (at === undefined) return []
    return [
      { path: [at.line, name], message: `${grouped} is ambiguous (thousands or decimals); write two decimal places` },
    ]
  })
}

function splitCell(cell: string): string[] {
  return cell.split(SEPARATOR).map((part) => part.trim())
}

function parseRows(text: string): { header: readonly string[]; rows: Row[] } | { fault: string; line: number } {
  const table = readDelimited(text, (cells) => mapColumns(cells).size > 0)
  if (!('rows' in table)) {
    const { fault, line, titles } = table
    return { fault: fault.startsWith('has') ? `has no catalog columns, only ${titles.join(', ')}` : fault, line }
  }
  const { header, rows } = table
  const other = rows.find(({ cells }) => cells.length !== header.length)
  if (other !== undefined)
    return {
      fault: `must have ${header.length} cells like the header row, but has ${other.cells.length}`,
      line: other.line,
    }
  return {
    header,
    rows: rows.map(({ line, cells }) => ({
      line,
      record: Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])),
    })),
  }
}

function mapColumns(header: readonly string[]): Map<string, CsvColumn> {
  const hasBrandName = header.includes('brand_name')
  const columns = new Map<string, CsvColumn>()
  for (const name of header) {
    const bare = name.replace(/^offer_/, '')
    const ofOffer = COLUMNS.get(name) ?? (isShared(bare) ? COLUMNS.get(bare) : undefined)
    const column = name === 'name' && !hasBrandName ? COLUMNS.get('brand_name') : ofOffer
    if (column !== undefined) columns.set(name, column)
  }
  return columns
}

function gather(rows: readonly Row[], columns: ReadonlyMap<string, CsvColumn>): ReadFile {
  const brands: FileItem[] = []
  const brandAt = new Map<string, number>()
  const lines = new Map<string, number>()
  const categories: FileItem[] = []
  const faults: Fault[] = []
  for (const { record, line } of rows) {
    const brand = toItem(record, columns, 'brand')
    const offer = toItem(record, columns, 'offer')
    if (isCategory(brand, offer)) {
      lines.set(pathKey(['categories', categories.push(brand) - 1]), line)
      continue
    }
    const key = String(brand['brand_uid'] ?? JSON.stringify([brand['name'], brand['website']]))
    const at = brandAt.get(key) ?? brands.length
    const known = brands[at]
    if (known === undefined) {
      brands.push({ ...brand, offers: [] })
      brandAt.set(key, at)
      lines.set(pathKey(['brands', at]), line)
    } else {
      for (const [field, value] of Object.entries(brand)) {
        if (JSON.stringify(known[field]) === JSON.stringify(value)) continue
        const path = ['brands', at, 'rows', line, field]
        lines.set(pathKey(path.slice(0, 4)), line)
        faults.push({ path, message: `differs from line ${lines.get(pathKey(['brands', at]))}` })
      }
    }
    const offers = (brands[at]?.['offers'] ?? []) as FileItem[]
    if (Object.keys(offer).length === 0) continue
    lines.set(pathKey(['brands', at, 'offers', offers.length]), line)
    offers.push(withCommission(offer))
  }
  const findLine = (path: Path): number =>
    lines.get(pathKey(path.slice(0, 4))) ?? lines.get(pathKey(path.slice(0, 2))) ?? 1
  return { value: categories.length === 0 ? { brands } : { categories, brands }, findLine, faults }
}

function isCategory(brand: FileItem, offer: FileItem): boolean {
  return (
    brand['category'] !== undefined &&
    brand['category_id'] !== undefined &&
    Object.keys({ ...brand, ...offer }).length === 2
  )
}

function toItem(record: Row['record'], columns: ReadonlyMap<string, CsvColumn>, of: CsvColumn['of']): FileItem {
  const item: FileItem = {}
  for (const [name, column] of columns) {
    const cell = unescapeCell(record[name] ?? '')
    if (column.of === of && cell !== '') item[column.field] = cellValue(cell, column.kind)
  }
  return item
}

/** Parses a cell. A cell that is invalid for its kind stays text, and the schema reports it. */
function cellValue(cell: string, kind: CsvKind): unknown {
  switch (kind) {
    case 'text':
      return cell
    case 'number':
      return parseNumber(cell)
    case 'boolean':
      return /^(true|yes|1)$/i.test(cell) ? true : /^(false|no|0)$/i.test(cell) ? false : cell
    case 'texts':
      return parseList(cell)
    case 'numbers':
      return splitCell(cell).map(parseNumber)
    case 'json':
      return parseJson(cell)
    default:
      return kind satisfies never
  }
}

function parseList(cell: string): unknown {
  const list = cell.startsWith('[') ? parseJson(cell) : cell
  return Array.isArray(list) ? list : splitCell(cell)
}

function parseNumber(cell: string): number | string {
  return /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(cell) : cell
}

function parseJson(cell: string): unknown {
  try {
    return removeNulls(JSON.parse(cell))
  } catch {
    return cell
  }
}

function withCommission({ commission_rate, commission_amount, ...offer }: FileItem): FileItem {
  if (commission_rate === undefined && commission_amount === undefined) return offer
  const commission = {
    ...(commission_rate === undefined ? {} : { rate: commission_rate }),
    ...(commission_amount === undefined ? {} : { amount: commission_amount }),
  }
  return { ...offer, commission }
}

function pathKey(path: Path): string {
  return path.join('.')
}
