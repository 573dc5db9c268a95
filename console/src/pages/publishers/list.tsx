import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { count, plural, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { NewPublisherDialog } from './create.tsx'
import { PUBLISHERS } from './queries.ts'

type Listed = Schemas['ListedPublisher']

const formatSplit = ({ fee_percent, share_percent }: Listed) => `${fee_percent}% / ${share_percent}%`

const TABLE: Table<Listed> = {
  caption: 'Publishers, oldest first',
  toKey: ({ publisher_id }) => publisher_id,
  columns: [
    {
      header: 'Publisher',
      phone: 'title',
      name: ({ name }) => name,
      width: 'max-w-80',
      cell: ({ publisher_id, name }) => (
        <RowLink to="/publishers/$publisher/settings" params={{ publisher: publisher_id }}>
          {name}
        </RowLink>
      ),
    },
    {
      header: 'Environment',
      phone: 'aside',
      cell: ({ environment }) => (
        <Pill tone={environment === 'sandbox' ? 'waiting' : 'good'}>{words(environment)}</Pill>
      ),
    },
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
  note: (publisher) => `${plural(publisher.users, 'user')} · ${formatSplit(publisher)}`,
}

/** The publishers, which are the tenants of the service. */
export default function Publishers() {
  const { isFiltered, list } = useList(PUBLISHERS)
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
      {...TABLE}
      {...list}
      empty={
        <Empty title={isFiltered ? 'No publishers match' : 'No publishers yet'}>
          Create one, give it a key, and its users can be registered.
        </Empty>
      }
    >
      {isCreating && <NewPublisherDialog onClose={() => setCreating(false)} />}
    </ListPage>
  )
}
