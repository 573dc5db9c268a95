import { Link } from '@tanstack/react-router'
import { day } from '../../format.ts'
import { UserPill } from '../../statuses.tsx'
import { type Column, NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'

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

const PUBLISHER: Column<Row> = {
  header: 'Publisher',
  wideOnly: true,
  cell: ({ publisherName }) => <span className="block max-w-48 truncate text-ink-2">{publisherName}</span>,
}

/** The table of users, with a publisher column if they can belong to several publishers. */
export function buildUserTable(namesPublisher = false): Table<Row> {
  return {
    caption: 'Users, newest first',
    toKey: ({ userId }) => userId,
    columns: [
      {
        header: 'User',
        cell: (row) => (
          <NamedCell name={row.name} className="max-w-72">
            <UserLink row={row} />
          </NamedCell>
        ),
      },
      { header: 'Status', cell: ({ status }) => <UserPill status={status} /> },
      {
        header: 'E-mail',
        cell: ({ email }) => <span className="block max-w-64 truncate text-ink-2">{email ?? '–'}</span>,
      },
      { header: 'Zip code', wideOnly: true, quiet: true, cell: ({ zipCode }) => zipCode ?? '–' },
      ...(namesPublisher ? [PUBLISHER] : []),
      {
        header: 'Registered',
        cell: ({ createdAt }) => (
          <time dateTime={createdAt} className="num whitespace-nowrap text-ink-2">
            {day(createdAt)}
          </time>
        ),
      },
    ],
    card: (row) => (
      <RowCard name={row.name} title={<UserLink row={row} />} note={row.email ?? row.publisherName ?? 'No e-mail'}>
        <div className="text-right">
          <div className="num text-ink-3 text-xs">{day(row.createdAt)}</div>
          <UserPill status={row.status} />
        </div>
      </RowCard>
    ),
  }
}
