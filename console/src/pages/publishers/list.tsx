import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { listedPublishers } from '../../api/people-queries.ts'
import { useRefusal } from '../../api/permissions.ts'
import { count, plural, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SearchBox } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { Pill } from '../../ui/pill.tsx'
import { NewPublisherDialog } from './create.tsx'

type Listed = Schemas['ListedPublisher']
const route = getRouteApi('/guarded/publishers')

function NameLink({ publisher: { publisher_id, name } }: { readonly publisher: Listed }) {
  return (
    <Link
      to="/publishers/$publisher/settings"
      params={{ publisher: publisher_id }}
      className="row-link block truncate font-medium"
    >
      {name}
    </Link>
  )
}

function Environment({ publisher: { environment } }: { readonly publisher: Listed }) {
  return <Pill tone={environment === 'sandbox' ? 'waiting' : 'good'}>{words(environment)}</Pill>
}

const formatSplit = ({ fee_percent, share_percent }: Listed) => `${fee_percent}% / ${share_percent}%`

const PUBLISHERS: Table<Listed> = {
  caption: 'Publishers, oldest first',
  toKey: ({ publisher_id }) => publisher_id,
  columns: [
    {
      header: 'Publisher',
      cell: (publisher) => (
        <NamedCell name={publisher.name} className="max-w-80">
          <NameLink publisher={publisher} />
        </NamedCell>
      ),
    },
    { header: 'Environment', cell: (publisher) => <Environment publisher={publisher} /> },
    { header: 'Users', align: 'right', cell: ({ users }) => count(users) },
    { header: 'Fee / share', align: 'right', cell: formatSplit },
    { header: 'Currencies', quiet: true, cell: ({ limits }) => limits.map(({ currency }) => currency).join(', ') },
    {
      header: 'Paid by',
      wideOnly: true,
      quiet: true,
      cell: ({ redemption_methods: methods }) => methods.map(words).join(', ') || 'Nothing yet',
    },
    { header: 'Time zone', wideOnly: true, quiet: true, cell: ({ time_zone }) => time_zone },
  ],
  card: (publisher) => (
    <RowCard
      name={publisher.name}
      title={<NameLink publisher={publisher} />}
      note={`${plural(publisher.users, 'user')} · ${formatSplit(publisher)}`}
    >
      <Environment publisher={publisher} />
    </RowCard>
  ),
}

/** The publishers, which are the tenants of the service. */
export default function Publishers() {
  const { search, change } = useFilters(route)
  const [isCreating, setCreating] = useState(false)
  const findRefusal = useRefusal()
  return (
    <ListPage
      title="Publishers"
      lead="Publishers, their terms and their users."
      actions={
        <Button tone="primary" refusal={findRefusal('publishers:change')} onClick={() => setCreating(true)}>
          New publisher
        </Button>
      }
      filters={<SearchBox label="Part of the name" value={search.text ?? ''} onChange={(text) => change({ text })} />}
      {...PUBLISHERS}
      {...useParts(listedPublishers(search))}
      empty={
        <Empty title={search.text === undefined ? 'No publishers yet' : 'No publishers match'}>
          Create one, give it a key, and its users can be registered.
        </Empty>
      }
    >
      {isCreating && <NewPublisherDialog onClose={() => setCreating(false)} />}
    </ListPage>
  )
}
