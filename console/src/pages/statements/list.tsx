import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { dateTime, month, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PublisherName } from '../../publisher-filter.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { STATEMENTS } from './queries.ts'

type Heading = Schemas['StatementHeading']

function Books({ books }: { readonly books: string }) {
  return books.startsWith('pub_') ? <PublisherName id={books} /> : words(books)
}

const TABLE: Table<Heading> = {
  caption: 'Statements, newest month first',
  toKey: ({ statement_id }) => statement_id,
  columns: [
    {
      header: 'Party',
      phone: 'title',
      name: ({ party_name }) => party_name,
      width: 'max-w-72',
      cell: ({ statement_id, party_name }) => (
        <RowLink to="/statements/$statement" params={{ statement: statement_id }}>
          {party_name}
        </RowLink>
      ),
    },
    { header: 'Kind', quiet: true, cell: ({ kind }) => words(kind) },
    { header: 'Month', phone: 'amount', cell: (heading) => <span className="num">{month(heading.month)}</span> },
    { header: 'Currency', quiet: true, phone: 'aside', cell: ({ currency }) => currency },
    { header: 'Books', quiet: true, cell: ({ books }) => <Books books={books} /> },
    { header: 'Closed', wideOnly: true, isTime: true, cell: ({ created_at }) => dateTime(created_at) },
  ],
  note: ({ kind, books }) => (
    <>
      {words(kind)} · <Books books={books} />
    </>
  ),
}

export default function Statements() {
  const { isFiltered, list } = useList(STATEMENTS)
  return (
    <ListPage
      title="Statements"
      lead="Balances and movements of each party, month by month. Statements never change."
      actions={<CloseLink />}
      {...TABLE}
      {...list}
      empty={
        <Empty title={isFiltered ? 'No statements match' : 'No month has been closed yet'} action={<CloseLink />}>
          Statements are drawn up when a month is closed.
        </Empty>
      }
    />
  )
}

function CloseLink() {
  const refusal = useRefusal()('statements:close')
  if (refusal !== null) return <Button refusal={refusal}>Close a month</Button>
  return (
    <Link to="/statements/close" className={buttonClass('primary')}>
      Close a month
    </Link>
  )
}
