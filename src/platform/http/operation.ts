import type { FastifyReply, FastifyRequest, HTTPMethods, RouteShorthandOptions } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import type { App } from './app.ts'
import { namedObject, strictObject } from './fields.ts'
import { checkLists, validatorFor } from './validation.ts'

/** `config` says who may call it; a body is at most `bodyLimit` bytes, 1 MiB by default. */
type Options = Pick<
  RouteShorthandOptions,
  'config' | 'bodyLimit' | 'preValidation' | 'validatorCompiler' | 'serializerCompiler'
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
  /** Further statuses of this operation. */
  readonly refusals?: readonly number[]
  /** Needs no key; then refusals lists all its statuses. */
  readonly open?: true
}
type Call<Params extends TSchema, Query extends TSchema, Body extends TSchema> = {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Static<Body>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
type Address = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

const PROBLEM_NAMES: Readonly<Record<string, string>> = {
  400: 'Unreadable or invalid input; errors[] names the fields',
  401: 'No valid key',
  403: 'The key lacks the scope',
  404: 'This publisher has nothing under this identifier',
  409: 'Conflict with the current state',
  410: 'No longer kept',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'Valid, but cannot be carried out',
  429: 'Too many requests; see Retry-After',
  502: 'Unexpected answer from the provider',
  503: 'Busy or unavailable; see Retry-After',
  504: 'The provider did not answer in time',
}

const FieldErrorSchema = namedObject('FieldError', {
  field: Type.String({
    description: 'Path to the field from the top of the body, or the parameter; empty where no field is at fault.',
  }),
  code: Type.String({ description: 'What is wrong with it, for programs.' }),
  message: Type.String({ description: 'What is wrong with it, for people.' }),
})
const ProblemSchema = namedObject(
  'Problem',
  {
    type: Type.String({ description: 'An address that names the kind of problem.' }),
    title: Type.String({ description: 'The kind of problem in a few words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong here, for people.' }),
    instance: Type.String({ description: 'The path that was asked for.' }),
    code: Type.String({ description: 'What is wrong here, for programs.' }),
    request_id: Type.String({ description: 'Name it when you ask us about this answer.' }),
    errors: Type.Optional(Type.Array(FieldErrorSchema, { description: 'The first fields at fault; on 400 only.' })),
    more_errors: Type.Optional(
      Type.Integer({ description: 'How many more fields are at fault; a long batch is counted up to a thousand.' }),
    ),
  },
  { additionalProperties: true },
)

/** Without a query schema every parameter is refused. */
const NO_QUERY = strictObject({})

/**
 * What registers the operations of one tag on an app: routing, validation, serialization, types and the API reference
 * all follow from the parts of an operation. Its handler gets the validated input and the result of `callerOf`.
 */
export function operationsOn<Caller extends object>(
  app: App,
  tag: string,
  callerOf: (request: FastifyRequest, reply: FastifyReply) => Caller,
) {
  return <Params extends TSchema, Query extends TSchema, Body extends TSchema, Answer extends TSchema>(
    address: Address,
    parts: Parts<Params, Query, Body, Answer> & {
      readonly handler: (call: Call<Params, Query, Body> & Caller) => Promise<Static<Answer>>
    },
  ): void => {
    const [method = '', url = ''] = address.split(' ')
    const { config = {}, bodyLimit, preValidation, serializerCompiler } = parts
    const { batch } = config
    const validatorCompiler = batch === undefined ? parts.validatorCompiler : exceptBody
    const options = { config, bodyLimit, preValidation, validatorCompiler, serializerCompiler }
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

function schemaOf(tag: string, parts: Parts<TSchema, TSchema, TSchema, TSchema>): object {
  const { id, summary, description, params, query = NO_QUERY, body, bodyExample, content, open, refusals = [] } = parts
  const usual = open === true ? [400] : [400, 401, 403, 429]
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
    response: {
      200: { ...answer, description: 'Done' },
      ...problemAnswers([...new Set([...usual, ...refusals])].sort()),
    },
  }
}

/** The response schemas of refusals with these statuses; `default` is any other. */
export function problemAnswers(statuses: readonly (number | 'default')[]): Record<string, unknown> {
  const content = { 'application/problem+json': { schema: ProblemSchema } }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: PROBLEM_NAMES[status] ?? 'Refused', content }]),
  )
}
