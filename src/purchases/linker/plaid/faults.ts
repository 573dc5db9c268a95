import { type FaultKind, ProviderFault, type Symptom } from '../provider.ts'

const TIMEOUTS = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED', 'TimeoutError', 'AbortError'])
const LIMITED = 'RATE_LIMIT_EXCEEDED'
// Error types that call for a later retry, regardless of the status. The second is a problem at the bank, not the
// provider.
const DOWN = 'API_ERROR'
const BANK = 'INSTITUTION_ERROR'
// A longer Retry-After is capped at this value.
const RETRY_AFTER_MAX_S = 3_600

type Failure = {
  readonly code?: unknown
  readonly name?: unknown
  readonly response?: { readonly status: number; readonly data: unknown; readonly headers?: unknown }
}

/**
 * Converts a failed call to a fault. An HTTP client's error carries the entire request, including secrets and tokens,
 * and the provider's messages may repeat what was sent, so only codes, ids and numbers are copied.
 */
export function toFault(error: unknown, operation: string, now: Date): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { code, name, response } = error as Failure
  if (response === undefined) {
    const word = toWord(code ?? name)
    const kind = TIMEOUTS.has(word) ? 'timeout' : 'unavailable'
    return new ProviderFault(kind, word, operation, null, { symptom: 'down' })
  }
  const { status } = response
  const answer = (typeof response.data === 'object' ? response.data : null) as Readonly<Record<string, unknown>> | null
  const retryAfterSeconds = parseRetryAfter(response.headers, now)
  const type = answer?.['error_type']
  const errorType = typeof type === 'string' ? toWord(type) : null
  const hasCode = typeof answer?.['error_code'] === 'string'
  const word = hasCode ? toWord(answer['error_code']) : `HTTP_${status}`
  const fault = (kind: FaultKind, symptom: Symptom): ProviderFault =>
    new ProviderFault(kind, word, operation, findRequestId(answer), { symptom, retryAfterSeconds, errorType })
  if (status === 429 || type === LIMITED) return fault('unavailable', 'limited')
  if (type === BANK) return fault('unavailable', 'none')
  if (status >= 500 || type === DOWN) return fault('unavailable', 'down')
  return fault(hasCode ? 'refused' : 'garbled', 'none')
}

/** Creates the fault for a response that violates the provider's contract. */
export function garbled(operation: string, code: string): ProviderFault {
  return new ProviderFault('garbled', code, operation, null)
}

function findRequestId(answer: Readonly<Record<string, unknown>> | null): string | null {
  return typeof answer?.['request_id'] === 'string' ? toWord(answer['request_id']) : null
}

/** Returns a code or an id if it is a single word. Any other text could repeat secrets from the request. */
function toWord(value: unknown): string {
  return typeof value === 'string' && /^[\w-]{1,80}$/.test(value) ? value : 'UNKNOWN'
}

/** Converts Retry-After, which may be a number of seconds or a date, to seconds. */
function parseRetryAfter(headers: unknown, now: Date): number | null {
  const header = (headers as Readonly<Record<string, unknown>> | undefined)?.['retry-after']
  if (typeof header !== 'string' || header === '') return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (new Date(header).getTime() - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), RETRY_AFTER_MAX_S) : null
}
