import { type DocumentPart, isPart, mapOperations, mapPart } from './document-parts.ts'

/** The properties of an operation that determine its headers. */
export type HeaderTraits = {
  /** True if the operation accepts an Idempotency-Key and marks replayed responses. */
  readonly isKept: boolean
  /** Additional headers that its door reads from requests and adds to responses. */
  readonly requestHeaders: readonly string[]
  readonly answerHeaders: readonly string[]
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }

const REQUEST_HEADERS: Readonly<Record<string, DocumentPart>> = {
  'Idempotency-Key': {
    description:
      'A unique string for this change, such as a UUID. For 24 hours, a retry with the same key and content returns the first response.',
    schema: { ...TEXT, minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  },
  'Laurel-Version': {
    description: 'The API version the caller was written for. Defaults to the version of the API key.',
    schema: { ...TEXT, format: 'date' },
  },
  'Laurel-Publisher': {
    description: 'For staff of the operating company: the publisher (pub_…) they act on behalf of.',
    schema: TEXT,
  },
}

const ANSWER_HEADERS: Readonly<Record<string, DocumentPart>> = {
  'X-Request-Id': { description: 'ID of this request. Quote it when you contact us.', schema: TEXT },
  'RateLimit-Limit': { description: 'Maximum number of requests in a burst.', schema: COUNT },
  'RateLimit-Remaining': { description: 'Number of requests remaining in the burst.', schema: COUNT },
  'RateLimit-Reset': { description: 'Seconds until the full burst is available again.', schema: COUNT },
  'Retry-After': { description: 'Seconds to wait before retrying the request.', schema: COUNT },
  'Idempotency-Replayed': {
    description:
      '`true` if this is a replay of the first response to an earlier request with the same Idempotency-Key.',
    schema: { ...TEXT, const: 'true' },
  },
  'Laurel-Version': { description: 'The API version that served the response.', schema: { ...TEXT, format: 'date' } },
}

// Calls with a key count against the key's limit, and all others against their network's limit.
const OF_ANY = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
// Refusals with these statuses tell the caller when to retry.
const STATUSES_WITH_RETRY: ReadonlySet<number> = new Set([429, 503])

/** Returns the headers of refusals with the given status, as references to components. */
export function describeRefusalHeaders(status: number): DocumentPart {
  return references([...OF_ANY, ...(STATUSES_WITH_RETRY.has(status) ? ['Retry-After'] : [])])
}

/** Adds the headers of each operation and its successful responses to the document as shared components. */
export function describeHeaders(document: DocumentPart, operations: ReadonlyMap<unknown, HeaderTraits>): DocumentPart {
  const inOperation = (operation: DocumentPart): DocumentPart => {
    const { isKept, requestHeaders, answerHeaders } = operations.get(operation['operationId']) ?? NONE
    const read = [...(isKept ? ['Idempotency-Key'] : []), ...requestHeaders]
    const parameters = [
      ...((operation['parameters'] as DocumentPart[] | undefined) ?? []),
      ...read.map((name) => ({ $ref: `#/components/parameters/${nameComponent(name)}Header` })),
    ]
    const headers = references([...OF_ANY, ...answerHeaders, ...(isKept ? ['Idempotency-Replayed'] : [])])
    const responses = mapPart(operation['responses'], (response) =>
      isPart(response) && !('$ref' in response) ? { ...response, headers } : response,
    )
    return { ...operation, ...(parameters.length > 0 && { parameters }), responses }
  }
  const components = document['components'] as DocumentPart
  const parameters = Object.entries(REQUEST_HEADERS).map(([name, part]) => [
    `${nameComponent(name)}Header`,
    { name, in: 'header', required: false, ...part },
  ])
  const headers = Object.entries(ANSWER_HEADERS).map(([name, part]) => [nameComponent(name), part])
  return {
    ...document,
    paths: mapOperations(document['paths'], inOperation),
    components: {
      ...components,
      parameters: { ...(components['parameters'] as DocumentPart), ...Object.fromEntries(parameters) },
      headers: Object.fromEntries(headers),
    },
  }
}

const NONE: HeaderTraits = { isKept: false, requestHeaders: [], answerHeaders: [] }

/** Returns the component name of a header: RateLimitReset for `RateLimit-Reset`. */
function nameComponent(name: string): string {
  return name.replace(/^X-/, '').replaceAll('-', '')
}

function references(names: readonly string[]): DocumentPart {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${nameComponent(name)}` }]))
}
