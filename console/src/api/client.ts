import createClient from 'openapi-fetch'
import { intents } from './intents.ts'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']

export const api = createClient<paths>({ baseUrl: location.origin })
api.use(intents)

/** The service refused a call; the message is written for people. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** What is wrong with each field, by its name. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, problem: Partial<Schemas['Problem']>) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`)
    this.status = status
    this.code = problem.code ?? ''
    this.fields = Object.fromEntries((problem.errors ?? []).map(({ field, message }) => [field, sentence(message)]))
  }
}

/**
 * The body of an answer.
 * @throws Refused when the service refuses; TypeError when it cannot be reached
 */
export async function bodyOf<Body>(call: Promise<{ data?: Body; error?: unknown; response: Response }>): Promise<Body> {
  const { data, error, response } = await call
  if (!response.ok) throw new Refused(response.status, typeof error === 'object' && error !== null ? error : {})
  return data as Body
}

/** Operators use the publishers' operations by naming the publisher. */
export function actingFor(publisherId: string): { headers: { 'Laurel-Publisher': string } } {
  return { headers: { 'Laurel-Publisher': publisherId } }
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
