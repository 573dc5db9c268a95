import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { type FieldError, fieldErrorsOf } from './field-errors.ts'

/** The status and title of each refusal code; src/refusals.ts covers the closed union of all codes. */
export type RefusalTable = Readonly<Record<string, { readonly status: number; readonly title: string }>>

/** Refusals before any room is called. */
export type HttpRefusal =
  | 'invalid_input'
  | 'body_unreadable'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'key_missing'
  | 'key_invalid'
  | 'rate_limited'
  | 'address_unreadable'
  | 'overloaded'
  | 'timeout'
  | 'internal_error'

/** A refusal before any room is called, with the invalid fields. */
export class Problem extends Refusal<HttpRefusal> {
  readonly errors: readonly FieldError[] | null

  constructor(code: HttpRefusal, detail: string, options: { readonly errors?: readonly FieldError[] } = {}) {
    super(code, detail)
    this.errors = options.errors ?? null
  }
}

/** A refusal that names each invalid field. */
export function invalidInput(errors: readonly FieldError[]): Problem {
  const detail = errors.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')
  return new Problem('invalid_input', detail, { errors })
}

/**
 * Turns anything thrown into a problem response. Anything but a refusal is a bug: it is logged in full and leaks
 * nothing.
 */
export function answerProblem(
  table: RefusalTable,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.code === 'internal_error')
    request.log.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'a request failed')
  const body = problemBody(table, refusal, request.id, request.url)
  if (refusal.retryAfterSeconds !== null) reply.header('Retry-After', String(refusal.retryAfterSeconds))
  else if (body.status === 503) reply.header('Retry-After', '1')
  return (
    reply
      .code(body.status)
      .header('Content-Type', 'application/problem+json')
      // Set here too, because what fails before a route is found passes no hook.
      .header('X-Request-Id', request.id)
      .header('Cache-Control', 'no-store')
      .send(JSON.stringify(body))
  )
}

type ProblemBody = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: string
  request_id: string
  errors?: readonly FieldError[]
}

/** All members of RFC 9457 with our code and request id; errors[] on 400 only, if a field can be named. */
export function problemBody(table: RefusalTable, refusal: Refusal, requestId: string, address: string): ProblemBody {
  const { status, title } = table[refusal.code] ?? { status: 500, title: 'Internal error' }
  const errors =
    refusal instanceof Problem && refusal.errors !== null
      ? refusal.errors
      : [{ field: refusal.field ?? '', code: refusal.code, message: refusal.message }]
  return {
    ...refusal.members,
    type: problemType(refusal.code),
    title,
    status,
    detail: refusal.message,
    instance: address.split('?')[0] ?? '',
    code: refusal.code,
    request_id: requestId,
    ...(status === 400 ? { errors } : {}),
  }
}

export function problemType(code: string): string {
  return `https://laurel.dev/problems/${code.replaceAll('_', '-')}`
}

/** Fastify's own errors, by code, in our words. */
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
  body_unreadable: 'The body cannot be read.',
  address_unreadable: 'The address holds a percent-encoding that cannot be decoded, or is too long.',
  overloaded: 'The service is busy; try again in a moment.',
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, validation } = error as { code?: string; validation?: unknown }
  if (Array.isArray(validation)) {
    return invalidInput(fieldErrorsOf(validation, (error as { validationContext?: string }).validationContext))
  }
  const known = FASTIFY_CODES[code ?? '']
  return new Problem(
    known ?? 'internal_error',
    (known && DETAILS[known]) ?? 'Something failed on our side; the request id helps to find it.',
  )
}
