import { Counter, Gauge } from 'prom-client'
import type { Reader } from '../../platform/db/database.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import type { Environment } from '../../tenants/publishers/index.ts'
import { countUnmatched } from './feed/unmatched-refunds.ts'
import { countByState, findBacklog } from './health/queries.ts'
import type { FaultKind } from './provider.ts'

const counter = (name: string, help: string, ...labelNames: string[]) =>
  new Counter({ name: `laurel_linker_${name}`, help, labelNames, registers: [registry] })
const gauge = (name: string, help: string, ...labelNames: string[]) =>
  new Gauge({ name: `laurel_linker_${name}`, help, labelNames, registers: [registry] })

export const feedsRead = counter('feeds_read_total', 'Feed updates that were read and stored, including empty ones.')
export const cursorsGivenUp = counter(
  'cursors_given_up_total',
  'Feeds that were read from the beginning because reading could not continue from their cursor, by error code.',
  'code',
)
export const faults = counter('faults_total', 'Failed syncs and checks of items, by error code.', 'code')
const due = gauge('items_due', 'Items that are due for a sync, including running ones.')
const overdue = gauge('most_overdue_seconds', 'How long the longest-waiting item has been due.')
const broken = gauge('links_in_error', 'Linked logins that are broken, by the error on their cards.', 'error')
const faulty = gauge('items_at_fault', 'Items whose last call failed, by error code.', 'code')
const unmatched = gauge('unmatched_refunds', 'Refunds that match no purchase and are waiting for an operator.')
const calls = counter(
  'calls_total',
  'Calls to the linking provider by environment and outcome, counting each attempt; spared calls were not made.',
  'environment',
  'operation',
  'outcome',
)
const breakers = gauge(
  'breaker_state',
  "Circuit breaker of a provider account: 0 all calls pass, 1 one probe passes, 2 none. For publishers' own accounts, the worst state.",
  'environment',
  'account',
)

type CallOutcome = 'done' | FaultKind | 'limited' | 'spared'

export function countCall(environment: Environment, operation: string, outcome: CallOutcome): void {
  calls.inc({ environment, operation, outcome })
}

const STATES = { closed: 0, 'half-open': 1, open: 2 } as const

// One entry per publisher with its own account, so only a few.
const ofPublishers = { sandbox: new Map<string, number>(), production: new Map<string, number>() }

/** @param publisher the publisher that owns the account; null for the service's account */
export function showBreaker(environment: Environment, publisher: string | null, state: keyof typeof STATES): void {
  if (publisher === null) breakers.set({ environment, account: 'service' }, STATES[state])
  else {
    const states = ofPublishers[environment].set(publisher, STATES[state])
    breakers.set({ environment, account: 'publishers' }, Math.max(...states.values()))
  }
}

type ProviderState = {
  readonly environment: Environment
  /** The service's own account or, combined, all publishers' accounts, represented by the one in the worst state. */
  readonly account: 'service' | 'publishers'
  readonly state: keyof typeof STATES
}

/** Returns the circuit breaker states of the provider accounts that this process has opened. */
export async function readProviderStates(): Promise<ProviderState[]> {
  const { values } = await breakers.get()
  return values.map(({ labels, value }) => ({
    environment: labels['environment'] as Environment,
    account: labels['account'] as ProviderState['account'],
    state: value === 2 ? 'open' : value === 1 ? 'half-open' : 'closed',
  }))
}

/** Updates the gauges. Returns false, because one pass of this loop always completes the work. */
export async function showItems(reader: Reader, now: Date): Promise<false> {
  const [backlog, unmatchedCount, states] = await Promise.all([
    findBacklog(reader, now),
    countUnmatched(reader),
    countByState(reader),
  ])
  // No await from here on, so no scrape falls between the reset and the new figures.
  due.set(backlog.due)
  overdue.set(backlog.oldest === null ? 0 : (now.getTime() - backlog.oldest.getTime()) / 1000)
  unmatched.set(unmatchedCount)
  broken.reset()
  faulty.reset()
  for (const { kind, name, count } of states)
    if (kind === 'error') broken.set({ error: name }, count)
    else faulty.set({ code: name }, count)
  return false
}
