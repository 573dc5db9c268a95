import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Log } from './log.ts'
import type { Tracing } from './spans.ts'

// A collector that is down must not hold up shutdown.
const CLOSE_MAX_MS = 2_000
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** Records spans and exports them in batches via OTLP over HTTP. Configured by the standard OpenTelemetry variables. */
export function openTelemetry(log: Log): Tracing {
  const silent = () => undefined
  // The original messages might repeat the collector's response, so they are not logged.
  const error = () => log.warn('traces could not be sent')
  diag.setLogger({ error, warn: silent, info: silent, debug: silent, verbose: silent }, DiagLogLevel.ERROR)
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'laurel' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('laurel')
  const contexts = new AsyncLocalStorage<Context>()
  return {
    begin: (name, { kind, attributes, isRoot = false }) => {
      const parent = isRoot ? ROOT_CONTEXT : (contexts.getStore() ?? ROOT_CONTEXT)
      const options = { kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes: attributes?.() ?? {} }
      const span = tracer.startSpan(name, options, parent)
      return {
        within: (work) => contexts.run(trace.setSpan(parent, span), work),
        end: ({ attributes: more = {}, failure, traceparent = '' }) => {
          span.setAttributes(more)
          if (failure !== undefined) {
            span.setAttribute('error.type', failure)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          const callers = parseTraceparent(traceparent)
          if (callers !== null) span.addLink({ context: callers })
          span.end()
        },
      }
    },
    close: async () => {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, CLOSE_MAX_MS)
      await Promise.race([provider.shutdown().catch(silent), late.promise])
      clearTimeout(timer)
    },
  }
}

/** Parses a W3C trace context header (https://www.w3.org/TR/trace-context/#traceparent-header). */
function parseTraceparent(traceparent: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(context) ? context : null
}
