import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { day } from '../../format.ts'
import { UserPill } from '../../statuses.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'

type Row = {
  readonly publisherId: string
  readonly publisherName?: string | undefined
  readonly userId: string
  readonly name: string
  readonly email: string | null
  readonly zipCode: string | null
  readonly status: Parameters<typeof UserPill>[0]['status']
  readonly createdAt: string
}

type Props = { readonly rows: readonly Row[]; readonly stale: boolean; readonly empty: ReactNode }

/** Links a user's name to their page. */
function UserLink({ row }: { readonly row: Row }) {
  return (
    <Link
      to="/publishers/$publisher/users/$user"
      params={{ publisher: row.publisherId, user: row.name }}
      className="row-link block truncate font-medium"
    >
      {row.name}
    </Link>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'User',
    cell: (row) => (
      <div className="flex max-w-72 items-center gap-2.5">
        <Monogram name={row.name} />
        <UserLink row={row} />
      </div>
    ),
  },
  { header: 'Status', cell: ({ status }) => <UserPill status={status} /> },
  { header: 'E-mail', cell: ({ email }) => <span className="block max-w-64 truncate text-ink-2">{email ?? '–'}</span> },
  { header: 'Zip code', wideOnly: true, cell: ({ zipCode }) => <span className="text-ink-2">{zipCode ?? '–'}</span> },
]
const PUBLISHER: Column<Row> = {
  header: 'Publisher',
  wideOnly: true,
  cell: ({ publisherName }) => <span className="block max-w-48 truncate text-ink-2">{publisherName}</span>,
}
const REGISTERED: Column<Row> = {
  header: 'Registered',
  cell: ({ createdAt }) => (
    <time dateTime={createdAt} className="num whitespace-nowrap text-ink-2">
      {day(createdAt)}
    </time>
  ),
}

export function UserTable({ rows, stale, empty }: Props) {
  const namesPublisher = rows.some(({ publisherName }) => publisherName !== undefined)
  return (
    <DataTable
      caption="Users, the newest first"
      columns={[...COLUMNS, ...(namesPublisher ? [PUBLISHER] : []), REGISTERED]}
      rows={rows}
      keyOf={({ userId }) => userId}
      stale={stale}
      empty={empty}
      card={(row) => (
        <>
          <Monogram name={row.name} size="large" />
          <div className="min-w-0 flex-1">
            <UserLink row={row} />
            <div className="mt-0.5 truncate text-ink-3 text-xs">{row.email ?? row.publisherName ?? 'No e-mail'}</div>
          </div>
          <div className="text-right">
            <div className="num text-ink-3 text-xs">{day(row.createdAt)}</div>
            <UserPill status={row.status} />
          </div>
        </>
      )}
    />
  )
}
