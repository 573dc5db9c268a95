import { matching, parseChoice, day as readDay, month as readMonth, type SearchOf, text } from '../search.ts'

type Labels = Readonly<Record<string, string>>

/** The control that sets a filter. A page shows the controls in the order of its list's filters. */
type Control =
  | { readonly control: 'search'; readonly label: string }
  | { readonly control: 'choice'; readonly label: string; readonly options: Labels }
  | { readonly control: 'select'; readonly label: string; readonly all: string; readonly options: Labels }
  | { readonly control: 'publisher'; readonly all: string }
  | { readonly control: 'category' }
  | { readonly control: 'date'; readonly kind: 'date' | 'month'; readonly label: string }
  | { readonly control: 'given'; readonly label: string; readonly all: string }
  | { readonly control: 'none' }

/** A filter of a list: a query parameter of its operation. The address calls it by the same name. */
export type Filter<Value = unknown> = Control & {
  /** Reads the parameter in the address. Returns undefined if its value is not accepted. */
  readonly read: (value: unknown) => Value | undefined
  /** The value if the address has none; undefined for no filter. */
  readonly initial?: string | undefined
  /** Turns the value in the address into the one sent to the service, if they differ. */
  readonly send?: (value: string) => string
}

export type Filters = Readonly<Record<string, Filter>>
type ReadersOf<Of extends Filters> = { readonly [Name in keyof Of]: Of[Name]['read'] }
/** The filters in the address. */
export type Filtered<Of extends Filters> = SearchOf<ReadersOf<Of>>

export const getReaders = <Of extends Filters>(filters: Of) =>
  Object.fromEntries(Object.entries(filters).map(([name, { read }]) => [name, read])) as ReadersOf<Of>

/** A text that the service searches for. */
export const search = (label: string) => ({ control: 'search', label, read: text }) as const

/** A few options side by side. The address omits the initial one; without one, all rows are shown at first. */
export function choice<const Options extends Labels, Initial extends (keyof Options & string) | undefined = undefined>(
  label: string,
  options: Options,
  initial?: Initial,
) {
  const values = Object.keys(options) as (keyof Options & string)[]
  const read = parseChoice(values.filter((value) => value !== initial))
  return { control: 'choice', label, options, initial: initial as Initial, read } as const
}

/** One of many options. */
export function select<const Options extends Labels>(label: string, all: string, options: Options) {
  const read = parseChoice(Object.keys(options) as (keyof Options & string)[])
  return { control: 'select', label, all, options, read } as const
}

export const publisher = (all = 'All publishers') => ({ control: 'publisher', all, read: text }) as const

const digits = matching(/^\d{1,9}$/)
const readId = (value: unknown) => (digits(String(value)) === undefined ? undefined : Number(value))
/** A category of the catalog. */
export const category = { control: 'category', read: readId } as const

export const day = (label: string) => ({ control: 'date', kind: 'date', label, read: readDay }) as const
export const month = (label: string) => ({ control: 'date', kind: 'month', label, read: readMonth }) as const

/** Instants from the beginning of a day in the reader's time zone. */
export const from = (label: string) => ({ ...day(label), send: (value: string) => startOfDay(value, 0) })
/** Instants until the end of a day in the reader's time zone. */
export const until = (label: string) => ({ ...day(label), send: (value: string) => startOfDay(value, 1) })

function startOfDay(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}

/** A value that only links set. The page shows it, with a way to show all rows. */
export const given = (label: string, all: string) => ({ control: 'given', label, all, read: text }) as const

/** A value whose control the page itself provides. */
export const own = { control: 'none', read: text } as const
