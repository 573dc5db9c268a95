import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { deliveries, PAGE_SIZE } from '../../api/queries.ts'
import { ago } from '../../format.ts'
import { DeliveryPill } from '../../statuses.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable, Pager } from '../../ui/list/table.tsx'
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

/** The deliveries to a publisher's endpoints, and how the endpoints responded. */
export function Deliveries({ publisherId, known }: Props) {
  const search = route.useSearch()
  const { status, page = 0, delivery: shown } = search
  const navigate = route.useNavigate()
  const { data, isPlaceholderData } = useQuery(deliveries(publisherId, status, page))
  const nameOf = ({ delivery_id, event_type }: Delivery) => (
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
  const urlOf = ({ endpoint_id: id }: Delivery) => known.find(({ endpoint_id }) => endpoint_id === id)?.url ?? id
  const answerOf = ({ response_status, error }: Delivery) =>
    error ?? (response_status === null ? '–' : String(response_status))
  const columns: Column<Delivery>[] = [
    { header: 'Event', cell: nameOf },
    { header: 'Status', cell: (delivery) => <DeliveryPill status={delivery.status} /> },
    { header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
    {
      header: 'Answer',
      cell: (delivery) => <span className="block max-w-56 truncate text-ink-2">{answerOf(delivery)}</span>,
    },
    {
      header: 'Endpoint',
      wideOnly: true,
      cell: (delivery) => (
        <span className="block max-w-64 truncate font-mono text-ink-3 text-xs">{urlOf(delivery)}</span>
      ),
    },
    {
      header: 'Last attempt',
      cell: ({ last_attempt_at: at }) => (
        <span className="whitespace-nowrap text-ink-2">{at === null ? 'None yet' : ago(at)}</span>
      ),
    },
  ]
  const rows = data?.content ?? []
  const total = data?.total_elements ?? 0
  return (
    <Card>
      <FilterBar>
        <h2 className="px-2 font-medium text-base">Deliveries</h2>
        <Choice
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(value) => navigate({ search: value === undefined ? {} : { status: value } })}
        />
      </FilterBar>
      <DataTable
        caption="Deliveries, newest first"
        columns={columns}
        rows={rows}
        keyOf={({ delivery_id }) => delivery_id}
        stale={isPlaceholderData}
        empty={
          <Empty title={status === undefined ? 'Nothing has been delivered yet' : 'No deliveries match this filter'}>
            Each event sent to an endpoint appears here, with every attempt.
          </Empty>
        }
        card={(delivery) => (
          <div className="flex min-w-0 flex-1 items-center gap-3">
            <div className="min-w-0 flex-1">
              <div className="truncate text-sm">{nameOf(delivery)}</div>
              <div className="mt-0.5 truncate text-ink-3 text-xs">
                {answerOf(delivery)}
                {delivery.last_attempt_at !== null && ` · ${ago(delivery.last_attempt_at)}`}
              </div>
            </div>
            <DeliveryPill status={delivery.status} />
          </div>
        )}
      />
      <Pager
        page={page}
        size={PAGE_SIZE}
        shown={rows.length}
        total={total}
        none="No deliveries"
        onPage={(next) =>
          navigate({ search: { ...(status === undefined ? {} : { status }), ...(next === 0 ? {} : { page: next }) } })
        }
      />
      {shown !== undefined && (
        <DeliveryDialog
          publisherId={publisherId}
          deliveryId={shown}
          urlOf={urlOf}
          onClose={() => navigate({ search: ({ delivery: _, ...rest }) => rest, resetScroll: false })}
        />
      )}
    </Card>
  )
}
