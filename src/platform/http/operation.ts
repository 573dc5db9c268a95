import type { FastifyContextConfig } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { strictObject } from './fields.ts'

type Parts = {
  /** Who may call it. */
  readonly config?: FastifyContextConfig
  /** The largest body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The schema of the answer, or its media types if it is not, or not only, JSON. */
  readonly answer?: TSchema
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

const PROBLEM_NAMES: Readonly<Record<number, string>> = {
  400: 'Unreadable or invalid input; errors[] names the fields',
  401: 'No valid key',
  403: 'The key lacks the scope',
  404: 'There is no such thing for this publisher',
  409: 'Conflict with the present state',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'Understood, but cannot be done',
  429: 'Too many requests; see Retry-After',
  502: 'The provider answered wrongly',
  503: 'Busy or unavailable; see Retry-After',
  504: 'The provider did not answer in time',
}

const FieldErrorSchema = Type.Object({
  field: Type.String({
    description: 'Way to the field from the top of the body, or the parameter; empty where none is at fault.',
  }),
  code: Type.String({ description: 'What is wrong with it, for programs.' }),
  message: Type.String({ description: 'What is wrong with it, for people.' }),
})
const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'An address that names the kind of problem.' }),
    title: Type.String({ description: 'The kind of problem in a few words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong here, for people.' }),
    instance: Type.String({ description: 'The path that was asked for.' }),
    code: Type.String({ description: 'What is wrong here, for programs.' }),
    request_id: Type.String({ description: 'Name it when you ask us about this answer.' }),
    errors: Type.Optional(Type.Array(FieldErrorSchema, { description: 'The fields at fault; on 400 only.' })),
  },
  { additionalProperties: true },
)

/** Without a query schema every parameter is refused. */
const NO_QUERY = strictObject({})

/** The options of a route: validation, serialization, types and the API reference all follow from them. */
export function operation<const P extends Parts>(parts: P): Operation<P> {
  const usual = parts.open === true ? [400] : [400, 401, 403, 429]
  const response: Record<number, unknown> = {
    200:
      parts.content === undefined
        ? { ...parts.answer, description: 'Done', examples: [parts.example] }
        : { description: 'Done', content: parts.content },
    ...problemAnswers([...new Set([...usual, ...(parts.refusals ?? [])])].sort()),
  }
  // The compiler cannot compare the conditional members of the result's type.
  const schema: object = {
    operationId: parts.id,
    summary: parts.summary,
    ...(parts.description === undefined ? {} : { description: parts.description }),
    tags: [parts.tag],
    ...(parts.open === true ? { security: [] } : {}),
    ...(parts.params === undefined ? {} : { params: parts.params }),
    querystring: parts.query ?? NO_QUERY,
    ...(parts.body === undefined
      ? {}
      : { body: parts.bodyExample === undefined ? parts.body : { ...parts.body, examples: [parts.bodyExample] } }),
    response,
  }
  const { config = {}, bodyLimit } = parts
  return { config, ...(bodyLimit === undefined ? {} : { bodyLimit }), schema: schema as OperationSchema<P> }
}

/** The response schemas of refusals with these statuses. */
export function problemAnswers(statuses: readonly number[]): Record<number, unknown> {
  const content = { 'application/problem+json': { schema: ProblemSchema } }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: PROBLEM_NAMES[status] ?? 'Refused', content }]),
  )
}

type Operation<P extends Parts> = {
  config: FastifyContextConfig
  bodyLimit?: number
  schema: OperationSchema<P>
}
type OperationSchema<P extends Parts> = {
  operationId: string
  summary: string
  tags: string[]
} & (P extends { answer: infer S extends TSchema } ? { response: { 200: S } } : object) &
  (P extends { params: infer S extends TSchema } ? { params: S } : object) &
  (P extends { query: infer S extends TSchema } ? { querystring: S } : object) &
  (P extends { body: infer S extends TSchema } ? { body: S } : object)
