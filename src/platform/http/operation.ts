import type { FastifyContextConfig, FastifyReply, FastifyRequest, HTTPMethods, RouteShorthandOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { App } from './app.ts'
import { strictObject } from './fields.ts'
import type { HttpRefusal } from './problems.ts'
import { checkLists, validatorFor } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every refusal code of the operation. */
    refusals?: readonly string[]
    /** The operation's door; undefined for open operations. */
    door?: Door
    /** True if the operation accepts an Idempotency-Key. */
    isKept?: boolean
  }
}

/** The properties shared by all operations for one kind of caller. */
export type Door = {
  /** The refusal codes of the door itself. */
  readonly listRefusals: (method: string, config: FastifyContextConfig) => readonly string[]
  /** True if changes accept an Idempotency-Key: the first response is stored and replayed. */
  readonly keepsAnswers: boolean
  /** Additional headers that the door reads from requests and adds to responses. */
  readonly requestHeaders: readonly string[]
  readonly answerHeaders: readonly string[]
}

/** `config` defines who may call the operation. Bodies are limited to `bodyLimit` bytes, 1 MiB by default. */
type Options = Pick<
  RouteShorthandOptions,
  'config' | 'bodyLimit' | 'exposeHeadRoute' | 'preValidation' | 'validatorCompiler' | 'serializerCompiler'
>
type Parts<Params extends TSchema, Query extends TSchema, Body extends TSchema, Answer extends TSchema> = Options & {
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The schema of a JSON response. Other responses list their media types in `content` instead. */
  readonly answer?: Answer
  readonly content?: Readonly<Record<string, { readonly schema: TSchema; readonly example?: unknown }>>
  /** An example response, shown in the API reference. */
  readonly example?: unknown
  /** An example body. */
  readonly bodyExample?: unknown
  /** Refusal codes in addition to those of the door and those of every request. */
  readonly refusals?: readonly string[]
  /** Set if no key is needed. */
  readonly open?: true
  /** Set on operations that ignore Idempotency-Key, because they change nothing or are idempotent anyway. */
  readonly unkept?: true
}
type Call<Params extends TSchema, Query extends TSchema, Body extends TSchema> = {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Static<Body>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
type Address = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** Rejects every parameter of an operation without a query schema. */
const NO_QUERY = strictObject({})

/**
 * Returns a function that registers the operations of one tag on an app. Routing, validation, serialization, types and
 * the API reference all derive from an operation's definition. The handler receives the validated input and the result
 * of `readCaller`. Without a door, the operations require no key.
 */
export function operationsOn<Caller extends object>(
  app: App,
  tag: string,
  readCaller: (request: FastifyRequest, reply: FastifyReply) => Caller,
  door?: Door,
) {
  return <Params extends TSchema, Query extends TSchema, Body extends TSchema, Answer extends TSchema>(
    address: Address,
    parts: Parts<Params, Query, Body, Answer> & {
      readonly handler: (call: Call<Params, Query, Body> & Caller) => Promise<Static<Answer>>
    },
  ): void => {
    const [method = '', url = ''] = address.split(' ')
    const { bodyLimit, exposeHeadRoute, preValidation, serializerCompiler } = parts
    const config = buildConfig(method, door, parts)
    const { batch } = config
    const validatorCompiler = batch === undefined ? parts.validatorCompiler : exceptBody
    const options = { config, bodyLimit, exposeHeadRoute, preValidation, validatorCompiler, serializerCompiler }
    app.route({
      ...(options as RouteShorthandOptions),
      method: method as HTTPMethods,
      url,
      schema: buildSchema(tag, parts),
      handler: async (request, reply) => {
        if (batch !== undefined && batch.alone !== true && parts.body !== undefined)
          request.body = await checkLists(parts.body, request.body, batch.members)
        const { params, query, body } = request as unknown as Call<Params, Query, Body>
        return parts.handler({ ...readCaller(request, reply), params, query, body, request, reply })
      },
    })
  }
}

/** Skips the body of a batch, which is validated in slices, or by the handler if items can be rejected individually. */
const exceptBody: RouteShorthandOptions['validatorCompiler'] = (route) =>
  route.httpPart === 'body' ? () => true : validatorFor(route)

/** Returns the refusal codes common to all operations with this method. */
function usualRefusals(method: string): readonly HttpRefusal[] {
  return [
    ...(['invalid_input', 'rate_limited', 'overloaded', 'internal_error'] as const),
    ...(method === 'GET' ? [] : (['body_unreadable', 'body_too_large', 'unsupported_media_type'] as const)),
  ]
}

/** Returns the metadata that the API reference and tests need for a route registered without `operationsOn`. */
export function openConfig(method: string, refusals: readonly string[]): FastifyContextConfig {
  return { refusals: [...usualRefusals(method), ...refusals] }
}

function buildConfig(
  method: string,
  door: Door | undefined,
  { config = {}, refusals = [], unkept }: Parts<TSchema, TSchema, TSchema, TSchema>,
): FastifyContextConfig {
  const isKept = method !== 'GET' && door?.keepsAnswers === true && unkept !== true
  const codes = [
    ...usualRefusals(method),
    ...(door?.listRefusals(method, config) ?? []),
    ...(isKept ? ['idempotency_key_invalid', 'idempotency_key_reused'] : []),
    ...refusals,
  ]
  return { ...config, ...(door && { door }), isKept, refusals: [...new Set(codes)] }
}

function buildSchema(tag: string, parts: Parts<TSchema, TSchema, TSchema, TSchema>): object {
  const { id, summary, description, params, query = NO_QUERY, body, bodyExample, content, open } = parts
  const answer = content === undefined ? { ...parts.answer, examples: [parts.example] } : { content }
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: open === true ? [] : undefined,
    ...(params && { params }),
    querystring: query,
    ...(body && { body: bodyExample === undefined ? body : { ...body, examples: [bodyExample] } }),
    response: { 200: { ...answer, description: 'Done' } },
  }
}
