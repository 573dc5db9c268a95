import { channel } from 'node:diagnostics_channel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findConstraint, isUnavailable } from '../db/database.ts'
import { Refusal } from '../refusal.ts'
import type { FieldError } from './field-errors.ts'

export type RefusalText = {
  readonly status: number
  /** The kind of problem in a few words. */
  readonly title: string
  /** The cause, followed by the caller's remedy. The page for the code shows both. */
  readonly cause: string
  readonly remedy: string
}

/** The meaning of each refusal code. src/refusals.ts covers the closed union of all codes. */
export type RefusalTable = Readonly<Record<string, RefusalText>>

/** The inputs for problem bodies. */
export type Problems = {
  readonly table: RefusalTable
  /** The public address, available once the service listens. */
  readonly baseUrl: () => string
}

/** Refusals that belong to no room. */
export type HttpRefusal =
  | 'invalid_input'
  | 'body_unreadable'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'key_missing'
  | 'key_invalid'
  | 'key_expired'
  | 'key_address_refused'
  | 'session_ended'
  | 'origin_refused'
  | 'changed_meanwhile'
  | 'rate_limited'
  | 'address_unreadable'
  | 'request_unreadable'
  | 'chunks_too_small'
  | 'request_timeout'
  | 'head_too_large'
  | 'overloaded'
  | 'internal_error'

/** A refusal that belongs to no room, with the invalid fields. */
export class Problem extends Refusal<HttpRefusal> {
  readonly errors: readonly FieldError[] | null
  /** The number of additional errors that are not listed. */
  readonly moreErrors: number

  constructor(
    code: HttpRefusal,
    detail: string,
    options: { readonly errors?: readonly FieldError[]; readonly moreErrors?: number } = {},
  ) {
    super(code, detail)
    this.errors = options.errors ?? null
    this.moreErrors = options.moreErrors ?? 0
  }
}

/** Builds a refusal that lists each invalid field. */
export function invalidInput(errors: readonly FieldError[], moreErrors = 0): Problem {
  const detail = errors.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')
  return new Problem('invalid_input', detail, { errors, moreErrors })
}

/**
 * Turns any thrown value into a problem response. Anything except a refusal is a bug, so it is logged in full, and the
 * response reveals nothing about it.
 */
export function answerProblem(
  problems: Problems,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = isCutOff(thrown)
    ? new Problem('body_unreadable', 'The connection closed before the whole body arrived.')
    : thrown
  const refusal = toRefusal(problems.table, error)
  const { url: route, config } = request.routeOptions ?? {}
  if (refusalChannel.hasSubscribers)
    refusalChannel.publish({
      code: refusal.code,
      route: `${request.method} ${route}`,
      declared: config?.refusals ?? null,
    })
  if (refusal.code === 'internal_error' || isUnavailable(error))
    request.log.error({ err: error, request_id: request.id, route }, 'request failed')
  const body = buildProblemBody(problems, refusal, request.id, request.url)
  if (refusal.retryAfterSeconds !== null) reply.header('Retry-After', String(refusal.retryAfterSeconds))
  else if (body.status === 503) reply.header('Retry-After', '1')
  return (
    reply
      .code(body.status)
      .header('Content-Type', 'application/problem+json')
      // Also set here, because no hook runs for failures before routing.
      .header('X-Request-Id', request.id)
      .header('Cache-Control', 'no-store')
      .send(JSON.stringify(body))
  )
}

/** A refusal that was sent, and the codes that its operation declares; null if it declares none, as with pages. */
export type AnsweredRefusal = {
  readonly code: string
  readonly route: string
  readonly declared: readonly string[] | null
}

/** Tests subscribe to find undeclared refusals. Production has no subscribers. */
const refusalChannel = channel('laurel:refusal')

/** If a domain function refuses a field, the field's code is also the problem's code. */
type ShownError = { readonly field: string; readonly code: string; readonly message: string }

type ProblemBody = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: string
  request_id: string
  errors?: readonly ShownError[]
  more_errors?: number
}

