import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { allEndpoints } from '../../api/operations-queries.ts'
import { ago, plural } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { optional } from '../../routes/search.ts'
import { EndpointPill } from '../../statuses.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar } from '../../ui/list/filters.tsx'
import { More } from '../../ui/list/more.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'

type Endpoint = Schemas['OperatorWebhookEndpoint']
const route = getRouteApi('/guarded/endpoints')
const VIEWS = [
  [undefined, 'Failing'],
  ['all', 'All'],
] as const

/** The webhook endpoints of all publishers. */
export default function Endpoints() {
  const { publisher, view } = route.useSearch()
  const navigate = route.useNavigate()
  const nameOf = usePublisherName()
  const query = useInfiniteQuery(allEndpoints(publisher, view !== 'all'))
  const rows = query.data?.pages.flatMap(({ content }) => content) ?? []
  const health = ({ failing_since, failures }: Endpoint) =>
    failing_since === null
      ? 'The last delivery arrived'
      : `${plural(failures, 'failure')}, the first ${ago(failing_since)}`
  const address = ({ publisher_id, url }: Endpoint) => (
    <Link
      to="/publishers/$publisher/webhooks"
      params={{ publisher: publisher_id }}
      className="row-link block truncate font-mono text-xs"
    >
      {url}
    </Link>
  )
  const columns: Column<Endpoint>[] = [
    { header: 'URL', cell: (endpoint) => <div className="max-w-96">{address(endpoint)}</div> },
    { header: 'State', cell: (endpoint) => <EndpointPill endpoint={endpoint} /> },
    { header: 'Health', cell: (endpoint) => <span className="text-ink-2">{health(endpoint)}</span> },
    { header: 'Publisher', cell: ({ publisher_id }) => nameOf(publisher_id) },
  ]
  return (
    <>
      <PageHeader title="Webhook endpoints" lead="Where publishers receive events, and whether they arrive." />
      <Card>
        <FilterBar>
          <PublisherFilter
            value={publisher}
            onChange={(value) => navigate({ search: (old) => optional({ ...old, publisher: value }), replace: true })}
          />
          <Choice
            label="Which"
            value={view}
            options={VIEWS}
            onChange={(value) => navigate({ search: (old) => optional({ ...old, view: value }), replace: true })}
          />
        </FilterBar>
        <DataTable
          caption="Webhook endpoints, the newest first"
          columns={columns}
          rows={rows}
          keyOf={({ endpoint_id }) => endpoint_id}
          stale={query.isPlaceholderData}
          empty={
            <Empty title={view === 'all' ? 'No publisher has an endpoint' : 'No failing endpoints'}>
              Publishers add endpoints with their own keys; what one missed is sent again from its page.
            </Empty>
          }
          card={(endpoint) => (
            <div className="min-w-0 flex-1">
              {address(endpoint)}
              <div className="mt-1 flex flex-wrap items-center gap-2 text-ink-3 text-xs">
                <EndpointPill endpoint={endpoint} /> {nameOf(endpoint.publisher_id)} · {health(endpoint)}
              </div>
            </div>
          )}
        />
        <More query={query} />
      </Card>
    </>
  )
}
