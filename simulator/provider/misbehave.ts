import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getErrorType } from '../errors.ts'
import type { Fault, FaultKind, Faults } from '../faults.ts'
import { getLimitCode } from '../limits.ts'

/**
 * Applies faults to a call. Some replace the call. Others let it execute and then corrupt its response, which is harder
 * for clients to handle because they cannot tell that the call was executed.
 */
export function misbehave(faults: readonly Fault[], request: FastifyRequest, reply: FastifyReply) {
  spoiled.set(request, faults)
  for (const fault of faults) {
    if (!Object.hasOwn(INSTEAD, fault.kind)) continue
    return INSTEAD[fault.kind as keyof typeof INSTEAD](fault, request, reply)
  }
  return undefined
}

export function refuseForLimit(path: string, reply: FastifyReply): FastifyReply {
  return sendFault(reply, 429, getLimitCode(path), 'rate limit exceeded; try again later')
}

/** The faults of calls in progress. */
const spoiled = new WeakMap<FastifyRequest, readonly Fault[]>()

const GATEWAY_PAGE = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>Bad Gateway</body>\r\n</html>\r\n'
const OTHER_PAGE = '<!doctype html>\n<html><head><title>We will be right back</title></head><body></body></html>\n'

const INSTEAD = {
  rate_limited: ({ retry_after }, request, reply) => {
    if (retry_after !== undefined) reply.header('retry-after', String(retry_after))
    return refuseForLimit(request.routeOptions.url ?? '', reply)
  },
  server_error: (_fault, _request, reply) =>
    sendFault(reply, 500, 'INTERNAL_SERVER_ERROR', 'an unexpected error occurred'),
  bad_gateway: (_fault, _request, reply) => reply.status(502).type('text/html').send(GATEWAY_PAGE),
  html: (_fault, _request, reply) => reply.status(200).type('text/html').send(OTHER_PAGE),
  dropped: (_fault, request, reply) => {
    reply.hijack()
    request.raw.socket.destroy()
    return reply
  },
  error: ({ error_code = 'INTERNAL_SERVER_ERROR' }, _request, reply) =>
    sendFault(reply, 400, error_code, `the simulator is set to answer ${error_code}`),
  mutation: (_fault, _request, reply) =>
    sendFault(
      reply,
      400,
      'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
      'transactions changed between two pages; start again from the cursor that this update began with',
    ),
} as const satisfies Partial<
  Record<FaultKind, (fault: Fault, request: FastifyRequest, reply: FastifyReply) => FastifyReply>
>

/** Corrupts the responses of executed calls: the second half of misbehave(). */
export function spoilAnswers(app: Pick<FastifyInstance, 'addHook'>, { hang }: Pick<Faults, 'hang'>): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const faults = spoiled.get(request)
    if (faults === undefined || typeof payload !== 'string') return done(null, payload)
    for (const { kind, fault_id } of faults) if (kind === 'stalled') letHang(request, (cut) => hang(fault_id, cut))
    const waitMs = faults.reduce((sum, { kind, ms = 0 }) => (kind === 'latency' ? sum + ms : sum), 0)
    // A client that is still waiting must not prevent the simulator from shutting down.
    pause(waitMs, null, { ref: false }).then(() => {
      const spoil = faults.map(({ kind }) => AFTERWARDS[kind]).find((one) => one !== undefined)
      if (spoil === undefined) done(null, payload)
      else spoil(request, reply, payload, (text) => done(null, text))
    }, done)
    return
  })
}

/** Registers the call so that it ends when its fault is removed. Otherwise it would hang until the client gives up. */
function letHang({ raw }: FastifyRequest, hang: (cut: () => void) => () => void): void {
  raw.socket.once(
    'close',
    hang(() => raw.socket.destroy()),
  )
}

type Spoil = (request: FastifyRequest, reply: FastifyReply, text: string, send: (text: string) => void) => void

const AFTERWARDS: Partial<Record<FaultKind, Spoil>> = {
  truncated: (_request, _reply, text, send) => send(firstHalf(text)),
  stalled: (_request, reply, text) => {
    reply.hijack()
    const length = String(Buffer.byteLength(text))
    reply.raw.writeHead(reply.statusCode, { 'content-type': 'application/json', 'content-length': length })
    reply.raw.write(firstHalf(text))
  },
  lost_answer: (request, reply) => {
    reply.hijack()
    request.raw.socket.destroy()
  },
}

function firstHalf(text: string): string {
  return text.slice(0, Math.floor(text.length / 2))
}

function sendFault(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.status(status).send({
    error_type: getErrorType(code),
    error_code: code,
    error_code_reason: null,
    error_message: message,
    display_message: null,
    suggested_action: null,
  })
}
