import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { nullable } from '../../platform/http/index.ts'
import { listActorNames } from './operator-queries.ts'

/** The response member that names an actor. */
export const actorNameField = nullable(
  Type.String({ description: 'Name of the person, or of what acted instead; null if no one has acted.' }),
)

type WithNames<Row, Member extends keyof Row & string> = Row & { readonly [Name in `${Member}_name`]: string | null }

/**
 * Adds the names of actors, such as `decided_by_name` for `decided_by`. Responses contain IDs, because names change,
 * plus names for people to read. A single query serves all rows.
 */
export async function withActorNames<Row extends object, Member extends keyof Row & string>(
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
