import Type, { type Static, type TNull, type TSchema, type TUnion } from 'typebox'
import type { Day } from '../calendar.ts'
import { enumOf, named, nullable } from '../http/fields.ts'
import { encodeId, type Id } from '../ids.ts'
import { toJsonNumber } from '../money.ts'

/**
 * One member of a response: its schema, its value in the example, and the row value it shows. `Member` names that value
 * in the row; null stands for the field's own name in camelCase.
 */
export type Field<Stored, Schema extends TSchema, Member extends string | null = null> = {
  readonly schema: Schema
  readonly example: Static<Schema> | null
  readonly member: Member
  /** True for a column of the resource's own table, false for a value that statements join from another one. */
  readonly isColumn: boolean
  readonly show: (value: Stored, row: object) => Static<Schema>
}

/** An example for the API reference; null for a nullable field. */
type Example<Shown> = Shown | null

function field<Stored, Schema extends TSchema>(
  schema: Schema,
  example: Example<Static<Schema>>,
  show: (value: Stored, row: object) => unknown,
): Field<Stored, Schema> {
  return { schema, example, member: null, isColumn: true, show: show as Field<Stored, Schema>['show'] }
}

const described = (description: string | undefined) => (description === undefined ? {} : { description })

/** A UUID, shown as a TypeID with this prefix. */
export const id = <Name extends string>(prefix: string, example: Example<string>, description?: string) =>
  field(Type.String(described(description)), example, (value: Id<Name>) => encodeId(prefix, value))

/** Several UUIDs, shown as TypeIDs. */
export const ids = <Name extends string>(prefix: string, example: readonly string[], description?: string) =>
  field(Type.Array(Type.String(), described(description)), [...example], (values: readonly Id<Name>[]) =>
    values.map((value) => encodeId(prefix, value)),
  )

export const text = (example: Example<string>, description?: string) =>
  field(Type.String(described(description)), example, (value: string) => value)

export const oneOf = <const T extends string>(
  values: readonly T[],
  example: Example<NoInfer<T>>,
  description?: string,
) => field(enumOf(values, description), example as Example<never>, (value: T) => value)

export const integer = (example: Example<number>, description?: string) =>
  field(Type.Integer(described(description)), example, (value: number) => value)

/** A hash, shown in hexadecimal. */
export const hash = (example: Example<string>, description?: string) =>
  field(Type.String(described(description)), example, (value: Buffer) => value.toString('hex'))

/** Minor units of the row's `currency`, shown in major units. */
export const money = (example: Example<number>, description?: string) =>
  field(Type.Number(described(description)), example, (value: bigint, row) =>
    toJsonNumber(value, (row as { readonly currency: string }).currency),
  )

export const day = (example: Example<Day>, description?: string) =>
  field(Type.String(described(description)), example, (value: Day) => value)

export const instant = (example: Example<string>, description?: string) =>
  field(Type.String(described(description)), example, (value: Date) => value.toISOString())

/** The same field, null where the row has null. */
export const orNull = <Stored, Schema extends TSchema, Member extends string | null>({
  schema,
  show,
  ...rest
}: Field<Stored, Schema, Member>) =>
  ({
    ...rest,
    schema: nullable(schema),
    show: (value: Stored | null, row: object) => (value === null ? null : show(value, row)),
  }) as unknown as Field<Stored | null, TUnion<[Schema, TNull]>, Member>

/** The same field with a name of its own in the API reference. */
export const titled = <Of extends Field<never, TSchema, string | null>>(title: string, of: Of): Of => ({
  ...of,
  schema: named(title, of.schema),
})

/** The same field, made from another member of the row. */
export const from = <Member extends string, Stored, Schema extends TSchema>(
  member: Member,
  of: Field<Stored, Schema>,
): Field<Stored, Schema, Member> => ({ ...of, member })

/** The same field, joined from another table. */
export const joined = <Of extends Field<never, TSchema, string | null>>(of: Of): Of => ({ ...of, isColumn: false })
