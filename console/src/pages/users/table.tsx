import { day } from '../../format.ts'
import { UserPill } from '../../statuses.tsx'
import { RowLink } from '../../ui/link.tsx'
import type { Column, Table } from '../../ui/list/table.tsx'

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

const PUBLISHER: Column<Row> = {
  header: 'Publisher',
  wideOnly: true,
  quiet: true,
  width: 'max-w-48',
  cell: ({ publisherName }) => publisherName,
}

/** The table of users, with a publisher column if they can belong to several publishers. */
export function buildUserTable(namesPublisher = false): Table<Row> {
  return {
    caption: 'Users, newest first',
    toKey: ({ userId }) => userId,
    columns: [
      {
        header: 'User',
        phone: 'title',
        name: ({ name }) => name,
        width: 'max-w-72',
        cell: ({ publisherId, name }) => (
          <RowLink to="/publishers/$publisher/users/$user" params={{ publisher: publisherId, user: name }}>
            {name}
          </RowLink>
        ),
      },
      { header: 'Status', phone: 'aside', cell: ({ status }) => <UserPill status={status} /> },
      { header: 'Email', quiet: true, width: 'max-w-64', cell: ({ email }) => email ?? '–' },
      { header: 'Zip code', wideOnly: true, quiet: true, cell: ({ zipCode }) => zipCode ?? '–' },
      ...(namesPublisher ? [PUBLISHER] : []),
      {
        header: 'Registered',
        isTime: true,
        phone: 'amount',
        cell: ({ createdAt }) => <time dateTime={createdAt}>{day(createdAt)}</time>,
      },
    ],
    note: ({ email, publisherName }) => email ?? publisherName ?? 'No email',
  }
}
