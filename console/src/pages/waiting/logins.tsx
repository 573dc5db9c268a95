import type { Schemas } from '../../api/client.ts'
import { ago, plural, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PublisherName } from '../../publisher-filter.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { BROKEN_LOGINS } from './queries.ts'

type Login = Schemas['BrokenLogin']

/** Linked logins that do not work. Only their users can repair them. */
export default function BrokenLogins() {
  return (
    <ListPage
      title="Broken logins"
      lead="Purchases on these cards are not seen until the user repairs the login, in a link session that the publisher opens."
      {...TABLE}
      {...useList(BROKEN_LOGINS).list}
      empty={<Empty title="Every login works">When a bank asks a user to sign in again, it appears here.</Empty>}
    />
  )
}

const TABLE: Table<Login> = {
  caption: 'Broken logins, newest first',
  toKey: ({ svc_user_id, card_ids, linked_at }) => `${svc_user_id} ${linked_at} ${card_ids[0]}`,
  columns: [
    {
      header: 'User',
      phone: 'title',
      name: ({ publisher_user_id }) => publisher_user_id,
      width: 'max-w-60',
      cell: ({ publisher_id, publisher_user_id }) => (
        <RowLink
          to="/publishers/$publisher/transactions"
          params={{ publisher: publisher_id }}
          search={{ publisher_user_id }}
        >
          {publisher_user_id}
        </RowLink>
      ),
    },
    { header: 'Problem', phone: 'aside', cell: ({ error }) => <Pill tone="bad">{words(error)}</Pill> },
    { header: 'Bank', cell: ({ institution_name }) => institution_name },
    { header: 'Cards', align: 'right', cell: ({ card_ids }) => card_ids.length },
    { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
    {
      header: 'Since',
      quiet: true,
      cell: ({ broken_since: since }) => (since === null ? 'Not asked' : ago(since)),
    },
  ],
  note: ({ institution_name, card_ids }) => `${institution_name}, ${plural(card_ids.length, 'card')}`,
}
