import createClient from 'openapi-fetch'
import { intents } from './intents.ts'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']

const client = createClient<paths, 'application/json'>({ baseUrl: location.origin })
client.use(intents)

/** Thrown when the service rejects a call. The message is meant for people. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly errors: Schemas['Problem']['errors'] & object
  /** The error message for each field, keyed by field name. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, problem: Partial<Schemas['Problem']>) {
    super(problem.detail ?? problem.title ?? `The service responded with ${status}.`)
    this.status = status
    this.code = problem.code ?? ''
    this.errors = problem.errors ?? []
    this.fields = Object.fromEntries(this.errors.map(({ field, message }) => [field, sentence(message)]))
  }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Operation<M extends Method, Path extends keyof paths> = NonNullable<paths[Path][M]>
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

type Succeeded<Responses> = { [Status in keyof Responses & (200 | 201 | 202 | 204)]: Json<Responses[Status]> }
type AnswerTo<Op> = Op extends { responses: infer Responses } ? Succeeded<Responses>[keyof Succeeded<Responses>] : never
/** The body of an operation's response. */
export type Answer<M extends Method, Path extends keyof paths> = AnswerTo<Operation<M, Path>>

type PathOf<Op> = Op extends { parameters: { path: infer Path } } ? { path: Path } : unknown
// The client omits query parameters that are undefined.
type Loose<Query> = { [Name in keyof Query]: Query[Name] | undefined }
type QueryOf<Op> = Op extends { parameters: { query: infer Query } }
  ? { query: Loose<Query> }
  : Op extends { parameters: { query?: infer Query } }
    ? { query?: Loose<NonNullable<Query>> }
    : unknown
type Json<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : undefined
type BodyOf<Op> = Op extends { requestBody: infer Message }
  ? { body: Json<Message> }
  : Op extends { requestBody?: infer Message }
    ? { body?: Json<NonNullable<Message>> }
    : unknown
/** The parameters and body of an operation. */
export type Input<M extends Method, Path extends keyof paths> = PathOf<Operation<M, Path>> &
  QueryOf<Operation<M, Path>> &
  BodyOf<Operation<M, Path>> & {
    /** The publisher on whose behalf an operator uses one of its operations. */
    readonly publisher?: string
    readonly signal?: AbortSignal
  }
/** The arguments after the path. They can be omitted if the operation requires none. */
export type Arguments<M extends Method, Path extends keyof paths> =
  Record<never, never> extends Input<M, Path> ? [input?: Input<M, Path>] : [input: Input<M, Path>]

type Given = { path?: object; query?: object; body?: unknown; publisher?: string; signal?: AbortSignal }

type Request = (method: Method, address: string, options: object) => Promise<Received>
type Received = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }

async function send(
  method: Method,
  address: string,
  given: Given = {},
  parseAs: keyof Read | 'json' = 'json',
): Promise<unknown> {
  const { path, query, publisher, ...rest } = given
  const headers = publisher === undefined ? {} : { 'Laurel-Publisher': publisher }
  const request = client.request as Request
  const { data, error, response } = await request(method, address, {
    params: { path, query },
    headers,
    parseAs,
    ...rest,
  })
  if (!response.ok) throw new Refused(response.status, typeof error === 'object' && error !== null ? error : {})
  return data
}

/**
 * Returns a function that calls operations with one HTTP method and returns the response body. It throws Refused if the
 * service rejects the call, and TypeError if the service cannot be reached.
 */
function caller<M extends Method>(method: M) {
  return <Path extends PathWith<M>>(path: Path, ...[input]: Arguments<M, Path>) =>
    send(method, path, input) as Promise<Answer<M, Path>>
}

export const [get, post, put] = [caller('get'), caller('post'), caller('put')]
export const [patch, del] = [caller('patch'), caller('delete')]

type Read = { text: string; blob: Blob; stream: ReadableStream<Uint8Array<ArrayBuffer>> }

/** Reads a response that is not JSON, or that must not be parsed. */
export function getAs<As extends keyof Read, Path extends PathWith<'get'>>(
  as: As,
  path: Path,
  ...[input]: Arguments<'get', Path>
) {
  return send('get', path, input, as) as Promise<Read[As]>
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
