import type { Middleware } from 'openapi-fetch'
import { randomId } from './random-id.ts'

const HEADER = 'Idempotency-Key'
const REFUSED_BY_SERVER = 500

/** The keys of mutating requests that have had no conclusive response yet, by request content. */
const unanswered = new Map<string, string>()

async function describeRequest(request: Request): Promise<string> {
  const { method, url, headers } = request
  return [method, url, headers.get('Laurel-Publisher'), await request.clone().text()].join('\n')
}

/**
 * Assigns each intended change one Idempotency-Key. Until the service responds conclusively, repeating a request
 * (because of a double click, or a retry after a lost connection) sends the same key, so the change takes effect only
 * once.
 */
export const intents: Middleware = {
  onRequest: async ({ request }) => {
    if (request.method === 'GET') return
    const intent = await describeRequest(request)
    const key = unanswered.get(intent) ?? randomId()
    unanswered.set(intent, key)
    request.headers.set(HEADER, key)
  },
  onResponse: ({ request, response }) => {
    const key = request.headers.get(HEADER)
    if (key === null || response.status >= REFUSED_BY_SERVER) return
    for (const [intent, known] of unanswered) if (known === key) unanswered.delete(intent)
  },
}
