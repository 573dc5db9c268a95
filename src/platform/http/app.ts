import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import Type from 'typebox'
import { encodeId, newUuid } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Log } from '../telemetry/log.ts'
import { parseJsonBody } from './body.ts'
import { boundBodies } from './bound-bodies.ts'
import { createStrangerCount } from './callers/strangers.ts'
import { answerClientError } from './client-errors.ts'
import { holdRefusals } from './hold-refusals.ts'
import { spreadPipelined } from './pipelining.ts'
import { answerProblem, buildProblemBody, Problem, type Problems, type RefusalTable } from './problems.ts'
import { refuseUnknownRoutes } from './unknown-routes.ts'
import { checkInput, compilersFactory } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The meaning of each code that an operation may return. */
    refusals: RefusalTable
    /** True if the public address is https, regardless of the protocol behind the proxy. */
    isSecure(): boolean
    /** Builds the problem body of a refusal, for responses that report several outcomes. */
    buildProblem(refusal: Refusal, request: FastifyRequest): ReturnType<typeof buildProblemBody>
    /**
     * Runs one part of a long computation. If any request is waiting for its response, returns only after a pause five
     * times as long as the part took. A request whose response is being sent or held does not count as waiting.
     */
    givingWay<T>(part: () => T): Promise<T>
  }
  interface FastifyRequest {
    isAnswered: boolean
  }
}

export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

// Node reads at most 16 KiB of headers. With this limit, the router never rejects a parameter for its length, so the
// schema reports one that is too long.
const PARAM_LENGTH_MAX = 16 * 1024
const BODY_BYTES_MAX = 1024 * 1024
// Fastify disables the two timeouts by default, which would let a few slow clients use up all connections.
const REQUEST_TIMEOUT_MS = 30_000
const CONNECTION_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 72_000

const checkNoBody = checkInput(Type.Object({}, { additionalProperties: false }))

/** Creates an empty application with our limits, validation and problem responses. */
export function createApp(options: {
  readonly log: Log
  readonly refusals: RefusalTable
  /** The public address, which problem types are based on. */
  readonly baseUrl?: () => string
  readonly trustedProxies: readonly string[]
  readonly strangerCallsPerSecond?: number
}): App {
  const problems: Problems = { table: options.refusals, baseUrl: options.baseUrl ?? (() => '') }
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    // We log each request once, below. The framework would log the URL.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than our single line, which includes the request id itself.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // Node would reject all requests without a Host header that arrive in one read within a single event-loop turn.
    // `refuseUnmeetable` refuses them instead.
    http: { requireHostHeader: false },
    // While draining, requests that have already arrived are still answered.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: true },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => encodeId('req', newUuid()),
    schemaController: { compilersFactory },
    clientErrorHandler: (error, socket) => answerClientError(problems, error, socket),
    frameworkErrors: (error, request, reply) => answerProblem(problems, error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
  decorateProblems(app, problems)
  app.decorate('isSecure', () => problems.baseUrl().startsWith('https:'))
  const stopWaiting = letWorkGiveWay(app)
  spreadPipelined(app.server)
  boundBodies(app.server, problems)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  answerErrors(app, problems, stopWaiting)
  app.addHook('onRequest', refuseUnmeetable)
  refuseUnknownRoutes(app, createStrangerCount(options.strangerCallsPerSecond))
  addHooks(app)
  return app
}

function addHooks(app: App): void {
  // Synchronous hooks use callbacks, because promises accounted for a tenth of the time of a request served from
  // memory.
  app.addHook('preValidation', (request, _reply, done) => {
    // A missing body becomes an empty object, so that validation reports the missing members.
    if (request.routeOptions.schema?.body !== undefined) {
      if (request.body === undefined) request.body = {}
      // Routes that take raw bodies validate them themselves.
    } else if (request.body !== undefined && !Buffer.isBuffer(request.body)) checkNoBody(request.body)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Nothing reads the stream of a HEAD response.
    if (request.method === 'HEAD' && payload instanceof Readable) payload.destroy()
    reply.header('X-Request-Id', request.id)
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Logs the route pattern, never the URL, which may contain email addresses and identifiers.
    request.log.info(
      {
        request_id: request.id,
        ...request.caller,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
}

/**
 * Refuses requests that Node itself would otherwise reject. Requests pipelined behind such a request get no response.
 */
function refuseUnmeetable(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const fault = findHeadFault(request)
  if (fault !== null) {
    reply.header('Connection', 'close')
    throw new Problem('request_unreadable', fault)
  }
  done()
}

/**
 * Checks the Host and Expect headers (RFC 9112 section 3.2 and RFC 9110 section 10.1.1). Node itself handles `Expect:
 * 100-continue`.
 */
function findHeadFault({ headers: { host, expect }, raw }: FastifyRequest): string | null {
  if (host === undefined && raw.httpVersion !== '1.0') return 'HTTP/1.1 requires a Host header.'
  if (expect !== undefined && !/\b100-continue\b/i.test(expect))
    return 'The only supported expectation is 100-continue.'
  return null
}

function decorateProblems(app: App, problems: Problems): void {
  app.decorate('refusals', problems.table)
  app.decorate('buildProblem', (refusal: Refusal, request: FastifyRequest) =>
    buildProblemBody(problems, refusal, request.id, request.url),
  )
}

function answerErrors(app: App, problems: Problems, stopWaiting: (request: FastifyRequest) => void): void {
  const hold = holdRefusals(app)
  app.setErrorHandler((error, request, reply) => {
    const answer = () => answerProblem(problems, error, request, reply)
    if (!(error instanceof Refusal) || error.holdMs === 0) return answer()
    stopWaiting(request)
    return hold(request, reply, error.holdMs).then(answer)
  })
}

const PAUSE_PER_WORK = 5

/** Adds `givingWay` to the app. Returns a function to call when a request is no longer waiting for its response. */
function letWorkGiveWay(app: App): (request: FastifyRequest) => void {
  let unanswered = 0
  app.decorate('givingWay', async <T>(part: () => T): Promise<T> => {
    const beganMs = performance.now()
    const done = part()
    if (unanswered > 0) await setTimeout((performance.now() - beganMs) * PAUSE_PER_WORK)
    return done
  })
  app.decorateRequest('isAnswered', false)
  const end = (request: FastifyRequest): void => {
    if (!request.isAnswered) unanswered--
    request.isAnswered = true
  }
  app.addHook('onRequest', (request, reply, done) => {
    unanswered++
    // A client can disconnect at any time, after which no later hook is guaranteed to run.
    reply.raw.once('close', () => end(request))
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    end(request)
    done()
  })
  return end
}
