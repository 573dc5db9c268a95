import { audit } from '../accounts/index.ts'
import type { Tx } from '../platform/database.ts'
import { encodeId } from '../platform/ids.ts'
import { publisherOf } from './authenticate.ts'

type AuditedRequest = Parameters<typeof publisherOf>[0]

/**
 * Audits a change that a person made by an operation of publishers: which operation, at what, and which members the body
 * had. Their values may be secret, such as an account number; the thing itself shows what it has become.
 */
export async function auditRequest(tx: Tx, request: AuditedRequest, now: Date): Promise<void> {
  const { actor, body, params, routeOptions } = request
  if (actor === null) return
  const publisherId = encodeId('pub', publisherOf(request).id)
  const { operationId } = routeOptions.schema as { operationId: string }
  const ids = params as Readonly<Record<string, string>>
  await audit(
    tx,
    {
      actor,
      action: `publisher.${operationId}`,
      subject: Object.values(ids).at(-1) ?? publisherId,
      after: { publisher_id: publisherId, ...ids, members: Object.keys((body ?? {}) as object) },
    },
    now,
  )
}
