import Type, { type TSchema, type TStringOptions } from 'typebox'
import { AMOUNT_MAX } from '../money.ts'
import { explainPattern } from './expected.ts'

type Members = Parameters<typeof Type.Object>[0]

/** Field schemas that several rooms share, so that each limit and wording is defined once. */

/** An identifier chosen by the caller: 1 to 255 printable characters, so that no two identifiers look the same. */
export const idField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, format: 'identifier', description })
/** External data that is stored unchanged, or a search term for it. */
export const factField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'fact', description })
/** A name or a line of free text, meant for people. */
export const textField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'printable', description })
export const emailField = () => Type.String({ format: 'email', maxLength: 254, description: 'Email address.' })
/**
 * Text that matches a pattern. `kind` completes the message "must be …", followed by an example if the options have
 * one.
 */
export const patternField = (pattern: string, kind: string, options: TStringOptions = {}) => {
  explainPattern(pattern, kind)
  return Type.String({ ...options, pattern })
}
// Requires at least one digit, as postal codes in all countries have. The bounds keep matching linear.
export const POSTAL_CODE = '^([A-Za-z0-9][A-Za-z0-9 \\-]{0,13})?\\d([A-Za-z0-9 \\-]{0,13}[A-Za-z0-9])?$'
/** A postal code of any country. */
export const postalCodeField = (description?: string, maxLength = 10) =>
  patternField(POSTAL_CODE, 'a postal code', {
    minLength: 3,
    maxLength,
    examples: ['10001'],
    ...(description && { description }),
  })
/** Two letters, such as a state or country code. */
export const twoLetters = (example: string, description?: string) =>
  patternField('^[A-Za-z]{2}$', 'two letters', { examples: [example], ...(description && { description }) })
export const webAddress = (description?: string) =>
  patternField('^https?://', 'an http or https URL', {
    format: 'uri',
    maxLength: 2048,
    examples: ['https://example.com/path'],
    ...(description && { description }),
  })

// Years outside this range are typos, and programming languages disagree on how to handle them.
const YEAR = '^(19[7-9]|2\\d\\d)\\d'
export const instantField = (description: string) =>
  patternField(`${YEAR}-\\d\\d-\\d\\d[Tt]`, 'a timestamp from 1970 to 2999', {
    format: 'date-time',
    maxLength: 40,
    description: `${description} RFC 3339.`,
  })
export const dayField = (description: string) =>
  patternField(`${YEAR}-\\d\\d-\\d\\d$`, 'a date from 1970 to 2999', {
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
/** An object in a request. Rejects unknown members, so that a misspelled one is reported. */
export const strictObject = <P extends Members>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
/** A nullable value in a response. */
export const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
/** A JSON Schema enum of strings. */
export const enumField = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) })
/**
 * Names a schema in the API reference. The name is a singular noun from the glossary, in PascalCase. Unnamed schemas
 * are named after the operation or object they belong to (docs/decisions/0058-named-schemas.md). The name is stored as
 * the title, which validation and serialization ignore.
 */
export const named = <S extends TSchema>(name: string, schema: S): S => Object.assign(schema, { title: name })
/** A named object in a response. */
export const namedObject = <P extends Members>(name: string, members: P, options: object = {}) =>
  named(name, Type.Object(members, { ...options }))
/** A named object in a request. */
export const namedStrictObject = <P extends Members>(name: string, members: P, options: object = {}) =>
  named(name, strictObject(members, options))
