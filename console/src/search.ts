/** The search parameters of a URL as typed, so their values can be anything. */
type Search = Readonly<Record<string, unknown>>
/** Reads one parameter. Returns undefined if its value is not accepted. */
type Reader = (value: unknown) => unknown
/** The function that reads each of a page's search parameters. */
export type Readers = Readonly<Record<string, Reader>>
/** The accepted parameters. */
export type SearchOf<Of extends Readers> = { [Name in keyof Of]?: ReturnType<Of[Name]> | undefined }

/** Accepts search parameters and drops all others. */
export function accept<Of extends Readers>(readers: Of): (search: Search) => SearchOf<Of> {
  return (search) =>
    optional(
      Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(search[name])])),
    ) as SearchOf<Of>
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Accepts only paths within the console. Any other address would take a person to another site after signing in. */
export function localAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined
}

export function parseChoice<const Value extends string>(values: readonly Value[]) {
  return (value: unknown): Value | undefined => values.find((known) => known === value)
}

export function matching(pattern: RegExp) {
  return (value: unknown): string | undefined => (typeof value === 'string' && pattern.test(value) ? value : undefined)
}

/** Accepts a calendar day, yyyy-MM-dd. */
export const day = matching(/^\d{4}-\d\d-\d\d$/)
/** Accepts a month, yyyy-MM. */
export const month = matching(/^\d{4}-\d\d$/)

/** Accepts the zero-based number of any page after the first. */
export function pageNumber(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isSafeInteger(page) && page > 0 ? page : undefined
}

type Optional<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

/** Drops members that are undefined or empty, which would otherwise be written into the URL. */
export function optional<Given extends object>(given: Given): Optional<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  ) as Optional<Given>
}
