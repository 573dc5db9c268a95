import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderMetrics } from './metrics.ts'

/** Serves GET /metrics on a separate port, which need not be exposed along with the service. */
export async function startMetricsServer(
  host: string,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  let underWay: ReturnType<typeof renderMetrics> | null = null
  const server = createServer(async (request, response) => {
    if (!['GET', 'HEAD'].includes(request.method ?? '') || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    // Rendering takes milliseconds, so concurrent requests share the result.
    underWay ??= renderMetrics().finally(() => {
      underWay = null
    })
    const { text, contentType } = await underWay
    response.writeHead(200, { 'Content-Type': contentType }).end(text)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
