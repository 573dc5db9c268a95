import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { allEndpoints } from '../../api/operations-queries.ts'
import { ago, plural } from '../../format.ts'
import { PublisherFilter, PublisherName } from '../../publisher-filter.tsx'
import { EndpointPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'

type Endpoint = Schemas['OperatorWebhookEndpoint']
const route = getRouteApi('/guarded/endpoints')
const VIEWS = [
  [undefined, 'Failing'],
  ['all', 'All'],
] as const

/** The webhook endpoints of all publishers. */
export default function Endpoints() {
  const { search, change } = useFilters(route)
  const { publisher, view } = search
  return (
    <ListPage
      title="Webhook endpoints"
      lead="Where publishers receive events, and whether they arrive."
      filters={
        <>
          <PublisherFilter value={publisher} onChange={(publisher) => change({ publisher })} />
          <Choice label="Which" value={view} options={VIEWS} onChange={(view) => change({ view })} />
        </>
      }
      {...ENDPOINTS}
      {...useParts(allEndpoints(publisher, view !== 'all'))}
      empty={
        <Empty title={view === 'all' ? 'No publisher has an endpoint' : 'No failing endpoints'}>
          Publishers add endpoints with their own keys; what one missed is sent again from its page.
        </Empty>
      }
    />
  )
}

function Address({ endpoint: { publisher_id, url } }: { readonly endpoint: Endpoint }) {
  return (
    <Link
      to="/publishers/$publisher/webhooks"
      params={{ publisher: publisher_id }}
      className="row-link block truncate font-mono text-xs"
    >
      {url}
    </Link>
  )
}

const health = ({ failing_since, failures }: Endpoint): string =>
  failing_since === null
    ? 'The last delivery arrived'
    : `${plural(failures, 'failure')}, the first ${ago(failing_since)}`

const ENDPOINTS: Table<Endpoint> = {
  caption: 'Webhook endpoints, newest first',
  toKey: ({ endpoint_id }) => endpoint_id,
  columns: [
    {
      header: 'URL',
      cell: (endpoint) => (
        <div className="max-w-96">
          <Address endpoint={endpoint} />
        </div>
      ),
    },
    { header: 'State', cell: (endpoint) => <EndpointPill endpoint={endpoint} /> },
    { header: 'Health', quiet: true, cell: health },
    { header: 'Publisher', cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
  ],
  card: (endpoint) => (
    <div className="min-w-0 flex-1">
      <Address endpoint={endpoint} />
      <div className="mt-1 flex flex-wrap items-center gap-2 text-ink-3 text-xs">
        <EndpointPill endpoint={endpoint} /> <PublisherName id={endpoint.publisher_id} /> · {health(endpoint)}
      </div>
    </div>
  ),
}
