import type { Config } from './config.ts'
import type { App } from './http/index.ts'
import type { Log } from './log.ts'
import type { SpanEnding, SpanOptions, TraceSpan, Tracing } from './spans.ts'

/**
 * Traces of requests and background work, for whoever sets the variables of OpenTelemetry
 * (docs/decisions/0042-traces.md). Nothing of OpenTelemetry is loaded otherwise, and a span then costs one comparison.
 */
let tracing: Tracing | null = null

/** Loads what records and sends traces, if the settings ask for them. Returns what sends the last ones. */
export async function openTracing({ traces }: Config, log: Log): Promise<() => Promise<void>> {
  if (!traces) return async () => undefined
  const { openTelemetry } = await import('./open-telemetry.ts')
  tracing = openTelemetry(log)
  return tracing.close
}

/** Does work in a span. `endingOf` says what came of it; null for work that is not worth a span. */
export async function traced<T>(
  name: string,
  work: () => Promise<T>,
  options: SpanOptions & { readonly endingOf?: (result: T) => SpanEnding | null } = {},
): Promise<T> {
  if (tracing === null) return work()
  const span = tracing.begin(name, options)
  try {
    const result = await span.within(work)
    const ending = options.endingOf === undefined ? {} : options.endingOf(result)
    if (ending !== null) span.end(ending)
    return result
  } catch (error) {
    span.end({ failure: codeOf(error) })
    throw error
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : String(name)
}

declare module 'fastify' {
  interface FastifyRequest {
    span: TraceSpan | null
  }
}

/** A span for each request, named by the pattern of its route: a URL may contain e-mail addresses and identifiers. */
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
  // Only once the body has been read: its stream's callbacks do not run in the context of the request.
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
