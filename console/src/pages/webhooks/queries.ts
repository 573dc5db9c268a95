import { desk } from '../../api/queries.ts'
import { PAGE_SIZE, query, rows } from '../../api/query.ts'
import { choice } from '../../lists/filters.ts'
import { publisherList } from '../../lists/list.ts'

export const DELIVERIES = publisherList(
  '/webhooks/deliveries',
  { status: choice('Status', { pending: 'Pending', delivered: 'Delivered', exhausted: 'Given up' }) },
  PAGE_SIZE,
)

/** Queries the content of a delivery and the outcome of each attempt. */
export const delivery = (publisher: string, delivery_id: string) =>
  query('/webhooks/deliveries/{delivery_id}/attempts', { publisher, path: { delivery_id } })

export const endpoints = (publisher: string) => rows('/webhooks/endpoints', { publisher })

/** The queries that list endpoints, or count those that fail. */
export const ENDPOINT_LISTS = ['/webhooks/endpoints', '/operator/endpoints', desk] as const
