import Type, { type TSchema } from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { nullable } from '../../platform/http/index.ts'
import { listActorNames } from './operator-queries.ts'

/** The response member that contains an actor's name. */
const actorNameField = nullable(
  Type.String({ description: 'Name of the person or program that acted; null if no one has acted.' }),
)

/**
 * A resource field that contains the name of the actor whose ID is in another field. `presentRows` looks up the name by
 * that ID.
 */
export const actorName = ({ of, example }: { readonly of: string; readonly example: string | null }) => ({
  schema: actorNameField,
  example,
  property: null as unknown as never,
  isColumn: false,
  serialize: () => null,
  actor: of,
})

type WithNames<Row, Member extends keyof Row & string> = Row & { readonly [Name in `${Member}_name`]: string | null }

/**
 * Adds the names of actors, such as `decided_by_name` for `decided_by`. Responses contain IDs, because names change,
 * plus names for people to read. A single query serves all rows.
 */
async function withActorNames<Row extends object, Member extends keyof Row & string>(
  reader: Reader,
  rows: readonly Row[],
  ...members: readonly Member[]
): Promise<WithNames<Row, Member>[]> {
  const ids = rows.flatMap((row) => members.map((member) => row[member])).filter((id) => typeof id === 'string')
  const names = await listActorNames(reader, [...new Set(ids)])
  return rows.map((row) => {
    const named = members.map((member) => [`${member}_name`, names.get(row[member] as string) ?? null])
    return { ...row, ...Object.fromEntries(named) }
  })
}

/** The parts of a resource that `presentRows` uses. */
export type Presentable<Row = never, Shown extends object = object> = {
  readonly fields: Readonly<Record<string, { readonly schema: TSchema; readonly actor?: string }>>
  readonly schema: TSchema & { title?: string }
  readonly example: Shown
  readonly present: (row: Row) => Shown
}

/** Presents rows of a resource, including its `actorName` fields. */
export async function presentRows<Row, Shown extends object>(
  reader: Reader,
  { fields, present }: Pick<Presentable<Row, Shown>, 'fields' | 'present'>,
  rows: readonly Row[],
): Promise<Shown[]> {
  const members = Object.values(fields).flatMap(({ actor }) => actor ?? [])
  return withActorNames(reader, rows.map(present), ...(members as never[]))
}

/** Presents a single row as `presentRows` does. */
export async function presentRow<Row, Shown extends object>(
  reader: Reader,
  resource: Pick<Presentable<Row, Shown>, 'fields' | 'present'>,
  row: Row,
): Promise<Shown> {
  const [shown] = await presentRows(reader, resource, [row])
  return shown as Shown
}
