/** The search parameters of an address as typed, which can be anything. */
export type Search = Readonly<Record<string, unknown>>

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Accepts only addresses within the console. Any other would take a person who signs in somewhere else. */
export function localAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined
}

export function oneOf<const Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value)
}

export function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

/** Accepts a calendar day, yyyy-MM-dd. */
export function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
}

/** Accepts a month, yyyy-MM. */
export function monthIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d$/.test(value) ? value : undefined
}

export function pageIn(search: Search): number | undefined {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 0 ? page : undefined
}

type Optional<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

/** Drops members that are undefined or empty, which would otherwise be written into the address. */
export function optional<Given extends object>(given: Given): Optional<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  ) as Optional<Given>
}
