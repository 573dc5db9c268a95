import Type, { type TSchema } from 'typebox'
import { isDay, isInstant } from '../../calendar.ts'
import type { CursorPaging, CursorRows, KeyType, ListPlace } from '../../db/keyset.ts'
import { enumField, named, nullable } from '../fields.ts'
import { invalidInput } from '../problems.ts'

const LIMIT_MAX = 500
const LIMIT_DEFAULT = 100
// Long enough for a key of 255 characters in any script, such as a name.
const CURSOR_MAX = 2_000

/** Parameters of cursor-based lists to spread into a route's query schema. */
export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CURSOR_MAX,
      format: 'printable',
      description: 'The `next_cursor` from a previous page. Pages before the last may be short.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `Page size. Defaults to ${LIMIT_DEFAULT}.` }),
  ),
}
/** The sort orders that a list supports, with the default first. `-field` is descending. */
export const sortQuery = <const Name extends string>(names: readonly Name[]) => ({
  sort: Type.Optional(enumField(names, `Defaults to ${names[0]}; \`-\` is descending.`)),
})
type CursorQuery = { readonly cursor?: string; readonly limit?: number }

/** Builds the schema of a cursor-based list. The list of a `Claim` is named `ClaimList`. */
export const cursorPageSchema = <S extends TSchema & { title?: string }>(item: S) => {
  const content = Type.Array(item, { description: 'Items on this page.' })
  const list = Type.Object({
    content,
    next_cursor: nullable(Type.String({ description: '`cursor` of the next page; null at the end.' })),
  })
  return item.title === undefined ? list : named(`${item.title}List`, list)
}

/**
 * Reads cursor and limit. A cursor is valid only for the order it was created with.
 * @param order the field that the list is sorted by, with `-` before it if descending
 * @throws Problem invalid_input naming `cursor`
 */
export function readCursorQuery(
  { cursor, limit = LIMIT_DEFAULT }: CursorQuery,
  order: string,
  type: KeyType,
): CursorPaging {
  const after = cursor === undefined ? null : placeIn(cursor, order, type)
  return { after, descending: order.startsWith('-'), limit }
}

/** Builds a page of presented elements. */
export function buildCursorPage<Row, Shown>(
  { rows, next }: CursorRows<Row>,
  order: string,
  present: (row: Row) => Shown,
) {
  return { content: rows.map(present), next_cursor: next === null ? null : cursorAt(next, order) }
}

/** Builds an example page with all elements. */
export function cursorPageExample<T>(content: readonly T[]) {
  return { content: [...content], next_cursor: null }
}

function cursorAt({ key, id }: ListPlace, order: string): string {
  return Buffer.from(JSON.stringify([order, key, id])).toString('base64url')
}

function placeIn(cursor: string, order: string, type: KeyType): ListPlace {
  const [madeFor, key, id] = decodeParts(cursor)
  const isId = type === 'ordinal' ? id === null : typeof id === 'string' && UUID.test(id)
  if (madeFor !== order || typeof key !== 'string' || !IS_KEY[type](key) || !isId)
    throw invalidInput([
      { field: 'cursor', code: 'invalid', message: `must be a \`next_cursor\` of this list with sort=${order}` },
    ])
  return { key, id: id as string | null }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const IS_KEY: Readonly<Record<KeyType, (key: string) => boolean>> = {
  instant: (key) => /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(key) && isInstant(key),
  day: isDay,
  month: (key) => /^\d{4}-\d\d$/.test(key),
  text: (key) => !key.includes('\0'),
  integer: (key) => /^-?\d{1,18}$/.test(key),
  ordinal: (key) => /^\d{1,18}$/.test(key),
  id: (key) => UUID.test(key),
}

function decodeParts(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
