import Type, { type Static, type TNull, type TSchema, type TUnion, type TUnsafe } from 'typebox'
import type { Day } from '../calendar.ts'
import { enumField, named, nullable } from '../http/fields.ts'
import { encodeId, type Id, type IdNames } from '../ids.ts'
import { toJsonNumber } from '../money.ts'

/**
 * One field of a response: its schema, its value in the example, and the row property it is read from. `Property` is
 * null if that property is the field's own name in camelCase.
 */
export type Field<Stored, Schema extends TSchema, Property extends string | null = null> = {
  readonly schema: Schema
  readonly example: Static<Schema>
  readonly property: Property
  /** True if the property is a column of the resource's own table. */
  readonly isColumn: boolean
  readonly serialize: (value: Stored, row: object) => Static<Schema>
}

type Options<Shown> = {
  readonly description?: string
  /** The property of the row, if it is not the field's name in camelCase. */
  readonly property?: string
  /** Set for values that statements select from another table. */
  readonly joined?: true
  /** The name of the schema in the API reference. */
  readonly title?: string
} & (
  | { readonly example: Shown; readonly nullable?: never }
  | { readonly example: Shown | null; readonly nullable: true }
)

type PropertyIn<Given> = Given extends { readonly property: infer Property extends string } ? Property : null
type FieldOf<Stored, Schema extends TSchema, Given> = Given extends { readonly nullable: true }
  ? Field<Stored | null, TUnion<[Schema, TNull]>, PropertyIn<Given>>
  : Field<Stored, Schema, PropertyIn<Given>>

/** Defines a field with its own serialization. */
export function field<Stored, Schema extends TSchema, const Given extends Options<unknown>>(
  schema: Schema,
  { property = null as never, joined, title, nullable: isNullable, example }: Given,
  serialize: (value: Stored, row: never) => unknown,
): FieldOf<Stored, Schema, Given> {
  const titled = title === undefined ? schema : named(title, schema)
  return {
    schema: isNullable ? nullable(titled) : titled,
    example,
    property,
    isColumn: joined === undefined,
    serialize: (value: Stored, row: object) => (value === null ? null : serialize(value, row as never)),
  } as unknown as FieldOf<Stored, Schema, Given>
}

const described = ({ description }: { readonly description?: string }) =>
  description === undefined ? {} : { description }
const unchanged = (value: unknown): unknown => value

/** A UUID, returned as a TypeID. */
export const id = <const Prefix extends keyof IdNames, const Given extends Options<string>>(
  prefix: Prefix,
  options: Given,
) =>
  field<Id<IdNames[Prefix]>, ReturnType<typeof Type.String>, Given>(Type.String(described(options)), options, (value) =>
    encodeId(prefix, value),
  )

/** Several UUIDs, returned as TypeIDs. */
export const ids = <const Prefix extends keyof IdNames, const Given extends Options<readonly string[]>>(
  prefix: Prefix,
  options: Given,
) =>
  field<readonly Id<IdNames[Prefix]>[], ReturnType<typeof Type.Array<ReturnType<typeof Type.String>>>, Given>(
    Type.Array(Type.String(), described(options)),
    options,
    (values) => values.map((value) => encodeId(prefix, value)),
  )

export const text = <const Given extends Options<string>>(options: Given) =>
  field<string, ReturnType<typeof Type.String>, Given>(Type.String(described(options)), options, unchanged)

/** A JSON object with any members. */
export const json = <const Given extends Options<Record<string, unknown>>>(options: Given) =>
  field<Record<string, unknown>, TUnsafe<Record<string, unknown>>, Given>(
    Type.Unsafe(Type.Object({}, { additionalProperties: true, ...described(options) })),
    options,
    unchanged,
  )

export const texts = <const Given extends Options<readonly string[]>>(options: Given) =>
  field<readonly string[], ReturnType<typeof Type.Array<ReturnType<typeof Type.String>>>, Given>(
    Type.Array(Type.String(), described(options)),
    options,
    unchanged,
  )

export const boolean = <const Given extends Options<boolean>>(options: Given) =>
  field<boolean, ReturnType<typeof Type.Boolean>, Given>(Type.Boolean(described(options)), options, unchanged)

export const oneOf = <const T extends string, const Given extends Options<NoInfer<T>>>(
  values: readonly T[],
  options: Given,
) => field<T, ReturnType<typeof enumField<T>>, Given>(enumField(values, options.description), options, unchanged)

export const integer = <const Given extends Options<number>>(options: Given) =>
  field<number, ReturnType<typeof Type.Integer>, Given>(Type.Integer(described(options)), options, unchanged)

/** A bigint that stays within the exact range of a JSON number. */
export const bigInteger = <const Given extends Options<number>>(options: Given) =>
  field<bigint, ReturnType<typeof Type.Integer>, Given>(Type.Integer(described(options)), options, Number)

/** Minor units of the row's `currency`, returned in major units. */
export const money = <const Given extends Options<number>>(options: Given) =>
  field<bigint, ReturnType<typeof Type.Number>, Given>(
    Type.Number(described(options)),
    options,
    (value, { currency }: { readonly currency: string }) => toJsonNumber(value, currency),
  )

export const day = <const Given extends Options<Day>>(options: Given) =>
  field<Day, ReturnType<typeof Type.String>, Given>(Type.String(described(options)), options, unchanged)

export const instant = <const Given extends Options<string>>(options: Given) =>
  field<Date, ReturnType<typeof Type.String>, Given>(Type.String(described(options)), options, (value) =>
    value.toISOString(),
  )

/** A hash, returned in hexadecimal. */
export const hash = <const Given extends Options<string>>(options: Given) =>
  field<Buffer, ReturnType<typeof Type.String>, Given>(Type.String(described(options)), options, (value) =>
    value.toString('hex'),
  )
