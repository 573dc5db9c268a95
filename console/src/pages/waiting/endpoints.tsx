import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { ago, plural } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PublisherName } from '../../publisher-filter.tsx'
import { EndpointPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { ENDPOINTS } from './queries.ts'

type Endpoint = Schemas['OperatorWebhookEndpoint']

/** The webhook endpoints of all publishers. */
export default function Endpoints() {
  const { filtered, list } = useList(ENDPOINTS)
  return (
    <ListPage
      title="Webhook endpoints"
      lead="Where publishers receive events, and whether they arrive."
      {...TABLE}
      {...list}
      empty={
        <Empty title={filtered.failing === 'true' ? 'No failing endpoints' : 'No publisher has an endpoint'}>
          Publishers add endpoints with their own keys; what one missed is sent again from its page.
        </Empty>
      }
    />
  )
}

const health = ({ failing_since, failures }: Endpoint): string =>
  failing_since === null
    ? 'The last delivery arrived'
    : `${plural(failures, 'failure')}, the first ${ago(failing_since)}`

const TABLE: Table<Endpoint> = {
  caption: 'Webhook endpoints, newest first',
  toKey: ({ endpoint_id }) => endpoint_id,
  columns: [
    {
      header: 'URL',
      phone: 'title',
      width: 'max-w-96',
      cell: ({ publisher_id, url }) => (
        <Link
          to="/publishers/$publisher/webhooks"
          params={{ publisher: publisher_id }}
          className="row-link block truncate font-mono text-xs"
        >
          {url}
        </Link>
      ),
    },
    { header: 'State', phone: 'aside', cell: (endpoint) => <EndpointPill endpoint={endpoint} /> },
    { header: 'Health', quiet: true, cell: health },
    { header: 'Publisher', cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
  ],
  note: (endpoint) => (
    <>
      <PublisherName id={endpoint.publisher_id} /> · {health(endpoint)}
    </>
  ),
}
