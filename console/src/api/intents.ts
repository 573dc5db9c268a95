import type { Middleware } from 'openapi-fetch'

const HEADER = 'Idempotency-Key'
const REFUSED_BY_SERVER = 500

/** The keys of mutating requests without an answer yet, by the content of the request. */
const unanswered = new Map<string, string>()

async function describeRequest(request: Request): Promise<string> {
  const { method, url, headers } = request
  return [method, url, headers.get('Laurel-Publisher'), await request.clone().text()].join('\n')
}

/** Browsers offer randomUUID only on secure origins; the console may also run on plain HTTP in a private network. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Gives each intended change one Idempotency-Key. Until the service has answered, repeating a request (by a double
 * click, or a retry after the connection broke) is the same intent, so it carries the same key and takes effect once.
 */
export const intents: Middleware = {
  onRequest: async ({ request }) => {
    if (request.method === 'GET') return
    const intent = await describeRequest(request)
    const key = unanswered.get(intent) ?? newKey()
    unanswered.set(intent, key)
    request.headers.set(HEADER, key)
  },
  onResponse: ({ request, response }) => {
    const key = request.headers.get(HEADER)
    if (key === null || response.status >= REFUSED_BY_SERVER) return
    for (const [intent, known] of unanswered) if (known === key) unanswered.delete(intent)
  },
}
