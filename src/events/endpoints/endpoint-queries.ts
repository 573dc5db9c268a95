import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import type { Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { EndpointId } from '../record.ts'
import type { Health } from '../rules.ts'
import { ENDPOINT, type Endpoint } from './endpoint.ts'

export const endpointColumns = (reader: Reader) => selectColumns(reader, 'webhook_endpoints', ENDPOINT.columns)

/** @returns false if the publisher already has the maximum number of endpoints */
export async function insertEndpoint(
  tx: Tx,
  publisherId: PublisherId,
  endpoint: Endpoint & { readonly sealedSecret: Buffer },
  endpointsMax: number,
): Promise<boolean> {
  const rows = await tx`
    insert into webhook_endpoints (publisher_id, endpoint_id, url, event_types, description, decides_outcomes, sealed_secret,
      created_at)
    select ${publisherId}, ${endpoint.endpointId}, ${endpoint.url}, ${endpoint.eventTypes as string[] | null}::text[],
      ${endpoint.description}, ${endpoint.decidesOutcomes}, ${endpoint.sealedSecret}, ${endpoint.createdAt}
    where (select count(*) from webhook_endpoints where publisher_id = ${publisherId} and deleted_at is null) < ${endpointsMax}
    returning endpoint_id`
  return rows.length === 1
}

export async function findEndpoint(
  reader: Reader,
  publisherId: PublisherId,
  endpointId: EndpointId,
): Promise<Endpoint | null> {
  const [row] = await reader<Endpoint[]>`
    select ${endpointColumns(reader)} from webhook_endpoints
    where publisher_id = ${publisherId} and endpoint_id = ${endpointId} and deleted_at is null`
  return row ?? null
}

export async function listEndpoints(
  reader: Reader,
  publisherId: PublisherId,
  paging: Paging<'created_at'>,
): Promise<Endpoint[]> {
  const byDefault = { field: 'created_at', descending: false } as const
  return reader<Endpoint[]>`
    select ${endpointColumns(reader)} from webhook_endpoints
    where publisher_id = ${publisherId} and deleted_at is null
    ${buildPageClauses(reader, { created_at: reader`created_at` }, paging, byDefault, reader`endpoint_id`)}`
}

export async function countEndpoints(reader: Reader, publisherId: PublisherId): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints where publisher_id = ${publisherId} and deleted_at is null`
  return row?.count ?? 0
}

export async function markSecretRotated(
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  next: { readonly sealedSecret: Buffer; readonly oldUntil: Date },
): Promise<Endpoint | null> {
  const [row] = await tx<Endpoint[]>`
    update webhook_endpoints set
      sealed_old_secret = sealed_secret, old_secret_until = ${next.oldUntil}, sealed_secret = ${next.sealedSecret}
    where publisher_id = ${publisherId} and endpoint_id = ${endpointId} and deleted_at is null
    returning ${endpointColumns(tx)}`
  return row ?? null
}

type EndpointChanges = Partial<Health> & {
  readonly url?: string
  readonly eventTypes?: readonly string[] | null
  readonly description?: string | null
  readonly decidesOutcomes?: boolean
  readonly stoppedAfterSequence?: number
  readonly stoppedAt?: Date

  readonly deletedAt?: Date
  readonly sealedSecret?: Buffer
  readonly sealedOldSecret?: null
  readonly oldSecretUntil?: null
}

export async function updateEndpoint(
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  changes: EndpointChanges,
): Promise<Endpoint | null> {
  const [row] = await tx<Endpoint[]>`
    update webhook_endpoints set ${tx(changes as Record<string, never>)}
    where publisher_id = ${publisherId} and endpoint_id = ${endpointId} and deleted_at is null
    returning ${endpointColumns(tx)}`
  return row ?? null
}

/** Makes the worker send the events that the endpoint has missed in a range. Extends any range already in progress. */
export async function markResend(
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  range: { readonly after: number; readonly until: number },
): Promise<void> {
  await tx`
    update webhook_endpoints set
      resend_after = least(resend_after, ${range.after}), resend_until = greatest(resend_until, ${range.until})
    where publisher_id = ${publisherId} and endpoint_id = ${endpointId}`
}
