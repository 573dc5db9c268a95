import { Histogram } from 'prom-client'
import { registry } from '../telemetry/metrics.ts'
import type { App } from './index.ts'

const requestSeconds = new Histogram({
  name: 'laurel_http_request_seconds',
  help: 'Time from the first byte of a request to the last byte of its response.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

/** Times each request by its route pattern. Labeling by URL would create a time series per user. */
export function measureRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    requestSeconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
}
