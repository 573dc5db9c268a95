import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { deliveries } from '../../api/queries.ts'
import { ago } from '../../format.ts'
import { DeliveryPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/list/filters.tsx'
import { List } from '../../ui/list/list-page.tsx'
import { RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, usePages } from '../../ui/list/use-list.ts'
import { DeliveryDialog } from './delivery.tsx'

type Delivery = Schemas['WebhookDelivery']
const route = getRouteApi('/guarded/publishers/$publisher/webhooks')
const STATUSES = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['exhausted', 'Given up'],
] as const

type Props = { readonly publisherId: string; readonly known: readonly Schemas['WebhookEndpoint'][] }

/** The deliveries to a publisher's endpoints and the endpoints' responses. */
export function Deliveries({ publisherId, known }: Props) {
  const { search, change, turn } = useFilters(route)
  const { status, page = 0, delivery: shown } = search
  const navigate = route.useNavigate()
  const findUrl = ({ endpoint_id: id }: Delivery) => known.find(({ endpoint_id }) => endpoint_id === id)?.url ?? id
  return (
    <>
      <List
        filters={
          <>
            <h2 className="px-2 font-medium text-base">Deliveries</h2>
            <Choice
              label="Status"
              value={status}
              options={STATUSES}
              onChange={(status) => change({ status, delivery: undefined })}
            />
          </>
        }
        {...buildTable(publisherId, findUrl)}
        {...usePages(deliveries(publisherId, status, page))}
        empty={
          <Empty title={status === undefined ? 'Nothing has been delivered yet' : 'No deliveries match this filter'}>
            Each event sent to an endpoint appears here, with every attempt.
          </Empty>
        }
        none="No deliveries"
        onPage={turn}
      />
      {shown !== undefined && (
        <DeliveryDialog
          publisherId={publisherId}
          deliveryId={shown}
          findUrl={findUrl}
          onClose={() => navigate({ search: ({ delivery: _, ...rest }) => rest, resetScroll: false })}
        />
      )}
    </>
  )
}

type LinkProps = { readonly publisherId: string; readonly delivery: Delivery }

function DeliveryLink({ publisherId, delivery: { delivery_id, event_type } }: LinkProps) {
  const search = route.useSearch()
  return (
    <Link
      to="/publishers/$publisher/webhooks"
      params={{ publisher: publisherId }}
      search={{ ...search, delivery: delivery_id }}
      resetScroll={false}
      className="font-medium after:absolute after:inset-0 hover:underline"
    >
      {event_type}
    </Link>
  )
}

const formatAnswer = ({ response_status, error }: Delivery) =>
  error ?? (response_status === null ? '–' : String(response_status))

function buildTable(publisherId: string, findUrl: (delivery: Delivery) => string): Table<Delivery> {
  return {
    caption: 'Deliveries, newest first',
    toKey: ({ delivery_id }) => delivery_id,
    columns: [
      { header: 'Event', cell: (delivery) => <DeliveryLink publisherId={publisherId} delivery={delivery} /> },
      { header: 'Status', cell: ({ status }) => <DeliveryPill status={status} /> },
      { header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
      {
        header: 'Answer',
        cell: (delivery) => <span className="block max-w-56 truncate text-ink-2">{formatAnswer(delivery)}</span>,
      },
      {
        header: 'Endpoint',
        wideOnly: true,
        cell: (delivery) => (
          <span className="block max-w-64 truncate font-mono text-ink-3 text-xs">{findUrl(delivery)}</span>
        ),
      },
      {
        header: 'Last attempt',
        cell: ({ last_attempt_at: at }) => (
          <span className="whitespace-nowrap text-ink-2">{at === null ? 'None yet' : ago(at)}</span>
        ),
      },
    ],
    card: (delivery) => (
      <RowCard
        title={
          <div className="truncate text-sm">
            <DeliveryLink publisherId={publisherId} delivery={delivery} />
          </div>
        }
        note={
          <>
            {formatAnswer(delivery)}
            {delivery.last_attempt_at !== null && ` · ${ago(delivery.last_attempt_at)}`}
          </>
        }
      >
        <DeliveryPill status={delivery.status} />
      </RowCard>
    ),
  }
}
