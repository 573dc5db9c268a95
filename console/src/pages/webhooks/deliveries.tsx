import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { ago } from '../../format.ts'
import { usePagedList } from '../../lists/use-list.tsx'
import { DeliveryPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { DeliveryDialog } from './delivery.tsx'
import { DELIVERIES } from './queries.ts'

type Delivery = Schemas['WebhookDelivery']
const route = getRouteApi('/guarded/publishers/$publisher/webhooks')

type Props = { readonly publisherId: string; readonly known: readonly Schemas['WebhookEndpoint'][] }

/** The deliveries to a publisher's endpoints and the endpoints' responses. */
export function Deliveries({ publisherId, known }: Props) {
  const { isFiltered, list } = usePagedList(DELIVERIES, publisherId)
  const { delivery: shown } = route.useSearch()
  const navigate = route.useNavigate()
  const findUrl = ({ endpoint_id: id }: Delivery) => known.find(({ endpoint_id }) => endpoint_id === id)?.url ?? id
  return (
    <>
      <List
        {...buildTable(publisherId, findUrl)}
        {...list}
        filters={
          <>
            <h2 className="px-2 font-medium text-base">Deliveries</h2>
            {list.filters}
          </>
        }
        empty={
          <Empty title={isFiltered ? 'No deliveries match this filter' : 'Nothing has been delivered yet'}>
            Each event sent to an endpoint appears here, with every attempt.
          </Empty>
        }
        none="No deliveries"
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
      {
        header: 'Event',
        phone: 'title',
        cell: (delivery) => <DeliveryLink publisherId={publisherId} delivery={delivery} />,
      },
      { header: 'Status', phone: 'aside', cell: ({ status }) => <DeliveryPill status={status} /> },
      { header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
      { header: 'Answer', quiet: true, width: 'max-w-56', cell: formatAnswer },
      {
        header: 'Endpoint',
        wideOnly: true,
        cell: (delivery) => (
          <span className="block max-w-64 truncate font-mono text-ink-3 text-xs">{findUrl(delivery)}</span>
        ),
      },
      {
        header: 'Last attempt',
        isTime: true,
        cell: ({ last_attempt_at: at }) => (at === null ? 'None yet' : ago(at)),
      },
    ],
    note: (delivery) =>
      formatAnswer(delivery) + (delivery.last_attempt_at === null ? '' : ` · ${ago(delivery.last_attempt_at)}`),
  }
}
