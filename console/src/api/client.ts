import createClient from 'openapi-fetch'
import { intents } from './intents.ts'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']

export const api = createClient<paths, 'application/json'>({ baseUrl: location.origin })
api.use(intents)

/** Thrown when the service refuses a call. The message is written for people. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** The error message for each field, keyed by field name. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, problem: Partial<Schemas['Problem']>) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`)
    this.status = status
    this.code = problem.code ?? ''
    this.fields = Object.fromEntries((problem.errors ?? []).map(({ field, message }) => [field, sentence(message)]))
  }
}

/**
 * Returns the body of a response.
 * @throws Refused if the service refuses the call; TypeError if it cannot be reached
 */
export async function bodyOf<Body>(call: Promise<{ data?: Body; error?: unknown; response: Response }>): Promise<Body> {
  const { data, error, response } = await call
  if (!response.ok) throw new Refused(response.status, typeof error === 'object' && error !== null ? error : {})
  return data as Body
}

/** Returns the header that lets operators use a publisher's operations. */
export function actingFor(publisherId: string): { headers: { 'Laurel-Publisher': string } } {
  return { headers: { 'Laurel-Publisher': publisherId } }
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
