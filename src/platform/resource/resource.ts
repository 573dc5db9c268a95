import type { Static, TObject, TSchema } from 'typebox'
import { namedObject } from '../http/fields.ts'
import type { Field } from './fields.ts'

type AnyField = Field<never, TSchema, string | null>
type FieldList = Readonly<Record<string, AnyField>>
/** Columns that no response contains, keyed by property; the values only carry the types. */
type Hidden = Readonly<Record<string, Column<unknown>>>
type Column<Stored> = { readonly stored?: Stored }

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name
type PropertyOf<Name, Of> =
  Of extends Field<never, TSchema, infer Property> ? (Property extends string ? Property : CamelCase<Name>) : never
type Stored<Of> = Of extends Field<infer Value, TSchema, string | null> ? Value : never
type ShownRow<Fields extends FieldList> = {
  readonly [Name in keyof Fields as PropertyOf<Name, Fields[Name]> & string]: Stored<Fields[Name]>
}
type HiddenRow<Columns extends Hidden> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never
}
type SchemaOf<Fields extends FieldList> = TObject<{ [Name in keyof Fields]: Fields[Name]['schema'] }>

type Resource<Fields extends FieldList, Columns extends Hidden> = {
  readonly fields: Fields
  /** The schema of a response, named in the API reference. */
  readonly schema: SchemaOf<Fields>
  /** An example response. */
  readonly example: Static<SchemaOf<Fields>>
  /** The properties of a row that are columns of the resource's own table, in no particular order. */
  readonly columns: readonly (keyof (ShownRow<Fields> & HiddenRow<Columns>) & string)[]
  readonly present: (row: ShownRow<Fields>) => Static<SchemaOf<Fields>>
  readonly hidden: Columns
}

/** The row that a resource is read from and stored as. */
export type ResourceRow<Of extends { readonly fields: FieldList; readonly hidden: Hidden }> = ShownRow<Of['fields']> &
  HiddenRow<Of['hidden']>

/** A column that no response contains. */
export const column = <Stored>(): Column<Stored> => ({})

/**
 * Defines an API resource as a list of fields, in the order of the response. The schema, the example, the type of the
 * row, its columns and its presentation are derived from this list.
 */
export function resource<Fields extends FieldList, Columns extends Hidden = Record<never, never>>(
  name: string,
  fields: Fields,
  hidden: Columns = {} as Columns,
): Resource<Fields, Columns> {
  const entries = Object.entries<AnyField>(fields).map(([field, { property, ...rest }]) => ({
    ...rest,
    field,
    property: property ?? toCamelCase(field),
  }))
  const columns = entries.filter(({ isColumn }) => isColumn).map(({ property }) => property)
  return {
    fields,
    hidden,
    schema: namedObject(
      name,
      Object.fromEntries(entries.map(({ field, schema }) => [field, schema])),
    ) as SchemaOf<Fields>,
    example: Object.fromEntries(entries.map(({ field, example }) => [field, example])) as Static<SchemaOf<Fields>>,
    columns: [...new Set([...columns, ...Object.keys(hidden)])] as never,
    present: (row) => {
      const shown: Record<string, unknown> = {}
      for (const { field, property, serialize } of entries)
        shown[field] = (serialize as (value: unknown, row: object) => unknown)(
          row[property as keyof ShownRow<Fields>],
          row,
        )
      return shown as Static<SchemaOf<Fields>>
    },
  }
}

/** Returns the property that a field is stored in by default. */
export function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
}
