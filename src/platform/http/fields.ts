import Type, { type TSchema } from 'typebox'
import { AMOUNT_MAX } from '../money.ts'

type Members = Parameters<typeof Type.Object>[0]

/** Field schemas that several rooms share, with one limit and one wording each. */

/** An identifier chosen by a caller: 1 to 255 printable characters. */
export const idField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, format: 'printable', description })
/** Free text of one line. */
export const textField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'printable', description })
export const emailField = () => Type.String({ format: 'email', maxLength: 254, description: 'E-mail address.' })
export const zipField = (description: string) =>
  Type.String({ pattern: '^\\d{5}(-\\d{4})?$', examples: ['10001'], description })
export const instantField = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description: `${description} RFC 3339.` })
/** A calendar day from 1970 to 2999: others are typing errors, and languages count them differently. */
export const dayField = (description: string) =>
  Type.String({
    format: 'date',
    pattern: '^(19[7-9]|2\\d\\d)\\d-',
    description: `${description} yyyy-MM-dd, from 1970 to 2999.`,
  })
/** A positive amount in major units with at most two decimals. */
export const amountField = (description: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: AMOUNT_MAX,
    description: `${description} Major units, at most two decimals.`,
  })
export const currencyField = (description = '') =>
  Type.String({ format: 'currency', description: `ISO 4217 code. ${description}`.trim() })
/** An object of a request: unknown members are refused, so that a misspelt one is reported. */
export const strictObject = <P extends Members>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
/** A nullable value of an answer. */
export const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
/** An enum of strings, as JSON Schema knows it. */
export const enumOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) })
/**
 * The schema with a name of its own in the API reference: a singular noun of the glossary in PascalCase. What has none
 * is named after the operation or the object that it belongs to (docs/decisions/0058-named-schemas.md). The name is a
 * title, which says nothing to validation and serialization.
 */
export const named = <S extends TSchema>(name: string, schema: S): S => Object.assign(schema, { title: name })
/** A named object of an answer. */
export const namedObject = <P extends Members>(name: string, members: P, options: object = {}) =>
  named(name, Type.Object(members, { ...options }))
/** A named object of a request. */
export const namedStrictObject = <P extends Members>(name: string, members: P, options: object = {}) =>
  named(name, strictObject(members, options))
