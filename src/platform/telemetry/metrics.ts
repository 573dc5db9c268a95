import { collectDefaultMetrics, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })

export async function renderMetrics(): Promise<{ readonly text: string; readonly contentType: string }> {
  return { text: await registry.metrics(), contentType: registry.contentType }
}
