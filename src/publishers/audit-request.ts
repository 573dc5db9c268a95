import { audit } from '../accounts/index.ts'
import type { Tx } from '../platform/database.ts'
import { encodeId, userIdOf } from '../platform/ids.ts'
import { publisherOf } from './authenticate.ts'

type AuditedRequest = Parameters<typeof publisherOf>[0]
type Named = { readonly publisher_user_id?: string }

/**
 * Audits a change that a person made by an operation of publishers: which operation, at what, and which members the body
 * had. Their values may be secret, such as an account number; the thing itself shows what it has become. A user is named
 * by our id: the publisher's may be an e-mail address, and must not outlive an erasure.
 */
export async function auditRequest(tx: Tx, request: AuditedRequest, now: Date): Promise<void> {
  const { actor, body, params, query, routeOptions } = request
  if (actor === null) return
  const { id } = publisherOf(request)
  const publisherId = encodeId('pub', id)
  const { operationId } = routeOptions.schema as { operationId: string }
  const { publisher_user_id: _, ...ids } = params as Readonly<Record<string, string>>
  const { publisher_user_id: user } = { ...(query as object), ...(body as object), ...(params as object) } as Named
  await audit(
    tx,
    {
      actor,
      action: `publisher.${operationId}`,
      subject: user === undefined ? (Object.values(ids).at(-1) ?? publisherId) : encodeId('usr', userIdOf(id, user)),
      after: { publisher_id: publisherId, ...ids, members: Object.keys((body ?? {}) as object) },
    },
    now,
  )
}
