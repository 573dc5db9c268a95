import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import Type from 'typebox'
import { systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Refusal } from '../refusal.ts'
import { parseJsonBody } from './body.ts'
import { answerClientError } from './client-errors.ts'
import { answerProblem, problemBody, type RefusalTable } from './problems.ts'
import { newRequestId } from './request-ids.ts'
import { createStrangerCount } from './strangers.ts'
import { watchOperations } from './unknown-routes.ts'
import { checkInput, compilersFactory } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The problem body of a refusal, for answers that carry several outcomes. */
    problemOf(refusal: Refusal, request: FastifyRequest): ReturnType<typeof problemBody>
  }
}

export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

// An id of 255 characters of four bytes each, percent-encoded, takes 3,060. Node reads no head of more than 16 KiB, so with this
// the schema always has the say and names what is too long.
const PARAM_LENGTH_MAX = 16 * 1024
const BODY_BYTES_MAX = 1024 * 1024
// Node leaves these open for ever by default, which a few slow clients can use up.
const REQUEST_TIMEOUT_MS = 30_000
const CONNECTION_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 72_000

const checkNoBody = checkInput(Type.Object({}, { additionalProperties: false }))

/** An empty application with our bounds, our validation and our problem answers. */
export function createApp(options: {
  readonly log: Log
  readonly refusals: RefusalTable
  readonly trustedProxies: readonly string[]
  readonly strangerCallsPerSecond?: number
}): App {
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    // One line of our own a request, below; the framework's would hold the address.
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves; a logger of its own for every request costs more than its one line.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // While draining, requests that are already on the way are answered, not refused.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: true },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: newRequestId,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerProblem(options.refusals, error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.decorate('problemOf', (refusal: Refusal, request: FastifyRequest) =>
    problemBody(options.refusals, refusal, request.id, request.url),
  )
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  app.setErrorHandler((error, request, reply) => answerProblem(options.refusals, error, request, reply))
  const refuseUnknown = watchOperations(app)
  const countStranger = createStrangerCount(options.strangerCallsPerSecond)
  app.setNotFoundHandler((request, reply) => {
    countStranger(request, reply, systemClock.now().getTime())
    return refuseUnknown(request, reply)
  })
  // Hooks that have nothing to wait for are callbacks: the promises of async ones took a tenth of a request that is answered
  // from memory.
  app.addHook('preValidation', (request, _reply, done) => {
    // A missing body is an object that lacks its members, so that the answer names them.
    if (request.routeOptions.schema?.body !== undefined) {
      if (request.body === undefined) request.body = {}
      // What keeps the bytes as they came reads them itself.
    } else if (request.body !== undefined && !Buffer.isBuffer(request.body)) checkNoBody(request.body)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('X-Request-Id', request.id)
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern of the route, never the address itself: that one may carry e-mail addresses and identifiers.
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
  return app
}
