import { type Answer, type Call, fetchPatiently, type TestApp } from '../support/app.ts'
import { dereference, type Schema } from '../support/openapi.ts'
import { ROWS } from './operation-rows.ts'
import type { Row } from './row.ts'

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}
type Media = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
export type Operation = {
  readonly method: string
  readonly path: string
  readonly row: Row
  readonly operationId: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Media; readonly headers?: object }>
  >
}

/** Returns the operations in the running service's API reference, each with its row. */
export async function readOperations(url: string): Promise<Operation[]> {
  return operationsIn((await (await fetchPatiently(new URL('/openapi.json', url))).json()) as object)
}

export function operationsIn(reference: object): Operation[] {
  const { paths } = dereference(reference) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path' | 'row'>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const row = ROWS[operation.operationId]
      if (row === undefined) throw new Error(`${operation.operationId} has no row of a sound request in operations.ts`)
      return { ...operation, method: method.toUpperCase(), path, row }
    }),
  )
}

/** Returns a caller that may call operations with this scope. */
export function callFor(app: Pick<TestApp, 'call' | 'operator' | 'person'>, scope: Row['scope']): Call {
  if (scope === 'operator') return app.operator
  return scope === 'session' ? app.person : app.call
}

/** Builds a request's address. Values are percent-encoded unless `encode` leaves them raw. */
export function buildAddress(
  operation: Pick<Operation, 'path'>,
  { params = {}, query = {} }: Pick<Row, 'params' | 'query'>,
  encode: (text: string) => string = encodeURIComponent,
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the row for ${operation.path} has no ${name}`)
    return encode(value)
  })
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

const LEAKS = /node_modules|\/src\/|\.ts\b|at .*\(.*:\d+:\d+\)|\bselect\b .*\bfrom\b|PostgresError|syntax error/i

/** Explains why a response is not a complete problem body with this status. Returns null if it is complete. */
export function problemFault(answer: Answer, status: number, path: string): string | null {
  const { body, headers } = answer
  if (answer.status !== status) return `answered ${answer.status}, not ${status}: ${JSON.stringify(body)}`
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return 'is no application/problem+json'
  for (const member of ['type', 'title', 'detail', 'instance', 'code', 'request_id']) {
    if (typeof body[member] !== 'string') return `lacks ${member}`
  }
  if (body.status !== status) return 'tells another status'
  if (body.request_id !== headers.get('x-request-id')) return 'tells another request id'
  // The path is truncated, like everything that a response echoes.
  if (body.instance !== path.split('?')[0]?.slice(0, 1_500)) return `names ${body.instance} as its instance`
  if ((status === 400) !== Array.isArray(body.errors)) return 'has errors[] where it must not, or lacks it'
  if (LEAKS.test(JSON.stringify(body))) return `leaks something: ${JSON.stringify(body)}`
  return null
}
