import { performance } from 'node:perf_hooks'
import { UserError } from '../errors.ts'
import { answer, shorten, styled } from '../terminal.ts'

const WIDTH = 100
// The width of the longest path, that of a decision.
const PATH_WIDTH = 54
// The slowest call advances the clock and does all the work that falls due.
const CALL_LIMIT_MS = 15_000

type Method = 'GET' | 'POST' | 'PUT'
/** Picks the fields of a response that show what happened. */
type PickDetails<T> = (answer: T) => Readonly<Record<string, unknown>>

type CallDetails<T> = { readonly body?: unknown; readonly details?: PickDetails<T> }

export type Caller = {
  /**
   * Makes a call, prints it with details of the response, and returns the response.
   * @throws UserError unless the status is 200
   */
  call<T>(method: Method, path: string, options?: CallDetails<T>): Promise<T>
  /** Makes a call for polling: prints nothing and also returns the duration. */
  ask<T>(path: string): Promise<{ readonly body: T; readonly ms: number }>
}

export function createCaller(baseUrl: string, headers: Readonly<Record<string, string>>, name = ''): Caller {
  const send = async <T>(method: Method, path: string, body?: unknown) => {
    const begun = performance.now()
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    })
    const text = await response.text()
    const ms = performance.now() - begun
    if (response.status !== 200)
      throw new UserError(`${method} ${path} responded with ${response.status}: ${extractDetail(text)}`)
    // Each caller declares the fields it reads; the API guarantees them.
    return { body: JSON.parse(text) as T, ms }
  }
  return {
    call: async <T>(method: Method, path: string, options: CallDetails<T> = {}) => {
      const { body, ms } = await send<T>(method, path, options.body)
      showCall(method, name + path, ms, options.details?.(body) ?? {})
      return body
    },
    ask: (path) => send('GET', path),
  }
}

/** Prints a call on one line. Details that do not fit go on the next line. */
export function showCall(method: string, path: string, ms: number, details: Readonly<Record<string, unknown>>): void {
  const address = shorten(path, PATH_WIDTH).padEnd(PATH_WIDTH)
  const time = `${Math.round(ms)} ms`.padStart(7)
  const call = `${styled('cyan', method.padEnd(4))} ${address} ${styled('green', '200')} ${time}`
  const taken = 2 + 4 + 1 + PATH_WIDTH + 1 + 3 + 1 + 7 + 2
  const detail = Object.entries(details)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
  const fits = detail.length <= WIDTH - taken
  answer(fits ? `  ${call}  ${styled('dim', detail)}`.trimEnd() : `  ${call}`)
  if (!fits) answer(`       ${styled('dim', shorten(detail, WIDTH - 7))}`)
}

function extractDetail(text: string): string {
  try {
    const { detail, error_message } = JSON.parse(text)
    return String(detail ?? error_message ?? text)
  } catch {
    return shorten(text, 200)
  }
}
