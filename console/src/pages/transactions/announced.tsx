import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { plural } from '../../format.ts'
import { DeliveryPill } from '../../statuses.tsx'
import { CardList } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { endpoints } from '../webhooks/queries.ts'
import { announcements } from './queries.ts'

type Props = { readonly publisher: string; readonly transaction: string }

/** The events that informed the publisher about a purchase, and whether they were delivered. */
export function Announced({ publisher, transaction }: Props) {
  const refusal = useScopeRefusal(publisher)('webhooks:read')
  const enabled = refusal === null
  const { data, error } = useQuery({ ...announcements(publisher, transaction), enabled })
  const { data: known = [] } = useQuery({ ...endpoints(publisher), enabled })
  if (enabled && error === null && data === undefined) return <div className="skeleton h-32" />
  const findUrl = ({ endpoint_id: id }: Schemas['WebhookDelivery']) =>
    known.find(({ endpoint_id }) => endpoint_id === id)?.url ?? id
  return (
    <CardList
      title="What was sent"
      rows={data ?? []}
      empty={refusal ?? error?.message ?? 'No events about this purchase are stored.'}
      ordered
    >
      {(event) => (
        <li key={event.event_id} className="px-5 py-2.5 text-sm">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{event.event_type}</span>
            <Time at={event.created_at} />
          </div>
          {event.deliveries.length === 0 && (
            <p className="text-ink-3 text-xs">Only in the event feed: no webhook endpoint subscribes to it.</p>
          )}
          <ul>
            {event.deliveries.map((delivery) => (
              <li key={delivery.delivery_id} className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
                <DeliveryPill status={delivery.status} />
                <Link
                  to="/publishers/$publisher/webhooks"
                  params={{ publisher }}
                  search={{ delivery: delivery.delivery_id }}
                  className="min-w-0 truncate font-mono text-brand-ink text-xs hover:underline"
                >
                  {findUrl(delivery)}
                </Link>
                <span className="num ml-auto text-ink-3 text-xs">{plural(delivery.attempts, 'attempt')}</span>
              </li>
            ))}
          </ul>
        </li>
      )}
    </CardList>
  )
}
