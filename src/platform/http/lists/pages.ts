import Type, { type Static, type TSchema } from 'typebox'
import { named, namedObject } from '../fields.ts'
import { invalidInput } from '../problems.ts'

const PAGE_SIZE_MAX = 100
const PAGE_SIZE_DEFAULT = 30
// Small enough that offset = page × size is a safe integer.
const PAGE_MAX = 1_000_000_000
// The database scans all rows before a page, which takes half a second for this many.
const OFFSET_MAX = 1_000_000

/** Paging parameters to spread into a route's query schema. */
export const pageQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: PAGE_MAX, description: 'Page number; the first page is 0.' }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: 'Page size. Defaults to 30.' })),
  sort: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description: '`field,asc`, `field,desc` or `-field`; repeatable.',
    }),
  ),
}
export type PageQuery = { page?: number; size?: number; sort?: string[] }

const pageMembers = {
  page: Type.Integer({ description: 'Page number, starting at 0.' }),
  size: Type.Integer({ description: 'Maximum number of elements per page.' }),
  number_of_elements: Type.Integer({ description: 'Number of elements on this page.' }),
  total_elements: Type.Integer({ description: 'Total number of elements.' }),
  total_pages: Type.Integer({ description: 'Total number of pages.' }),
  first: Type.Boolean({ description: 'Whether this is the first page.' }),
  last: Type.Boolean({ description: 'Whether this is the last page.' }),
  sort: Type.Array(Type.String(), { description: 'Sort order, as `field,asc` or `field,desc`.' }),
}

/** The members common to all pages. */
export const PageSchema = namedObject('Page', pageMembers)

/** Builds the schema of a paged list. The page of a `Claim` is named `ClaimPage`. */
export const pageSchema = <S extends TSchema & { title?: string }>(item: S) => {
  const content = Type.Array(item, { description: 'Items on this page.' })
  const page = Type.Object({ content, ...pageMembers })
  return item.title === undefined ? page : named(`${item.title}Page`, page)
}

type Page<T> = Static<ReturnType<typeof pageSchema>> & { content: T[] }
export type SortField<Name extends string> = { readonly field: Name; readonly descending: boolean }
export type Paging<Name extends string> = {
  readonly size: number
  readonly offset: number
  readonly sort: readonly SortField<Name>[]
}

/**
 * Reads page, size and sort. Only the allowed fields can be sort keys. Callers break ties by id.
 * @throws Problem invalid_input naming `sort` or `page`
 */
export function readPaging<const Name extends string>(query: PageQuery, allowed: readonly Name[]): Paging<Name> {
  const size = query.size ?? PAGE_SIZE_DEFAULT
  const offset = (query.page ?? 0) * size
  if (offset > OFFSET_MAX) {
    const message =
      `must be at most ${Math.floor(OFFSET_MAX / size)} with size ${size}; to read everything, follow GET /events ` +
      'with the cursor after, or use GET /reports/transactions'
    throw invalidInput([{ field: 'page', code: 'out_of_range', message }])
  }
  return { size, offset, sort: sortFields(query.sort ?? [], allowed) }
}

/** Lists arrive split at commas, so a direction is a separate element after its field. */
function sortFields<Name extends string>(elements: readonly string[], allowed: readonly Name[]): SortField<Name>[] {
  const fields: SortField<Name>[] = []
  for (const element of elements) {
    const last = fields.at(-1)
    const direction = element.toLowerCase()
    if (last !== undefined && (direction === 'asc' || direction === 'desc')) {
      fields[fields.length - 1] = { field: last.field, descending: direction === 'desc' }
      continue
    }
    const name = element.replace(/^-/, '')
    const field = allowed.find((candidate) => candidate === name)
    if (field === undefined) {
      const message = `must be one of ${allowed.join(', ')}`
      throw invalidInput([{ field: 'sort', code: 'not_allowed', message }])
    }
    fields.push({ field, descending: element.startsWith('-') })
  }
  return fields
}

/** Builds a page of presented elements. */
export function buildPage<T>(content: T[], total: number, paging: Paging<string>): Page<T> {
  const page = paging.offset / paging.size
  const totalPages = Math.ceil(total / paging.size)
  return {
    content,
    page,
    size: paging.size,
    number_of_elements: content.length,
    total_elements: total,
    total_pages: totalPages,
    first: page === 0,
    last: page >= totalPages - 1,
    sort: paging.sort.map((one) => `${one.field},${one.descending ? 'desc' : 'asc'}`),
  }
}

/** Builds an example page with all elements. */
export function pageExample<T>(content: readonly T[]): Page<T> {
  return buildPage([...content], content.length, { size: 30, offset: 0, sort: [] })
}
