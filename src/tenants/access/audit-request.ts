import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../platform/db/database.ts'
import { Problem, removeSecrets } from '../../platform/http/index.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import { audit } from '../accounts/index.ts'
import { getCallingPublisher } from './authenticate-publishers.ts'

type Members = Readonly<Record<string, unknown>>

// Larger than any single resource. A batch response is omitted, because each of its items has its own history.
const MEMBERS_MAX_BYTES = 16_384

/**
 * Returns the resource that a person is about to change, as they would see it in a GET on its path. An action is a POST
 * below the path of its resource. Returns null for programs, for resources that do not exist yet, and for paths without
 * a GET.
 * @throws Problem overloaded if the resource cannot be read now
 */
export async function readStateBefore(request: FastifyRequest): Promise<Members | null> {
  const { method, server, headers, ip } = request
  if (!isAudited(request)) return null
  const isAction = method === 'POST'
  const pattern = isAction ? above(request.routeOptions.url ?? '') : (request.routeOptions.url ?? '')
  if ((isAction && !/\/:\w+$/.test(pattern)) || !server.hasRoute({ method: 'GET', url: pattern })) return null
  const [path = ''] = request.url.split('?')
  const { cookie, authorization, 'x-api-key': key, 'laurel-publisher': actsFor } = headers
  const credentials = Object.entries({ cookie, authorization, 'x-api-key': key, 'laurel-publisher': actsFor })
  const answer = await server.inject({
    method: 'GET',
    url: isAction ? above(path) : path,
    headers: Object.fromEntries(credentials.filter(([, value]) => value !== undefined)),
    remoteAddress: ip,
  })
  if (answer.statusCode === 404) return null
  if (answer.statusCode !== 200)
    throw new Problem(
      'overloaded',
      'The current state of the resource that this request changes cannot be read. Try again in a moment.',
    )
  return answer.json<Members>()
}

const above = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/**
 * Records a change that a person made through a publisher operation in the audit log: its subject, the state before,
 * and the response. Omits members that reveal a one-time secret.
 */
export async function auditRequest(
  tx: Tx,
  request: FastifyRequest,
  { before, answer }: { readonly before: Members | null; readonly answer: unknown },
  now: Date,
): Promise<void> {
  const { actor, routeOptions } = request
  if (actor === null || !isAudited(request)) return
  const { operationId, response } = routeOptions.schema as Operation
  const shown = small(removeSecrets(response[200], answer) as Members)
  const { id } = getCallingPublisher(request)
  const about = { publisher_id: encodeId('pub', id), ...readUser(request, shown) }
  await audit(
    tx,
    {
      actor,
      action: `publisher.${operationId}`,
      subject: findSubject(request, shown) ?? about.svc_user_id ?? about.publisher_id,
      ...(before === null ? {} : { before: { ...about, ...small(before) } }),
      after: { ...about, ...shown },
    },
    now,
  )
}

/**
 * Returns true if the request's change must be recorded here. Excludes changes by programs, which act on the
 * publisher's own behalf, and those of verbs that write their own audit entry.
 */
function isAudited({ actor, routeOptions }: FastifyRequest): boolean {
  return actor !== null && routeOptions.config.isAuditedByVerb !== true
}

type Operation = { readonly operationId: string; readonly response: { readonly 200: object } }

/** Returns the ID of the user that a change is about, under the key by which an erasure finds the entry. */
function readUser(request: FastifyRequest, shown: Members): { readonly svc_user_id?: string } {
  const { params, body } = request
  const { publisher_user_id: name } = { ...shown, ...(body as Members | null), ...(params as Members) }
  return typeof name === 'string'
    ? { svc_user_id: encodeId('usr', toUserId(getCallingPublisher(request).id, name)) }
    : {}
}

/**
 * Returns the ID of the changed resource: the last ID in the path or, if the path has none, the one at the start of the
 * response.
 */
function findSubject({ params }: FastifyRequest, shown: Members): string | null {
  const [name, value] = Object.entries(params as Members).at(-1) ?? Object.entries(shown)[0] ?? []
  return name !== 'publisher_user_id' && /_u?id$/.test(name ?? '') && typeof value === 'string' ? value : null
}

function small(members: Members | null): Members {
  return members !== null && JSON.stringify(members).length <= MEMBERS_MAX_BYTES ? members : {}
}
