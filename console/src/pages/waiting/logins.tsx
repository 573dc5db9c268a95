import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { brokenLogins } from '../../api/operations-queries.ts'
import { ago, plural, words } from '../../format.ts'
import { PublisherFilter, PublisherName } from '../../publisher-filter.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { Pill } from '../../ui/pill.tsx'

type Login = Schemas['BrokenLogin']
const route = getRouteApi('/guarded/broken-logins')

/** Linked logins that do not work. Only their users can repair them. */
export default function BrokenLogins() {
  const { search, change } = useFilters(route)
  return (
    <ListPage
      title="Broken logins"
      lead="Purchases on these cards are not seen until the user repairs the login, in a link session that the publisher opens."
      filters={<PublisherFilter value={search.publisher} onChange={(publisher) => change({ publisher })} />}
      {...LOGINS}
      {...useParts(brokenLogins(search.publisher))}
      empty={<Empty title="Every login works">When a bank asks a user to sign in again, it appears here.</Empty>}
    />
  )
}

function UserLink({ login: { publisher_id, publisher_user_id } }: { readonly login: Login }) {
  return (
    <Link
      to="/publishers/$publisher/transactions"
      params={{ publisher: publisher_id }}
      search={{ user: publisher_user_id }}
      className="row-link block truncate font-medium"
    >
      {publisher_user_id}
    </Link>
  )
}

const LOGINS: Table<Login> = {
  caption: 'Broken logins, newest first',
  toKey: ({ svc_user_id, card_ids, linked_at }) => `${svc_user_id} ${linked_at} ${card_ids[0]}`,
  columns: [
    {
      header: 'User',
      cell: (login) => (
        <NamedCell name={login.publisher_user_id} className="max-w-60">
          <UserLink login={login} />
        </NamedCell>
      ),
    },
    { header: 'Problem', cell: ({ error }) => <Pill tone="bad">{words(error)}</Pill> },
    { header: 'Bank', cell: ({ institution_name }) => institution_name },
    { header: 'Cards', align: 'right', cell: ({ card_ids }) => card_ids.length },
    { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
    {
      header: 'Since',
      quiet: true,
      cell: ({ broken_since: since }) => (since === null ? 'Not asked' : ago(since)),
    },
  ],
  card: (login) => (
    <RowCard
      name={login.publisher_user_id}
      title={<UserLink login={login} />}
      note={`${login.institution_name}, ${plural(login.card_ids.length, 'card')}`}
    >
      <Pill tone="bad">{words(login.error)}</Pill>
    </RowCard>
  ),
}