/** Builds a body with all members of RFC 9457 plus our code and request id. `errors` is present only on 400. */
export function buildProblemBody(
  { table, baseUrl }: Problems,
  refusal: Refusal,
  requestId: string,
  address: string,
): ProblemBody {
  const { status, title } = table[refusal.code] ?? { status: 500, title: 'Internal error' }
  const own = [{ field: refusal.field ?? '', code: refusal.code, message: refusal.message }]
  const { errors: known, moreErrors } = refusal instanceof Problem ? refusal : { errors: null, moreErrors: 0 }
  const listed = known ?? own
  const errors = withinBytes(listed)
  const unlisted = moreErrors + listed.length - errors.length
  const rest = unlisted === 0 ? '' : `; and ${unlisted} more`
  return {
    ...refusal.members,
    type: problemAddress(baseUrl(), refusal.code),
    title,
    status,
    detail: shortened(refusal.message, DETAIL_LENGTH_MAX) + rest,
    instance: (address.split('?')[0] ?? '').slice(0, INSTANCE_LENGTH_MAX),
    code: refusal.code,
    request_id: requestId,
    ...(status === 400 ? { errors } : {}),
    ...(status === 400 && unlisted > 0 ? { more_errors: unlisted } : {}),
  }
}

// These limits keep any response within 8 KiB, regardless of the request. A character takes up to three bytes, and a
// surrogate pair takes four.
const ERRORS_BYTES_MAX = 3_000
const FIELD_LENGTH_MAX = 200
const MESSAGE_LENGTH_MAX = 400
const DETAIL_LENGTH_MAX = 600
const INSTANCE_LENGTH_MAX = 1_500

/** Returns the first errors that fit, at least one, each truncated to a readable length. */
function withinBytes(errors: readonly ShownError[]): ShownError[] {
  const within: ShownError[] = []
  let bytes = 0
  for (const { field, code, message } of errors) {
    const error = {
      field: shortened(field, FIELD_LENGTH_MAX),
      code,
      message: shortened(message, MESSAGE_LENGTH_MAX),
    }
    bytes += Buffer.byteLength(JSON.stringify(error))
    if (within.length > 0 && bytes > ERRORS_BYTES_MAX) break
    within.push(error)
  }
  return within
}

/** Replaces control characters, each of which would be escaped to six bytes. */
function shortened(text: string, length: number): string {
  const short = text.length <= length ? text : `${text.slice(0, length - 1)}…`
  return short.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed()
}

/** Returns the URL of a code's page, which the `type` of a problem links to. */
function problemAddress(baseUrl: string, code: string): string {
  return `${baseUrl}/problems/${code}`
}

/** Maps Fastify's own error codes to ours. */
const FASTIFY_CODES: Readonly<Record<string, HttpRefusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body_unreadable',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body_unreadable',
  FST_ERR_BAD_URL: 'address_unreadable',
  FST_ERR_MAX_PARAM_LENGTH: 'address_unreadable',
  FST_UNDER_PRESSURE: 'overloaded',
}
const DETAILS: Partial<Readonly<Record<HttpRefusal, string>>> = {
  body_too_large: 'The body is larger than this operation accepts.',
  unsupported_media_type: 'Send the body as application/json.',
  body_unreadable: 'The body could not be parsed.',
  address_unreadable: 'The URL contains a percent-encoding that cannot be decoded, or is too long.',
  overloaded: 'The service is busy. Try again in a moment.',
}

/** Returns true if the client disconnected mid-body, the only connection error to which Fastify assigns a status. */
function isCutOff(error: unknown): boolean {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  return code === 'ECONNRESET' && statusCode === 400
}

function toRefusal(table: RefusalTable, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  // Triggers signal a refusal by raising a constraint violation named after it.
  const constraint = findConstraint(error)
  if (constraint !== null && constraint in table) return new Refusal(constraint, (error as Error).message)
  const { code } = error as { code?: string }
  if (isUnavailable(error))
    return new Problem('overloaded', 'The database did not respond in time. Try again in a moment.')
  const known = FASTIFY_CODES[code ?? '']
  return new Problem(
    known ?? 'internal_error',
    (known && DETAILS[known]) ?? 'Something went wrong on our side. Report the request id if it happens again.',
  )
}
