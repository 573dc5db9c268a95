import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { buttonClass } from '../button.tsx'
import { Card } from '../card.tsx'
import { cx } from '../cx.ts'
import { Empty } from '../empty.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { FilterBar } from './filters.tsx'
import { More } from './more.tsx'
import { Pager, type Paging } from './pager.tsx'
import { DataTable, type Rows, type Table } from './table.tsx'

/** Rows shown as a list instead of a table, each with its own layout. */
type Items<Row> = { readonly toKey: (row: Row) => string; readonly item: (row: Row) => ReactNode }

type ListProps<Row> = (Table<Row> | Items<Row>) &
  Rows<Row> & {
    readonly filters?: ReactNode
    /** Shown between the filters and the rows. */
    readonly above?: ReactNode
    /** The position of the current page, for lists with numbered pages. */
    readonly paging?: Paging | undefined
    /** The pager's text for an empty list. */
    readonly none?: string
    readonly onPage?: (page: number) => void
    /** The query that loads further rows, for lists that grow. */
    readonly more?: ComponentProps<typeof More>['query']
    readonly moreLabel?: string
    readonly className?: string
  }

/** A list in a card: its filters, its rows, and a way to reach further rows. */
export function List<Row>(props: ListProps<Row>) {
  const { filters, above, paging, none = '', onPage, more, moreLabel, className, empty, ...rest } = props
  const list = { ...rest, empty: more?.hasNextPage ? <Empty title="Nothing found so far" /> : empty }
  return (
    <Card className={className}>
      {filters && <FilterBar>{filters}</FilterBar>}
      {above}
      {'columns' in list ? <DataTable {...list} /> : <ItemList {...list} />}
      {paging && onPage && <Pager paging={paging} none={none} onPage={onPage} />}
      {more && <More query={more} label={moreLabel} />}
    </Card>
  )
}

function ItemList<Row>({ rows, toKey, item, stale = false, empty }: Items<Row> & Rows<Row>) {
  if (rows.length === 0) return empty
  return (
    <ul aria-busy={stale} className={cx('divide-y divide-line transition-opacity', stale && 'opacity-60')}>
      {rows.map((row) => (
        <Fragment key={toKey(row)}>{item(row)}</Fragment>
      ))}
    </ul>
  )
}

type PageProps<Row> = ComponentProps<typeof PageHeader> &
  ListProps<Row> & {
    /** The URL of the entire list as CSV. */
    readonly csv?: string
    readonly children?: ReactNode
  }

/** A page with one list. Its children are the dialogs that the page opens. */
export function ListPage<Row>({ title, lead, actions, crumbs, csv, children, ...list }: PageProps<Row>) {
  const header = {
    title,
    lead,
    crumbs,
    actions: (
      <>
        {csv !== undefined && list.rows.length > 0 && <CsvLink address={csv} />}
        {actions}
      </>
    ),
  }
  return (
    <>
      <PageHeader {...header} />
      <List {...list} />
      {children}
    </>
  )
}

function CsvLink({ address }: { readonly address: string }) {
  return (
    <a href={address} download className={buttonClass()}>
      Download as CSV
    </a>
  )
}
