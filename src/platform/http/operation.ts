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
    /** The operation's door; open operations have none. */
    door?: Door
    /** The operation takes an Idempotency-Key. */
    isKept?: boolean
  }
}

/** The common properties of the operations for one kind of caller. */
export type Door = {
  /** The refusal codes of the door itself. */
  readonly refusalsOf: (method: string, config: FastifyContextConfig) => readonly string[]
  /** Changes take an Idempotency-Key: their first answer is stored and replayed. */
  readonly keepsAnswers: boolean
  /** Further headers that the door reads, and those that it adds to answers. */
  readonly requestHeaders: readonly string[]
  readonly answerHeaders: readonly string[]
}

/** `config` says who may call it; a body is at most `bodyLimit` bytes, 1 MiB by default. */
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
  /** The schema of the answer, or its media types if it is not, or not only, JSON. */
  readonly answer?: Answer
  readonly content?: Readonly<Record<string, { readonly schema: TSchema; readonly example: unknown }>>
  /** An example of the answer, shown in the API reference. */
  readonly example?: unknown
  /** An example of the body, if there is one. */
  readonly bodyExample?: unknown
  /** Its refusal codes, besides those of its door and those of every request. */
  readonly refusals?: readonly string[]
  /** Needs no key. */
  readonly open?: true
  /** A change that ignores Idempotency-Key, because it has no effect or is safe to repeat anyway. */
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

/** Without a query schema every parameter is refused. */
const NO_QUERY = strictObject({})

/**
 * What registers the operations of one tag on an app: routing, validation, serialization, types and the API reference
 * all follow from the parts of an operation. Its handler gets the validated input and the result of `callerOf`. Without
 * a door its operations need no key.
 */
export function operationsOn<Caller extends object>(
  app: App,
  tag: string,
  callerOf: (request: FastifyRequest, reply: FastifyReply) => Caller,
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
      schema: schemaOf(tag, parts),
      handler: async (request, reply) => {
        if (batch !== undefined && batch.alone !== true && parts.body !== undefined)
          request.body = await checkLists(parts.body, request.body, batch.members)
        const { params, query, body } = request as unknown as Call<Params, Query, Body>
        return parts.handler({ ...callerOf(request, reply), params, query, body, request, reply })
      },
    })
  }
}

/** The body of a batch is validated in slices; where items are refused alone, by the handler. */
const exceptBody: RouteShorthandOptions['validatorCompiler'] = (route) =>
  route.httpPart === 'body' ? () => true : validatorFor(route)

/** The refusal codes of every operation with this method. */
function usualRefusals(method: string): readonly HttpRefusal[] {
  return [
    ...(['invalid_input', 'rate_limited', 'overloaded', 'internal_error'] as const),
    ...(method === 'GET' ? [] : (['body_unreadable', 'body_too_large', 'unsupported_media_type'] as const)),
  ]
}

/** The metadata that the API reference and tests need from a route registered without `operationsOn`. */
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
    ...(door?.refusalsOf(method, config) ?? []),
    ...(isKept ? ['idempotency_key_invalid', 'idempotency_key_reused'] : []),
    ...refusals,
  ]
  return { ...config, ...(door && { door }), isKept, refusals: [...new Set(codes)] }
}

function schemaOf(tag: string, parts: Parts<TSchema, TSchema, TSchema, TSchema>): object {
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
