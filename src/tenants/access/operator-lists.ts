import { Readable } from 'node:stream'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import {
  buildCursorPage,
  cursorPageExample,
  cursorPageSchema,
  cursorQuery,
  enumField,
  sortQuery,
  strictObject,
} from '../../platform/http/index.ts'
import { csvLine } from '../../platform/text/csv.ts'
import { type Presentable, presentRows } from './actor-names.ts'
import { type OperatorList, readList } from './list-queries.ts'
import type { OperatorOperation } from './operator-operations.ts'
import type { Permission } from './permissions.ts'

type Query = { readonly sort?: string; readonly format?: string; readonly cursor?: string }
type Page = { readonly content: readonly object[]; readonly next_cursor: string | null }
type Options<Row> = {
  readonly route: `GET /operator/${string}`
  readonly permission: Permission
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly list: OperatorList<Row>
  readonly params?: TObject
  /** Adapts the list to a single request, such as to its path parameter. */
  readonly complete?: (params: never) => Promise<Partial<OperatorList<Row>>>
  /** Replaces members of the resource's example. */
  readonly example?: object
  readonly refusals?: readonly string[]
} & (
  | { readonly resource: Presentable<Row>; readonly present?: never }
  | {
      readonly resource: Pick<Presentable, 'schema' | 'example'>
      /** Presents the rows of a page, if that requires lookups. */
      readonly present: (rows: readonly Row[]) => Promise<readonly object[]>
    }
)

const CSV_PAGE = 500
const formatQuery = {
  format: Type.Optional(
    enumField(['json', 'csv'], 'Defaults to json. CSV contains all rows, regardless of the limit.'),
  ),
}

/** Registers the operation for a list across all publishers, in pages or as CSV. */
export function listOperation<Row extends object>(
  operation: OperatorOperation,
  { reader }: Pick<Database, 'reader'>,
  { route, permission, list, complete, resource, present, example, ...options }: Options<Row>,
): void {
  const parameters = Object.entries(list.filters).map(([name, { parameter }]) => [name, Type.Optional(parameter)])
  const orders = Object.keys(list.sorts)
  const [defaultSort = ''] = orders
  const presentPage = present ?? ((rows) => presentRows(reader, resource as Presentable<Row>, rows))
  const readPage = async (whole: OperatorList<Row>, { sort = defaultSort, ...query }: Query): Promise<Page> => {
    const { content, next_cursor } = buildCursorPage(
      await readList<Row>(reader, whole, query, sort),
      sort,
      (row) => row,
    )
    return { content: await presentPage(content), next_cursor }
  }
  const columns = Object.keys(resource.example)
  operation(route, {
    ...options,
    config: { permission },
    query: strictObject({
      ...(Object.fromEntries(parameters) as Record<string, TSchema>),
      ...(orders.length > 1 ? sortQuery(orders) : {}),
      ...cursorQuery,
      ...formatQuery,
    }),
    content: {
      'application/json': {
        schema: cursorPageSchema(resource.schema),
        example: cursorPageExample([{ ...resource.example, ...example }]),
      },
      'text/csv': { schema: Type.String(), example: `${columns.slice(0, 3).join(',')},…\r\n` },
    },
    handler: async ({ params, query, reply }) => {
      const { format, ...rest } = query as Query
      const whole = { ...list, ...(await complete?.(params as never)) }
      if (format !== 'csv') return (await readPage(whole, rest)) as never
      const wide = { ...rest, limit: CSV_PAGE }
      // Read before the response begins, while an invalid parameter can still be rejected.
      const first = await readPage(whole, wide)
      const name = route
        .replace('GET /operator/', '')
        .replace(/:\w+\//, '')
        .replaceAll('/', '_')
      reply.header('Content-Type', 'text/csv; charset=utf-8')
      reply.header('Content-Disposition', `attachment; filename="${name}.csv"`)
      const readFrom = (cursor: string) => readPage(whole, { ...wide, cursor })
      return reply.send(Readable.from(linesFrom(first, columns, readFrom))) as never
    },
  })
}

async function* linesFrom(
  first: Page,
  columns: readonly string[],
  readFrom: (cursor: string) => Promise<Page>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let page = first; ; page = await readFrom(page.next_cursor)) {
    yield makeCsv(columns, page.content)
    if (page.next_cursor === null) return
  }
}

function makeCsv(columns: readonly string[], rows: readonly object[]): string {
  return rows
    .map((row) => csvLine(columns.map((column) => (row as Readonly<Record<string, unknown>>)[column])))
    .join('')
}
