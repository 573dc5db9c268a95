import type { Reader } from '../../platform/db/database.ts'
import { type Walk, type Walked, walk } from '../../platform/db/keyset.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { type Delivery, type DeliveryFilter, deliveryColumns } from '../delivery/delivery-queries.ts'
import type { EndpointStatus } from '../rules.ts'
import type { Endpoint } from './endpoint-queries.ts'

type DeliveryOfPublisher = Delivery & { readonly publisherId: PublisherId }
type EndpointOfPublisher = Endpoint & { readonly publisherId: PublisherId; readonly failures: number }

/** Returns a page of the deliveries of all publishers, in the order they were queued. */
export async function walkDeliveries(
  reader: Reader,
  filter: DeliveryFilter & { readonly publisherId: PublisherId | null },
  paging: Walk,
): Promise<Walked<DeliveryOfPublisher>> {
  const { publisherId, endpointId, status, type } = filter
  const isLookedFor = endpointId !== null || status !== null || type !== null
  return walk<DeliveryOfPublisher>(
    reader,
    {
      columns: reader`d.publisher_id, ${deliveryColumns(reader)}`,
      table: 'webhook_deliveries',
      alias: 'd',
      id: reader`d.delivery_id`,
      key: { column: reader`d.position`, type: 'integer' },
      indexed: publisherId === null ? reader`true` : reader`d.publisher_id = ${publisherId}`,
      others: !isLookedFor
        ? null
        : reader`
          ${endpointId === null ? reader`` : reader`and d.endpoint_id = ${endpointId}`}
          ${status === null ? reader`` : reader`and d.status = ${status}`}
          ${type === null ? reader`` : reader`and d.type = ${type}`}`,
    },
    paging,
  )
}

/** Returns a page of the endpoints of all publishers, newest first. A publisher has only a few. */
export async function walkEndpoints(
  reader: Reader,
  filter: { readonly publisherId: PublisherId | null; readonly status: EndpointStatus | null; readonly fails: boolean },
  paging: Walk,
): Promise<Walked<EndpointOfPublisher>> {
  const { publisherId, status, fails } = filter
  return walk<EndpointOfPublisher>(
    reader,
    {
      columns: reader`
        e.publisher_id, e.endpoint_id, e.url, e.event_types, e.description, e.decides_outcomes, e.status,
        e.stopped_after_sequence, e.failing_since, e.failures, e.created_at`,
      table: 'webhook_endpoints',
      alias: 'e',
      id: reader`e.endpoint_id`,
      key: { column: reader`e.created_at`, type: 'instant' },
      indexed: reader`
        e.deleted_at is null
        ${publisherId === null ? reader`` : reader`and e.publisher_id = ${publisherId}`}
        ${status === null ? reader`` : reader`and e.status = ${status}`}
        ${fails ? reader`and e.failing_since is not null` : reader``}`,
      others: null,
    },
    paging,
  )
}
