import type { ReactNode } from 'react'
import { Card, CardTitle } from '../card.tsx'
import { cx } from '../cx.ts'
import { Monogram } from '../monogram.tsx'

type Place = 'title' | 'amount' | 'aside' | 'actions'

export type Column<Row> = {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** A smaller line below the cell. */
  readonly below?: (row: Row) => ReactNode
  /** The name whose monogram precedes the cell. */
  readonly name?: (row: Row) => string
  /** The class that limits the width of the cell. */
  readonly width?: string
  readonly align?: 'right'
  /** Set to hide the column on narrow screens. */
  readonly wideOnly?: boolean
  /** Set for values of secondary importance. */
  readonly quiet?: boolean
  /** Set for dates and times. */
  readonly isTime?: boolean
  /** The cell's place on the card that replaces its row on a phone; undefined if it is not shown there. */
  readonly phone?: Place
}

export type Table<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly toKey: (row: Row) => string
  /** The line below the title on a phone. */
  readonly note?: (row: Row) => ReactNode
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
export function DataTable<Row>({ caption, columns, rows, toKey, note, stale = false, empty }: Table<Row> & Rows<Row>) {
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
          <RowCard key={toKey(row)} row={row} columns={columns} note={note?.(row)} />
        ))}
      </ul>
    </div>
  )
}

type RowProps<Row> = { readonly row: Row; readonly columns: readonly Column<Row>[] }

function TableRow<Row>({ row, columns }: RowProps<Row>) {
  return (
    <tr className="relative border-line border-b last:border-0 focus-within:bg-sunken/60 hover:bg-sunken/60">
      {columns.map((column) => (
        <td
          key={column.header}
          className={cx(
            'h-10 px-3 first:pl-5 last:pr-5',
            column.align === 'right' && 'num text-right',
            column.wideOnly && 'max-xl:hidden',
            column.quiet && 'text-ink-2',
            column.isTime && 'num whitespace-nowrap text-ink-2',
          )}
        >
          <Cell row={row} column={column} />
        </td>
      ))}
    </tr>
  )
}

function Cell<Row>({ row, column }: { readonly row: Row; readonly column: Column<Row> }) {
  const { below, name, width } = column
  const main = <Main row={row} column={column} />
  const lines =
    below === undefined ? (
      main
    ) : (
      <div className="min-w-0 py-1.5">
        {main}
        <div className="break-words text-ink-3 text-xs">{below(row)}</div>
      </div>
    )
  if (name !== undefined)
    return (
      <div className={cx('flex items-center gap-2.5', width)}>
        <Monogram name={name(row)} />
        {lines}
      </div>
    )
  return width === undefined ? lines : <div className={width}>{lines}</div>
}

/** The cell's own line. A text that may be too long for it ends in an ellipsis. */
function Main<Row>({
  row,
  column: { cell, phone, width, below },
}: {
  readonly row: Row
  readonly column: Column<Row>
}) {
  const content = cell(row)
  const isTitle = phone === 'title'
  if (typeof content !== 'string' || !(isTitle || width || below)) return content
  return <div className={cx('min-w-0 truncate', isTitle && 'font-medium')}>{content}</div>
}

/** A row on a phone, with title and note on the left, the amount and an aside on the right, and the actions below. */
function RowCard<Row>({ row, columns, note }: RowProps<Row> & { readonly note: ReactNode }) {
  const at = (place: Place) => columns.find(({ phone }) => phone === place)
  const [title, amount, aside, actions] = [at('title'), at('amount'), at('aside'), at('actions')]
  return (
    <li className="relative px-4 py-3">
      <div className="flex items-center gap-3">
        {title?.name && <Monogram name={title.name(row)} size="large" />}
        <div className="min-w-0 flex-1">
          {title && <Main row={row} column={title} />}
          <div className="mt-0.5 break-words text-ink-3 text-xs">{note}</div>
        </div>
        <div className="text-right">
          {amount && <div className="num font-medium">{amount.cell(row)}</div>}
          {aside?.cell(row)}
        </div>
      </div>
      {actions && <div className="mt-3 empty:hidden">{actions.cell(row)}</div>}
    </li>
  )
}

type CardProps<Row> = Table<Row> &
  Rows<Row> & {
    readonly title: ReactNode
    readonly aside?: ReactNode
    /** Shown below the rows. */
    readonly foot?: ReactNode
  }

/** A card with a table. */
export function TableCard<Row>({ title, aside, foot, ...table }: CardProps<Row>) {
  return (
    <Card>
      <CardTitle aside={aside}>{title}</CardTitle>
      <div className="pt-2">
        <DataTable {...table} />
      </div>
      {foot}
    </Card>
  )
}
