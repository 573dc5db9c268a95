import type { Reader } from '../../platform/db/database.ts'
import { enumField, idField } from '../../platform/http/index.ts'
import { decodeId, type PublisherId } from '../../platform/ids.ts'
import { equals, faultAt, type OperatorList, publisherFilter, unindexed } from '../../tenants/access/index.ts'
import { DELIVERY_STATUSES, type Delivery } from '../delivery/delivery.ts'
import { deliveryColumns } from '../delivery/delivery-queries.ts'
import { EVENT_TYPES } from '../record.ts'
import { ENDPOINT_STATUSES } from '../rules.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointColumns } from './endpoint-queries.ts'

type OfPublisher = { readonly publisherId: PublisherId }

/** All publishers' deliveries, most recently queued first. */
export const DELIVERY_LIST: OperatorList<Delivery & OfPublisher> = {
  table: 'webhook_deliveries',
  id: 'deliveryId',
  columns: (reader) => reader`webhook_deliveries.publisher_id, ${deliveryColumns(reader, 'webhook_deliveries')}`,
  sorts: {
    '-created_at': { type: 'integer', column: 'position' },
    created_at: { type: 'integer', column: 'position' },
  },
  filters: {
    ...publisherFilter,
    endpoint_id: {
      parameter: idField('Only deliveries to this endpoint (whe_…).'),
      unindexed: true,
      where: (reader: Reader, table: string, value: string) =>
        reader`${reader(table)}.endpoint_id = ${endpointIdIn(value)}`,
    },
    status: unindexed(equals('status', enumField(DELIVERY_STATUSES, 'Only deliveries with this status.'))),
    event_type: unindexed(equals('type', enumField(EVENT_TYPES, 'Only deliveries of events of this type.'))),
  },
}

/** All publishers' endpoints. Each publisher has only a few. */
export const ENDPOINT_LIST: OperatorList<Endpoint & OfPublisher & { readonly failures: number }> = {
  table: 'webhook_endpoints',
  id: 'endpointId',
  columns: (reader) => reader`
    webhook_endpoints.publisher_id, webhook_endpoints.failures, ${endpointColumns(reader)}`,
  only: (reader) => reader`webhook_endpoints.deleted_at is null`,
  sorts: { '-created_at': 'instant', created_at: 'instant' },
  filters: {
    ...publisherFilter,
    status: equals('status', enumField(ENDPOINT_STATUSES, 'Only endpoints with this status.')),
    failing: {
      parameter: enumField(['true', 'false'], 'If true, only endpoints whose last attempt failed.'),
      where: (reader: Reader, table: string, value: string) =>
        reader`(${value} = 'false' or ${reader(table)}.failing_since is not null)`,
    },
  },
}

function endpointIdIn(text: string): Endpoint['endpointId'] {
  const endpointId = decodeId<'endpoint'>('whe', text)
  if (endpointId === null) throw faultAt('endpoint_id', 'must be the id of an endpoint (whe_…)')
  return endpointId
}
