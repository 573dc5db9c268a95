import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import Type, { type Static, type TProperties } from 'typebox'
import { checkSecret, checkTokens, findItemByToken, invalidKeys } from '../credentials.ts'
import { ProviderError } from '../errors.ts'
import { isBetweenPages } from '../feed.ts'
import type { World } from '../world.ts'
import { misbehave, refuseForLimit, spoilAnswers } from './misbehave.ts'

/** A Fastify instance whose handlers get their request types from the schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Builds the schema of a call's body, which may contain credentials but no unknown fields. */
export function call<Fields extends TProperties>(fields: Fields) {
  const credentials = { client_id: Type.Optional(Type.String()), secret: Type.Optional(Type.String()) }
  return Type.Object({ ...credentials, ...fields }, { additionalProperties: false })
}

export type Call<Fields extends TProperties> = Static<ReturnType<typeof call<Fields>>>

/**
 * Sets up the rules for every call: credentials are checked first, every response has a request id, and all errors have
 * the same format.
 */
export function openDoor(app: App, world: World): void {
  app.addHook('preValidation', async (request, reply) => {
    const { clientId, secret } = readCredentials(request)
    checkSecret(world, clientId, secret)
    const body = readBody(request)
    const itemId = findItemByToken(world, body['access_token'])?.itemId ?? null
    const path = request.routeOptions.url ?? ''
    if (!world.limits.admits({ path, clientId, itemId })) return refuseForLimit(path, reply)
    const cursor = typeof body['cursor'] === 'string' ? body['cursor'] : ''
    const faults = world.faults.strike({ path, clientId, itemId, betweenPages: isBetweenPages(cursor) })
    if (faults.length > 0) return misbehave(faults, request, reply)
    checkTokens(world, clientId, body)
  })
  spoilAnswers(app, world.faults)
  app.addHook('preSerialization', async (request, _reply, content) => {
    return typeof content === 'object' ? { ...content, request_id: request.id } : content
  })
  app.setErrorHandler(sendError)
}

export function readClient(request: FastifyRequest): string {
  return readCredentials(request).clientId
}

/**
 * Reads the credentials from the headers or the body.
 * @throws ProviderError INVALID_API_KEYS unless both are present
 */
function readCredentials(request: FastifyRequest): { readonly clientId: string; readonly secret: string } {
  const { headers } = request
  const body = readBody(request)
  const clientId = headers['plaid-client-id'] ?? body['client_id']
  const secret = headers['plaid-secret'] ?? body['secret']
  if (typeof clientId !== 'string' || clientId === '' || typeof secret !== 'string' || secret === '')
    throw invalidKeys()
  return { clientId, secret }
}

function readBody({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}

export function presentError(error: ProviderError, requestId: string) {
  return {
    error_type: error.type,
    error_code: error.code,
    error_code_reason: null,
    error_message: error.message,
    display_message: error.displayMessage,
    request_id: requestId,
    suggested_action: null,
  }
}

function sendError(error: FastifyError | ProviderError, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof ProviderError ? error : asProviderError(error)
  if (known.status >= 500) console.error(error)
  return reply.status(known.status).send(presentError(known, request.id))
}

function asProviderError(error: FastifyError): ProviderError {
  const faults = error.validation ?? []
  const named = (keyword: string, parameter: string) =>
    faults.filter((fault) => fault.keyword === keyword).map((fault) => String(fault.params[parameter]))
  const missing = named('required', 'missingProperty')
  if (missing.length > 0) {
    return new ProviderError('MISSING_FIELDS', `the following required fields are missing: ${missing.join(', ')}`)
  }
  const unknown = named('additionalProperties', 'additionalProperty')
  if (unknown.length > 0) {
    return new ProviderError('UNKNOWN_FIELDS', `the following fields are not recognized: ${unknown.join(', ')}`)
  }
  const [fault] = faults
  if (fault !== undefined) {
    const field = fault.instancePath.slice(1).replaceAll('/', '.')
    return new ProviderError('INVALID_FIELD', `${field === '' ? 'the body' : field} ${fault.message ?? 'is not valid'}`)
  }
  const status = error.statusCode ?? 500
  if (status < 500) return new ProviderError('INVALID_BODY', 'the body could not be read as JSON')
  return new ProviderError('INTERNAL_SERVER_ERROR', 'an unexpected error occurred')
}
