import Type, { type TSchema } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import { sortQuery, strictObject, walkExample, walkedPage, walkQuery, walkSchema } from '../../platform/http/index.ts'
import { type Presentable, presentRows } from './actor-names.ts'
import { type OperatorList, readList } from './list-queries.ts'
import type { OperatorOperation } from './operator-operations.ts'
import type { Permission } from './permissions.ts'

type Options<Row> = {
  readonly route: `GET /operator/${string}`
  readonly permission: Permission
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly list: OperatorList<Row>
  readonly resource: Presentable<Row>
  /** Replaces members of the resource's example. */
  readonly example?: object
  readonly refusals?: readonly string[]
}

/** Registers the operation for a list of all publishers, page by page. */
export function listOperation<Row extends object>(
  operation: OperatorOperation,
  { reader }: Pick<Database, 'reader'>,
  { route, permission, list, resource, example, ...options }: Options<Row>,
): void {
  const parameters = Object.entries(list.filters).map(([name, { parameter }]) => [name, Type.Optional(parameter)])
  const orders = Object.keys(list.sorts)
  const [byDefault = ''] = orders
  operation(route, {
    ...options,
    config: { permission },
    query: strictObject({
      ...(Object.fromEntries(parameters) as Record<string, TSchema>),
      ...sortQuery(orders),
      ...walkQuery,
    }),
    answer: walkSchema(resource.schema),
    example: walkExample([{ ...resource.example, ...example }]),
    handler: async ({ query }) => {
      const { sort = byDefault, ...rest } = query as { readonly sort?: string }
      const found = await readList<Row>(reader, list, rest, sort)
      const { content, next_cursor } = walkedPage(found, sort, (row) => row)
      return { content: await presentRows(reader, resource, content), next_cursor } as never
    },
  })
}
