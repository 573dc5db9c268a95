import Type, { type TSchema, type TStringOptions } from 'typebox'
import { AMOUNT_MAX } from '../money.ts'
import { explainPattern } from './expected.ts'

type Members = Parameters<typeof Type.Object>[0]

/** Field schemas that several rooms share, with one limit and one wording each. */

/** An identifier chosen by a caller: 1 to 255 printable characters, so that no two look the same. */
export const idField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, format: 'identifier', description })
/** A fact from outside, stored unchanged, or a text to search for one. */
export const factField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'fact', description })
/** A name or a line of free text for people to read. */
export const textField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'printable', description })
export const emailField = () => Type.String({ format: 'email', maxLength: 254, description: 'E-mail address.' })
/**
 * Text that matches a pattern. `kind` completes the message "must be …"; an example follows it if the options have one.
 */
export const patternField = (pattern: string, kind: string, options: TStringOptions = {}) => {
  explainPattern(pattern, kind)
  return Type.String({ ...options, pattern })
}
// At least one digit, as all countries have; bounded, so that it takes linear time.
export const POSTAL_CODE = '^([A-Za-z0-9][A-Za-z0-9 \\-]{0,13})?\\d([A-Za-z0-9 \\-]{0,13}[A-Za-z0-9])?$'
/** A postal code of any country. */
export const postalCodeField = (description?: string, maxLength = 10) =>
  patternField(POSTAL_CODE, 'a postal code', {
    minLength: 3,
    maxLength,
    examples: ['10001'],
    ...(description && { description }),
  })
/** Two letters, such as those of a state or a country. */
export const twoLetters = (example: string, description?: string) =>
  patternField('^[A-Za-z]{2}$', 'two letters', { examples: [example], ...(description && { description }) })
export const webAddress = (description?: string) =>
  patternField('^https?://', 'an http or https address', {
    format: 'uri',
    maxLength: 2048,
    examples: ['https://example.com/path'],
    ...(description && { description }),
  })

// Years outside this range are typing errors, and programming languages disagree about them.
const YEAR = '^(19[7-9]|2\\d\\d)\\d'
export const instantField = (description: string) =>
  patternField(`${YEAR}-\\d\\d-\\d\\d[Tt]`, 'an instant from 1970 to 2999', {
    format: 'date-time',
    maxLength: 40,
    description: `${description} RFC 3339.`,
  })
export const dayField = (description: string) =>
  patternField(`${YEAR}-\\d\\d-\\d\\d$`, 'a day from 1970 to 2999', {
    format: 'date',
    description: `${description} yyyy-MM-dd, from 1970 to 2999.`,
  })
export const monthField = (description: string) =>
  patternField(`${YEAR}-(0[1-9]|1[0-2])$`, 'a month from 1970 to 2999', {
    examples: ['2026-01'],
    description: `${description} yyyy-MM.`,
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
