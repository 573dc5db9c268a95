import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { actingFor, api, bodyOf, type Schemas } from '../../api/client.ts'
import { deliveries, endpoints, PAGE_SIZE } from '../../api/queries.ts'
import { ago, count, dateTime } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { DeliveryPill, EndpointPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar } from '../../ui/filters.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Column, DataTable, Pager } from '../../ui/table.tsx'
import { tell } from '../../ui/toast.tsx'

type Delivery = Schemas['WebhookDelivery']
type Endpoint = Schemas['WebhookEndpoint']
const route = getRouteApi('/guarded/publishers/$publisher/webhooks')
const STATUSES = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['exhausted', 'Given up'],
] as const

export default function Webhooks() {
  const publisher = usePublisher()
  const { publisher: publisherId } = route.useParams()
  const { data } = useSuspenseQuery(endpoints(publisherId))
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead={`What ${publisher?.name ?? 'the publisher'} is told, and whether it arrived.`}
      />
      <Card className="mb-5">
        <CardTitle>Endpoints</CardTitle>
        {data.length === 0 ? (
          <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">
            The publisher has no endpoint. It adds one with{' '}
            <code className="font-mono text-xs">POST /webhooks/endpoints</code>.
          </p>
        ) : (
          <ul className="mt-3 divide-y divide-line border-line border-t">
            {data.map((endpoint) => (
              <EndpointRow key={endpoint.endpoint_id} endpoint={endpoint} publisherId={publisherId} />
            ))}
          </ul>
        )}
      </Card>
      <Deliveries publisherId={publisherId} known={data} />
    </>
  )
}

function EndpointRow({ endpoint, publisherId }: { readonly endpoint: Endpoint; readonly publisherId: string }) {
  const [isRecovering, setRecovering] = useState(false)
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  const test = useMutation({
    mutationFn: () => bodyOf(api.POST('/webhooks/endpoints/{endpoint_id}/test', { params, ...actingFor(publisherId) })),
    onSuccess: () => tell('A test event is on its way'),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-all font-mono text-xs">{endpoint.url}</p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-ink-3 text-xs">
          <EndpointPill status={endpoint.status} />
          {endpoint.event_types === null ? 'All events' : endpoint.event_types.join(', ')}
          {endpoint.failing_since !== null && <span>failing since {dateTime(endpoint.failing_since)}</span>}
        </p>
      </div>
      <div className="flex gap-2">
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button onClick={() => setRecovering(true)}>Recover</Button>
      </div>
      {isRecovering && (
        <RecoverDialog endpoint={endpoint} publisherId={publisherId} onClose={() => setRecovering(false)} />
      )}
    </li>
  )
}

const DAY_MS = 86_400_000

type RecoverProps = { readonly endpoint: Endpoint; readonly publisherId: string; readonly onClose: () => void }

function RecoverDialog({ endpoint, publisherId, onClose }: RecoverProps) {
  const client = useQueryClient()
  const since = endpoint.failing_since ?? new Date(Date.now() - DAY_MS).toISOString()
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  const recover = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/webhooks/endpoints/{endpoint_id}/recover', { params, body: { since }, ...actingFor(publisherId) }),
      ),
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell('What was missed is delivered again')
      await client.invalidateQueries({ queryKey: ['deliveries', publisherId] })
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Deliver what was missed"
      lead={`Every event since ${dateTime(since)} that the endpoint has not accepted is sent to it again.`}
      confirm="Recover"
      busy={recover.isPending}
      error={recover.error?.message}
      onConfirm={() => recover.mutate()}
    />
  )
}

function Deliveries({ publisherId, known }: { readonly publisherId: string; readonly known: readonly Endpoint[] }) {
  const { status, page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isPlaceholderData } = useQuery(deliveries(publisherId, status, page))
  const client = useQueryClient()
  const replay = useMutation({
    mutationFn: ({ delivery_id }: Delivery) =>
      bodyOf(
        api.POST('/webhooks/deliveries/{delivery_id}/replay', {
          params: { path: { delivery_id } },
          ...actingFor(publisherId),
        }),
      ),
    onSuccess: async () => {
      tell('It is sent again')
      await client.invalidateQueries({ queryKey: ['deliveries', publisherId] })
    },
  })
  const urlOf = ({ endpoint_id: id }: Delivery) => known.find(({ endpoint_id }) => endpoint_id === id)?.url ?? id
  const answerOf = ({ response_status, error }: Delivery) =>
    error ?? (response_status === null ? '–' : String(response_status))
  const columns: Column<Delivery>[] = [
    { header: 'Event', cell: ({ event_type }) => <span className="font-medium">{event_type}</span> },
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
    {
      header: 'Action',
      align: 'right',
      cell: (delivery) => (
        <Button busy={replay.isPending} onClick={() => replay.mutate(delivery)}>
          Send again
        </Button>
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
        caption="Deliveries, the newest first"
        columns={columns}
        rows={rows}
        keyOf={({ delivery_id }) => delivery_id}
        stale={isPlaceholderData}
        empty={
          <Empty title={status === undefined ? 'Nothing was delivered yet' : 'No deliveries match this filter'}>
            Each event that an endpoint listens to appears here, with every attempt.
          </Empty>
        }
        card={(delivery) => (
          <div className="flex min-w-0 flex-1 items-center gap-3">
            <div className="min-w-0 flex-1">
              <div className="truncate font-medium text-sm">{delivery.event_type}</div>
              <div className="mt-0.5 truncate text-ink-3 text-xs">
                {answerOf(delivery)}
                {delivery.last_attempt_at !== null && ` · ${ago(delivery.last_attempt_at)}`}
              </div>
            </div>
            <div className="text-right">
              <DeliveryPill status={delivery.status} />
              <div className="mt-1">
                <Button busy={replay.isPending} onClick={() => replay.mutate(delivery)}>
                  Send again
                </Button>
              </div>
            </div>
          </div>
        )}
      />
      <Pager
        page={page}
        pages={data?.total_pages ?? 0}
        summary={
          total === 0
            ? 'No deliveries'
            : `${count(page * PAGE_SIZE + 1)}–${count(page * PAGE_SIZE + rows.length)} of ${count(total)}`
        }
        onPage={(next) =>
          navigate({ search: { ...(status === undefined ? {} : { status }), ...(next === 0 ? {} : { page: next }) } })
        }
      />
    </Card>
  )
}
