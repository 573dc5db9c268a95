import { Counter, Gauge } from 'prom-client'
import { registry } from '../../platform/metrics.ts'
import type { FaultKind } from '../provider.ts'

const calls = new Counter({
  name: 'laurel_linker_calls_total',
  help: 'Calls of the linking provider by outcome, each try counted; spared calls were not made.',
  labelNames: ['operation', 'outcome'],
  registers: [registry],
})

const breakers = new Gauge({
  name: 'laurel_linker_breaker_state',
  help: 'Whether calls under a provider account pass: 0 all, 1 one probe, 2 none.',
  labelNames: ['account'],
  registers: [registry],
})

type CallOutcome = 'done' | FaultKind | 'limited' | 'spared'

export function countCall(operation: string, outcome: CallOutcome): void {
  calls.inc({ operation, outcome })
}

const STATES = { closed: 0, 'half-open': 1, open: 2 } as const

export function showBreaker(account: string, state: keyof typeof STATES): void {
  breakers.set({ account }, STATES[state])
}
