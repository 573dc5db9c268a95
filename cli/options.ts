import { type Day, isDay, isInstant } from '../src/platform/calendar.ts'
import { decodeId, type Id } from '../src/platform/ids.ts'
import { percentToPpm } from '../src/platform/money.ts'
import { UserError } from './errors.ts'

/** Parsers for option values. Like any other usage error, an invalid value makes the command exit with 2. */
export function parseChoice<const T extends string>(...allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((candidate) => candidate === text)
    if (found === undefined) throw usage(`"${text}" must be ${allowed.join(' or ')}.`)
    return found
  }
}

export function parseWholeNumber(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!/^\d+$/.test(text) || count < 1 || count > max)
      throw usage(`"${text}" must be a whole number from 1 to ${max}.`)
    return count
  }
}

/** Accepts text that matches `pattern`. `kind` completes the error message "must be …" and includes an example. */
export function parsePattern(option: string, pattern: RegExp, kind: string): (text: string) => string {
  return (text) => {
    if (!pattern.test(text)) throw usage(`${option} must be ${kind}, not "${text}".`)
    return text
  }
}

/** Parses a percentage into parts per million. */
export function readPercent(text: string): number {
  const ppm = /^\d+(\.\d+)?$/.test(text) ? percentToPpm(Number(text)) : null
  if (ppm === null) throw usage(`"${text}" is not a percentage with at most four decimal places, such as 12.5.`)
  return ppm
}

export function readDay(text: string): Day {
  if (!isDay(text)) throw usage(`"${text}" is not a date of the form yyyy-MM-dd.`)
  return text
}

/** Parses an RFC 3339 instant. Accepts the same range of years as for calendar days. */
export function readInstant(text: string): string {
  if (!isInstant(text) || !/^(19[7-9]|2\d\d)/.test(text))
    throw usage(`"${text}" is not a timestamp such as 2026-12-31T23:59:59Z.`)
  return text
}

/** Parses an id. `kind` is its noun with an article, and `list` the command that lists such ids. */
export function parseId<Name extends string = string>(
  prefix: string,
  kind: string,
  list: string,
): (text: string) => Id<Name> {
  return (text) => {
    const id = decodeId<Name>(prefix, text)
    if (id === null) throw usage(`"${text}" is not ${kind} id (${prefix}_…). List them with \`laurel ${list}\`.`)
    return id
  }
}

export const readPublisherId = parseId<'publisher'>('pub', 'a publisher', 'publishers list')
export const readAccountId = parseId<'account'>('acc', 'an account', 'accounts list')

export function usage(sentence: string): UserError {
  return new UserError(sentence, { exitCode: 2 })
}
