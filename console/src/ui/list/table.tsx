import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Monogram } from '../monogram.tsx'

export type Column<Row> = {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** Set to hide the column on narrow screens. */
  readonly wideOnly?: boolean
  /** Set for values of secondary importance. */
  readonly quiet?: boolean
}

/** The columns of a list, and the card that replaces each row on a phone. */
export type Table<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly toKey: (row: Row) => string
  /** Renders the same row on a phone. */
  readonly card: (row: Row) => ReactNode
}

export type Rows<Row> = {
  readonly rows: readonly Row[]
  /** True while the rows are about to be replaced. */
  readonly stale?: boolean
  readonly empty: ReactNode
}

/**
 * Shows rows that the service has filtered, sorted and paginated, either as a table or, below 640 px, as a list of
 * cards.
 */
export function DataTable<Row>({ caption, columns, rows, toKey, card, stale = false, empty }: Table<Row> & Rows<Row>) {
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
              <TableRow key={toKey(row)} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label={caption} className="divide-y divide-line sm:hidden">
        {rows.map((row) => (
          <li key={toKey(row)} className="relative flex items-center gap-3 px-4 py-3">
            {card(row)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function TableRow<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return (
    <tr className="relative border-line border-b last:border-0 focus-within:bg-sunken/60 hover:bg-sunken/60">
      {columns.map(({ header, cell, align, wideOnly, quiet }) => (
        <td
          key={header}
          className={cx(
            'h-10 px-3 first:pl-5 last:pr-5',
            align === 'right' && 'num text-right',
            wideOnly && 'max-xl:hidden',
            quiet && 'text-ink-2',
          )}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

type NamedProps = { readonly name: string; readonly className?: string; readonly children: ReactNode }

/** The first cell of a row: the monogram of a name, followed by the name or its link. */
export function NamedCell({ name, className, children }: NamedProps) {
  return (
    <div className={cx('flex items-center gap-2.5', className)}>
      <Monogram name={name} />
      {children}
    </div>
  )
}

type CardProps = {
  /** The name that the monogram is derived from; undefined for none. */
  readonly name?: string
  readonly title: ReactNode
  readonly note: ReactNode
  /** Shown above the aside. */
  readonly amount?: string
  readonly children?: ReactNode
}

/** A row on a phone, with name and note on the left, and the amount and an aside on the right. */
export function RowCard({ name, title, note, amount, children }: CardProps) {
  return (
    <>
      {name !== undefined && <Monogram name={name} size="large" />}
      <div className="min-w-0 flex-1">
        {title}
        <div className="mt-0.5 truncate text-ink-3 text-xs">{note}</div>
      </div>
      {amount === undefined ? (
        children
      ) : (
        <div className="text-right">
          <div className="num font-medium">{amount}</div>
          {children}
        </div>
      )}
    </>
  )
}
