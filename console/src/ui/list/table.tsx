import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { count } from '../../format.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'

export type Column<Row> = {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** Set to hide the column on narrow screens. */
  readonly wideOnly?: boolean
}

type Props<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Renders the same row on a phone. */
  readonly card: (row: Row) => ReactNode
  /** True while the rows are about to be replaced. */
  readonly stale?: boolean
  readonly selected?: string | undefined
  readonly empty: ReactNode
}

/** Shows rows that the service has filtered, sorted and paginated, as a table or, below 640 px, as a list of cards. */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, card, stale = false, selected, empty } = props
  if (rows.length === 0) return empty
  return (
    <div aria-busy={stale} className={cx('transition-opacity', stale && 'opacity-60')}>
      <div className="overflow-x-auto max-sm:hidden">
        <table className="w-full text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-line border-b">
              {columns.map(({ header, align, wideOnly }) => (
                <th
                  key={header}
                  scope="col"
                  className={cx(
                    'h-9 whitespace-nowrap px-3 font-normal text-ink-3 text-xs first:pl-5 last:pr-5',
                    align === 'right' ? 'text-right' : 'text-left',
                    wideOnly && 'max-xl:hidden',
                  )}
                >
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr
                key={keyOf(row)}
                aria-selected={selected === keyOf(row) || undefined}
                className="relative border-line border-b last:border-0 focus-within:bg-sunken/60 hover:bg-sunken/60 aria-selected:bg-brand-soft"
              >
                {columns.map(({ header, cell, align, wideOnly }) => (
                  <td
                    key={header}
                    className={cx(
                      'h-10 px-3 first:pl-5 last:pr-5',
                      align === 'right' && 'num text-right',
                      wideOnly && 'max-xl:hidden',
                    )}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label={caption} className="divide-y divide-line sm:hidden">
        {rows.map((row) => (
          <li key={keyOf(row)} className="relative flex items-center gap-3 px-4 py-3">
            {card(row)}
          </li>
        ))}
      </ul>
    </div>
  )
}

type PagerProps = {
  readonly page: number
  readonly size: number
  /** The number of rows on the page. The last page may be short. */
  readonly shown: number
  readonly total: number
  /** The text for an empty list. */
  readonly none: string
  /** The noun for what is counted, if it differs from what the page shows. */
  readonly counted?: string
  readonly onPage: (page: number) => void
}

/** Says which rows are shown, such as `1–30 of 812`, and leads to the adjacent pages. */
export function Pager({ page, size, shown, total, none, counted = '', onPage }: PagerProps) {
  const first = page * size
  const range = `${counted} ${count(first + 1)}–${count(first + shown)} of ${count(total)}`
  return (
    <div className="flex items-center gap-2 border-line border-t px-5 py-2.5 text-ink-2 text-sm">
      <p aria-live="polite" className="num">
        {total === 0 ? none : range.trim()}
      </p>
      <Button
        icon
        className="ml-auto"
        aria-label="Previous page"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
      </Button>
      <Button icon aria-label="Next page" disabled={first + size >= total} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </div>
  )
}
