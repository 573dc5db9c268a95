import type { Dispatcher } from 'undici'
import { type Connections, openConnections } from '../egress/connections.ts'
import type { Egress } from '../egress/egress.ts'
import { createNames, type NameLookup } from '../egress/names.ts'
import type { AttemptError, AttemptOutcome } from '../rules.ts'

/**
 * Makes the only network calls in this module. Follows no redirects, and stores only the status and first KB of a
 * response.
 */
export type Poster = {
  /** Never throws. Every failure is an outcome. */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<AttemptOutcome>
  close(): Promise<void>
}

// A deadline for the entire call, so that a receiver that trickles its response takes no longer than a silent one.
export const DEADLINE_MS = 15_000
// The rest of a response is read only so that its connection can be reused. If there is more than this, the connection
// is closed instead.
const ANSWER_BYTES_MAX = 4096
// A receiver may signal that it is still working (1xx), but each such response costs the service more than the
// receiver.
const INTERIM_MAX = 10
// Enough for publishers to see why their receiver rejected an event.
const SHOWN_BYTES_MAX = 1024

class CallCut extends Error {}

/** @param options differ from the defaults only in tests */
export function createPoster(
  egress: Egress,
  {
    deadlineMs = DEADLINE_MS,
    names = createNames(),
  }: { readonly deadlineMs?: number; readonly names?: NameLookup } = {},
): Poster {
  let opened: Promise<Connections> | null = null
  const afterTurn = createTurns()
  return {
    post: async (url, headers, body) => {
      const call = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Laurel-Webhooks/1', ...headers },
        body,
        // Only our own deadline applies. undici's timeouts are disabled.
        headersTimeout: 0,
        bodyTimeout: 0,
      } as const
      const { promise, resolve } = Promise.withResolvers<AttemptOutcome>()
      const listener = createListener(deadlineMs, afterTurn, resolve)
      opened ??= openConnections(egress, names)
      const { agent, isHidden } = await (await opened).to(url)
      agent.dispatch(call, listener)
      const outcome = await promise
      return isHidden ? hidden(outcome) : outcome
    },
    close: async () => (await opened)?.close(),
  }
}

/**
 * Removes details from an outcome, because publishers must not learn which ports of private addresses are open or what
 * responds there.
 */
function hidden(outcome: AttemptOutcome): AttemptOutcome {
  const shown = outcome.error === null ? { ...outcome, answer: null } : toFailure('network_error')
  return { ...shown, isHidden: true }
}

/**
 * Reports the outcome of a call exactly once. Uses callbacks, because a body stream, an abort signal and promises for
 * both would cost as much as the call itself. The outcome is final once the status arrives, but the response must still
 * end by the deadline.
 */
function createListener(
  deadlineMs: number,
  afterTurn: (work: () => void) => void,
  report: (outcome: AttemptOutcome) => void,
): Dispatcher.DispatchHandler {
  let call: Dispatcher.DispatchController | null = null
  let answered: AttemptOutcome | null = null
  let [interim, bytes] = [0, 0]
  const beginning: Buffer[] = []
  const withAnswer = (outcome: AttemptOutcome): AttemptOutcome => ({ ...outcome, answer: decodeText(beginning) })
  let isOver = false
  const end = (outcome: AttemptOutcome): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    report(outcome)
  }
  const cut = (outcome: AttemptOutcome): void => {
    end(outcome)
    call?.abort(new CallCut())
  }
  const timer = setTimeout(() => cut(toFailure('timeout')), deadlineMs)
  return {
    onRequestStart: (controller) => {
      call = controller
      // The deadline passed before a connection was established.
      if (isOver) controller.abort(new CallCut())
    },
    onResponseStart: (_controller, status, headers) => {
      if (status >= 200) answered = toOutcome(status, headers['retry-after'])
      else if (++interim > INTERIM_MAX) cut(toFailure('network_error'))
    },
    onResponseData: (_controller, chunk) => {
      if (bytes < SHOWN_BYTES_MAX) beginning.push(chunk)
      bytes += chunk.length
      if (bytes > ANSWER_BYTES_MAX && answered !== null) cut(withAnswer(answered))
    },
    onResponseEnd: () => {
      clearTimeout(timer)
      afterTurn(() => end(answered === null ? toFailure('network_error') : withAnswer(answered)))
    },
    onResponseError: (_controller, error) => end(answered === null ? toFailure(toError(error)) : withAnswer(answered)),
  }
}

/**
 * Delays work until connections can be reused, which is one event loop turn after the end of a response. Without the
 * wait, the caller's next call would open another connection, doubling the number of connections.
 */
function createTurns(): (work: () => void) => void {
  const waiting: (() => void)[] = []
  return (work) => {
    if (waiting.push(work) > 1) return
    setImmediate(() => {
      const batch = waiting.splice(0)
      setImmediate(() => {
        for (const one of batch) one()
      })
    })
  }
}

/** Decodes arbitrary bytes as text that the database can store. */
function decodeText(chunks: readonly Buffer[]): string | null {
  if (chunks.length === 0) return null
  return Buffer.concat(chunks).toString('utf8', 0, SHOWN_BYTES_MAX).replaceAll('\0', '\uFFFD') || null
}

export function toFailure(error: AttemptError): AttemptOutcome {
  return { responseStatus: null, error, retryAfter: null, answer: null, isHidden: false }
}

function toOutcome(status: number, retryAfter: string | string[] | undefined): AttemptOutcome {
  const error = status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'status_not_2xx'
  const asked = typeof retryAfter === 'string' ? retryAfter : null
  return { responseStatus: status, error, retryAfter: asked, answer: null, isHidden: false }
}

const ERRORS: Readonly<Record<string, AttemptError>> = {
  ADDRESS_REFUSED: 'address_refused',
  ENOTFOUND: 'name_not_resolved',
  EAI_AGAIN: 'name_not_resolved',
  ENODATA: 'name_not_resolved',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  UND_ERR_SOCKET: 'connection_lost',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
}

function toError(error: unknown): AttemptError {
  const code = findErrorCode(error)
  const known = ERRORS[code]
  if (known !== undefined) return known
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls_failed' : 'network_error'
}

/** Returns the code of an error. If several addresses were tried, the error wraps one error per address. */
function findErrorCode(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  return Array.isArray(errors) && errors.length > 0 ? findErrorCode(errors[0]) : ''
}
