import { Counter } from 'prom-client'
import { registry } from '../../platform/telemetry/metrics.ts'

/**
 * The kind of visitor that follows a link: a person, a program that identifies itself, or a HEAD request that only
 * checks where the link leads.
 */
export type Visitor = 'person' | 'bot' | 'preview'

export const visits = new Counter({
  name: 'laurel_link_visits_total',
  help: 'Tracking links followed, by visitor. Only visits by people, and all visits in a sandbox, are stored as clicks.',
  labelNames: ['visitor'],
  registers: [registry],
})
