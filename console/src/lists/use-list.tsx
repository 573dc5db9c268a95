import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { catalogCategories } from '../api/queries.ts'
import { words } from '../format.ts'
import { PublisherFilter } from '../publisher-filter.tsx'
import { optional } from '../search.ts'
import { buttonClass } from '../ui/button.tsx'
import { Choice, DateFilter, SearchBox, SelectFilter } from '../ui/list/filters.tsx'
import type { Paging } from '../ui/list/pager.tsx'
import type { Filter, Filtered, Filters } from './filters.ts'

/** The filters in effect. One with an initial value always has a value. */
type Shown<Of extends Filters> = {
  readonly [Name in keyof Of]:
    | NonNullable<Filtered<Of>[Name]>
    | (Of[Name] extends { initial: infer Initial } ? Initial : undefined)
}

/** The filters of a list. Their state is in the address, so that a filtered list can be shared. */
export function useFilters<Of extends Filters>(filters: Of) {
  const found: object = useSearch({ strict: false })
  const search = found as Filtered<Of> & { readonly page?: number | undefined }
  const navigate = useNavigate() as (to: { search: (old: object) => object; replace: boolean }) => unknown
  const go = (changes: object, replace: boolean) =>
    void navigate({ search: (old) => optional({ ...old, ...changes }), replace })
  /** Changes filters and returns to the first page. */
  const change = (changes: Filtered<Of>) => go({ page: undefined, ...changes }, true)
  const all = Object.entries(filters)
  const controls = all.map(([name, filter]) => (
    <Control
      key={name}
      filter={filter}
      value={search[name] === undefined ? undefined : String(search[name])}
      onChange={(value) => change({ [name]: filter.read(value) } as Filtered<Of>)}
    />
  ))
  return {
    search,
    filtered: Object.fromEntries(all.map(([name, { initial }]) => [name, search[name] ?? initial])) as Shown<Of>,
    isFiltered: all.some(([name]) => search[name] !== undefined),
    change,
    turn: (page: number) => go({ page: page === 0 ? undefined : page }, false),
    controls: controls.length > 0 && controls,
  }
}

type ControlProps = {
  readonly filter: Filter
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

function Control({ filter, value, onChange }: ControlProps) {
  switch (filter.control) {
    case 'search':
      return <SearchBox label={filter.label} value={value ?? ''} onChange={onChange} />
    case 'choice': {
      const options = Object.entries(filter.options)
      const all = [undefined, 'All'] as const
      return (
        <Choice
          label={filter.label}
          value={value ?? filter.initial}
          options={filter.initial === undefined ? [all, ...options] : options}
          onChange={onChange}
        />
      )
    }
    case 'select':
      return (
        <SelectFilter
          label={filter.label}
          all={filter.all}
          value={value}
          options={Object.entries(filter.options)}
          onChange={onChange}
        />
      )
    case 'publisher':
      return <PublisherFilter all={filter.all} value={value} onChange={onChange} />
    case 'category':
      return <CategoryFilter value={value} onChange={onChange} />
    case 'date':
      return <DateFilter label={filter.label} kind={filter.kind} value={value} onChange={onChange} />
    case 'given':
      return (
        value !== undefined && (
          <button type="button" onClick={() => onChange(undefined)} className={buttonClass('plain')}>
            {filter.label} {value}
            <X aria-hidden="true" className="size-3.5" />
            <span className="sr-only">: {filter.all}</span>
          </button>
        )
      )
    case 'none':
      return null
  }
}

function CategoryFilter({ value, onChange }: Omit<ControlProps, 'filter'>) {
  const { data } = useSuspenseQuery(catalogCategories)
  return (
    <SelectFilter
      label="Category"
      all="All categories"
      value={value}
      options={data.map(({ category_id, category }) => [String(category_id), words(category)])}
      onChange={onChange}
    />
  )
}

type Part = { readonly content: readonly unknown[] }

type PartsQuery<Read extends Part, Key extends QueryKey, Cursor> = UseInfiniteQueryOptions<
  Read,
  Error,
  InfiniteData<Read>,
  Key,
  Cursor
> & { readonly csv: string }

/** Reads a list that grows as further rows are loaded. */
export function useParts<Read extends Part, Key extends QueryKey, Cursor>(given: PartsQuery<Read, Key, Cursor>) {
  const { csv, ...query } = given
  const more = useInfiniteQuery(query)
  const rows: readonly Read['content'][number][] = more.data?.pages.flatMap(({ content }) => content) ?? []
  return { rows, more, csv, stale: more.isPlaceholderData }
}

/** Reads a list with the filters in the address. Returns the filters, and the properties of the page's `List`. */
export function useList<Of extends Filters, Read extends Part, Key extends QueryKey, Cursor>(given: {
  readonly filters: Of
  readonly read: (search: Filtered<Of>) => PartsQuery<Read, Key, Cursor>
}) {
  const { search, controls, turn: _, ...filters } = useFilters(given.filters)
  return { ...filters, list: { ...useParts(given.read(search)), filters: controls } }
}

/** Like `useList`, for the page of a publisher's list that the address specifies. */
export function usePagedList<Of extends Filters, Page extends Part & Paging, Key extends QueryKey>(
  given: {
    readonly filters: Of
    readonly read: (
      publisherId: string,
      search: Filtered<Of> & { readonly page?: number | undefined },
    ) => UseQueryOptions<Page, Error, Page, Key>
  },
  publisherId: string,
) {
  const { search, controls, turn, ...filters } = useFilters(given.filters)
  const { data, isPlaceholderData } = useQuery(given.read(publisherId, search))
  const rows: Page['content'] = data?.content ?? []
  return { ...filters, list: { rows, paging: data, stale: isPlaceholderData, filters: controls, onPage: turn } }
}
