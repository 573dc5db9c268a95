import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { listedPublishers } from '../../api/people-queries.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { PAGE_SIZE } from '../../api/queries.ts'
import { count, plural, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar, SearchBox } from '../../ui/list/filters.tsx'
import { type Column, DataTable, Pager } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
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

const splitOf = ({ fee_percent, share_percent }: Listed) => `${fee_percent}% / ${share_percent}%`

const COLUMNS: readonly Column<Listed>[] = [
  {
    header: 'Publisher',
    cell: (publisher) => (
      <div className="flex max-w-80 items-center gap-2.5">
        <Monogram name={publisher.name} />
        <NameLink publisher={publisher} />
      </div>
    ),
  },
  { header: 'Environment', cell: (publisher) => <Environment publisher={publisher} /> },
  { header: 'Users', align: 'right', cell: ({ users }) => count(users) },
  { header: 'Fee / share', align: 'right', cell: splitOf },
  {
    header: 'Currencies',
    cell: ({ limits }) => <span className="text-ink-2">{limits.map(({ currency }) => currency).join(', ')}</span>,
  },
  {
    header: 'Paid by',
    wideOnly: true,
    cell: ({ redemption_methods: methods }) => (
      <span className="text-ink-2">{methods.map(words).join(', ') || 'Nothing yet'}</span>
    ),
  },
  { header: 'Time zone', wideOnly: true, cell: ({ time_zone }) => <span className="text-ink-2">{time_zone}</span> },
]

/** The publishers, which are the tenants of the service. */
export default function Publishers() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const refusalOf = useRefusalOf()
  const { data, isPlaceholderData } = useQuery(listedPublishers(search))
  const rows = data?.content ?? []
  const total = data?.total_elements ?? 0
  const page = search.page ?? 0
  const create = (
    <Button tone="primary" refusal={refusalOf('publishers:change')} onClick={() => setCreating(true)}>
      New publisher
    </Button>
  )
  return (
    <>
      <PageHeader title="Publishers" lead="Publishers, their terms and their users." actions={create} />
      <Card>
        <FilterBar>
          <SearchBox
            label="Part of the name"
            value={search.text ?? ''}
            onChange={(text) => navigate({ search: text === '' ? {} : { text }, replace: true })}
          />
        </FilterBar>
        <DataTable
          caption="Publishers, the oldest first"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ publisher_id }) => publisher_id}
          stale={isPlaceholderData}
          empty={
            <Empty title={search.text === undefined ? 'No publishers yet' : 'No publishers match'}>
              Create one, give it a key, and its users can be registered.
            </Empty>
          }
          card={(publisher) => (
            <>
              <Monogram name={publisher.name} size="large" />
              <div className="min-w-0 flex-1">
                <NameLink publisher={publisher} />
                <div className="mt-0.5 truncate text-ink-3 text-xs">
                  {plural(publisher.users, 'user')} · {splitOf(publisher)}
                </div>
              </div>
              <Environment publisher={publisher} />
            </>
          )}
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={total}
          none="No publishers"
          onPage={(next) =>
            navigate({ search: { ...(search.text === undefined ? {} : { text: search.text }), page: next } })
          }
        />
      </Card>
      {isCreating && <NewPublisherDialog onClose={() => setCreating(false)} />}
    </>
  )
}
