import { type PublisherId, toUserId } from '../../platform/ids.ts'

/** The parts of a request that identify the resources it changes. */
type NamingRequest = {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly routeOptions: {
    readonly url?: string | undefined
    readonly config: { readonly batch?: { readonly members: readonly string[] } | undefined }
  }
}

// The maximum batch size. Larger batches are rejected.
const USERS_MAX = 500

/**
 * Returns the queue that serializes changes to one user, whether made by the publisher or by the user in the portal.
 */
export function nameUserLine(userId: string): string {
  return `user ${userId}`
}

/**
 * Lists the queues that a publisher's request waits in: those of the users it references; otherwise the queue of its
 * Idempotency-Key; otherwise the queue of the resource in its path, such as a claim.
 */
export function listLines(publisherId: PublisherId, request: NamingRequest): readonly string[] {
  const { params, query, body } = request
  const named = [params, query, body, ...listItems(request)].flatMap((part) => userNamedIn(part) ?? [])
  if (named.length > 0) return named.slice(0, USERS_MAX).map((name) => nameUserLine(toUserId(publisherId, name)))
  const key = request.headers['idempotency-key']
  if (typeof key === 'string') return [`repeats ${publisherId} ${key}`]
  const addressed = Object.values(params as object)
  return addressed.length > 0 ? [`${publisherId} ${request.routeOptions.url} ${addressed.join(' ')}`] : []
}

function listItems({ body, routeOptions }: NamingRequest): readonly unknown[] {
  const lists = (routeOptions.config.batch?.members ?? []).map(
    (name) => (body as Record<string, unknown> | null)?.[name],
  )
  return lists.flatMap((list) => (Array.isArray(list) ? list.slice(0, USERS_MAX) : []))
}

function userNamedIn(part: unknown): string | null {
  const name = (part as { readonly publisher_user_id?: unknown } | null | undefined)?.publisher_user_id
  return typeof name === 'string' ? name : null
}
