import type { Static, TObject, TSchema } from 'typebox'
import { namedObject } from '../http/fields.ts'
import type { Field } from './fields.ts'

type AnyField = Field<never, TSchema, string | null>
type FieldList = Readonly<Record<string, AnyField>>

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name
type MemberName<Name, Of> =
  Of extends Field<never, TSchema, infer Member> ? (Member extends string ? Member : CamelCase<Name>) : never
type Stored<Of> = Of extends Field<infer Value, TSchema, string | null> ? Value : never
type RowOf<Of extends FieldList> = {
  readonly [Name in keyof Of as MemberName<Name, Of[Name]> & string]: Stored<Of[Name]>
}
type SchemaOf<Of extends FieldList> = TObject<{ [Name in keyof Of]: Of[Name]['schema'] }>

type Resource<Of extends FieldList> = {
  readonly fields: Of
  /** The schema of a response, named in the API reference. */
  readonly schema: SchemaOf<Of>
  /** An example response. */
  readonly example: Static<SchemaOf<Of>>
  /** The members of a row that are columns of the resource's own table. */
  readonly columns: readonly (keyof RowOf<Of>)[]
  readonly present: (row: RowOf<Of>) => Static<SchemaOf<Of>>
}

/** The row that a resource presents. */
export type ResourceRow<Of extends { readonly fields: FieldList }> = RowOf<Of['fields']>

/**
 * Defines a resource of the API once, as a list of fields in the order of the response. The schema, the example, the
 * type of the row, its columns and its presentation follow from it.
 */
export function resource<Of extends FieldList>(name: string, fields: Of): Resource<Of> {
  const entries = Object.entries<AnyField>(fields).map(([field, { member, ...rest }]) => ({
    ...rest,
    field,
    member: member ?? toCamelCase(field),
  }))
  const columns = entries.filter(({ isColumn }) => isColumn).map(({ member }) => member)
  return {
    fields,
    schema: namedObject(name, Object.fromEntries(entries.map(({ field, schema }) => [field, schema]))) as SchemaOf<Of>,
    example: Object.fromEntries(entries.map(({ field, example }) => [field, example])) as Static<SchemaOf<Of>>,
    columns: [...new Set(columns)] as unknown as Resource<Of>['columns'],
    present: (row) => {
      const shown: Record<string, unknown> = {}
      for (const { field, member, show } of entries)
        shown[field] = (show as (value: unknown, row: object) => unknown)(row[member as keyof RowOf<Of>], row)
      return shown as Static<SchemaOf<Of>>
    },
  }
}

function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
}
