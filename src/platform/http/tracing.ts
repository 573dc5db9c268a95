import type { Config } from '../config/config.ts'
import type { Log } from '../telemetry/log.ts'
import type { SpanEnding, SpanOptions, TraceSpan, Tracing } from '../telemetry/spans.ts'
import type { App } from './index.ts'

/**
 * Traces of requests and background work, enabled by the OpenTelemetry variables (docs/decisions/0042-traces.md).
 * Without them, no OpenTelemetry code is loaded, and a span costs one comparison.
 */
let tracing: Tracing | null = null

/**
 * Starts recording and exporting traces if the settings enable them. Returns a function that exports the remaining
 * spans.
 */
export async function openTracing({ traces }: Config, log: Log): Promise<() => Promise<void>> {
  if (!traces) return async () => undefined
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts')
  tracing = openTelemetry(log)
  return tracing.close
}

/** Runs work in a span. `describeEnding` describes the outcome, or returns null if the work is not worth a span. */
export async function trace<T>(
  name: string,
  work: () => Promise<T>,
  options: SpanOptions & { readonly describeEnding?: (result: T) => SpanEnding | null } = {},
): Promise<T> {
  if (tracing === null) return work()
  const span = tracing.begin(name, options)
  try {
    const result = await span.within(work)
    const ending = options.describeEnding === undefined ? {} : options.describeEnding(result)
    if (ending !== null) span.end(ending)
    return result
  } catch (error) {
    span.end({ failure: findErrorCode(error) })
    throw error
  }
}

function findErrorCode(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : String(name)
}

declare module 'fastify' {
  interface FastifyRequest {
    span: TraceSpan | null
  }
}

/**
 * Records a span for each request, named by its route pattern, because a URL may contain email addresses and
 * identifiers.
 */
export function traceRequests(app: App): void {
  if (tracing === null) return
  const { begin } = tracing
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'laurel.request_id': request.id }
    request.span = begin(`${request.method} ${route}`, { kind: 'server', attributes: () => attributes })
    done()
  })
  // Must wait until the body has been read, because the stream's callbacks do not run in the request's context.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span === null) done()
    else request.span.within(done)
  })
  app.addHook('onResponse', ({ span, caller, headers }, { statusCode }, done) => {
    const callers = Object.entries(caller ?? {}).map(([name, id]) => [`laurel.${name}`, id] as const)
    span?.end({
      attributes: { 'http.response.status_code': statusCode, ...Object.fromEntries(callers) },
      failure: statusCode >= 500 ? String(statusCode) : undefined,
      traceparent: caller === undefined ? undefined : String(headers['traceparent']),
    })
    done()
  })
}
