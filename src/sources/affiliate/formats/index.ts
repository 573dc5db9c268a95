import { awin } from './awin.ts'
import { cj } from './cj.ts'
import { FIELD_NAMES, type Format } from './format.ts'
import { generic } from './generic.ts'
import { impact } from './impact.ts'
import { rakuten } from './rakuten.ts'

/** The report format of each network. */
const FORMATS = { generic, impact, cj, awin, rakuten } as const satisfies Readonly<Record<string, Format>>
export type FormatName = keyof typeof FORMATS
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]

/** One network's overrides: the field names, and the path to the rows, where they differ from the format's. */
export type Overrides = Readonly<Record<string, unknown>>

const NAMES_MAX = 5
const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u

/** Describes the fault in invalid overrides. Returns null if they are valid. */
export function overrideFault(overrides: Overrides): string | null {
  for (const [field, given] of Object.entries(overrides)) {
    const names = toNames(given)
    if (field === 'rows' && names.length === 1 && NAME.test(names[0] ?? '')) continue
    if (!(FIELD_NAMES as readonly string[]).includes(field))
      return `${field} is not one of ${FIELD_NAMES.join(', ')}, rows`
    if (names.length < 1 || names.length > NAMES_MAX || !names.every((name) => NAME.test(name)))
      return `${field} must be a name, or a list of up to ${NAMES_MAX} names`
  }
  return null
}

/** Returns the format of a network, with its overrides applied. */
export function buildFormat(name: FormatName, overrides: Overrides): Format {
  const { rows, ...fields } = Object.fromEntries(
    Object.entries(overrides).map(([field, given]) => [field, toNames(given)]),
  )
  const format: Format = FORMATS[name]
  return { ...format, fields: { ...format.fields, ...fields }, rows: rows?.[0] ?? format.rows }
}

function toNames(given: unknown): string[] {
  const names = Array.isArray(given) ? given : [given]
  return names.every((name) => typeof name === 'string') ? names : []
}
