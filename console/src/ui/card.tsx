import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section {...props} className={cx('rounded-lg bg-surface shadow-card', className)} />
}

export function CardTitle({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 px-5 pt-4">
      <h2 className="font-medium text-base">{children}</h2>
      {aside !== undefined && <div className="text-ink-3 text-sm">{aside}</div>}
    </div>
  )
}

type ListProps<Row> = {
  readonly title: ReactNode
  readonly aside?: ReactNode
  readonly rows: readonly Row[]
  /** Shown if there are no rows. */
  readonly empty: ReactNode
  /** True if the order of the rows is meaningful. */
  readonly ordered?: boolean
  /** Shown below the rows. */
  readonly foot?: ReactNode
  /** Renders a row as a list item with a key. */
  readonly children: (row: Row) => ReactNode
}

/** A card with a short list. */
export function CardList<Row>({ title, aside, rows, empty, ordered = false, foot, children }: ListProps<Row>) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <Card>
      <CardTitle aside={aside}>{title}</CardTitle>
      {rows.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">{empty}</p>
      ) : (
        <List className="mt-3 divide-y divide-line border-line border-t text-sm">{rows.map(children)}</List>
      )}
      {foot}
    </Card>
  )
}
