import { setTimeout } from 'node:timers/promises'
import type { AxiosResponse } from 'axios'
import type { PlaidApi } from 'plaid'
import { systemClock } from '../../../platform/clock.ts'
import { trace } from '../../../platform/http/tracing.ts'
import { addJitter } from '../../../platform/jitter.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import { countCall, showBreaker } from '../metrics.ts'
import { ProviderFault } from '../provider.ts'
import { ALL_OPERATIONS, type Pacing } from '../schedule/pacing-queries.ts'
import { CALL_TRIES_MAX } from '../schedule/timing.ts'
import { type Access, type CallOptions, createFreshSocket, openApi } from './api.ts'
import { type Admitted, type BreakerOptions, createBreaker } from './circuit-breaker.ts'
import { garbled, toFault } from './faults.ts'

/**
 * The calls under one provider account. Each call has a single deadline for all its attempts, is retried only where a
 * retry is safe and may help, and goes through the account's circuit breaker. Patient calls are for background work and
 * wait for a slot within the provider's limits. Prompt calls are for users and never wait for a slot.
 */
type Calls = { readonly prompt: ProviderCall; readonly patient: ProviderCall }

export type ProviderCall = <T, R>(
  operation: string,
  request: (api: PlaidApi, options: CallOptions) => Promise<AxiosResponse<T>>,
  shape: (answer: T) => R,
) => Promise<R>

/** Calls that must not be repeated, because the first attempt may have worked even if its response was lost. */
const ONCE = new Set(['item/public_token/exchange', 'item/access_token/invalidate'])

export type CallsOptions = Access & {
  /** The account in the pacing table: the service's own by default, otherwise the id of the publisher it belongs to. */
  readonly account?: string
  /** The account in metrics. */
  readonly label?: string
  /** The time limit for a call, including all its attempts. */
  readonly deadlineMs?: number
  readonly breaker?: BreakerOptions
  /** The rate limits of patient calls, by operation. Absent if the provider has none, as with the simulator. */
  readonly pace?: { readonly perMinute: Readonly<Record<string, number>>; readonly pacing: Pacing }
}

// The socket timeout does not catch a stalled body, so this deadline covers the entire call.
const CALL_DEADLINE_MS = 15_000
// Short, so that a momentary failure does not cost the user the link.
const RETRY_AFTER_MS = 150
// A call that a user is waiting for is also retried after a rate limit, because a failed link costs the user more than
// two calls cost the account.
const LIMITED_RETRY_MS = 700
// A longer Retry-After is passed on to the caller.
const WAIT_FOR_PROVIDER_MAX_S = 2
// The pause after a rate limit without Retry-After, doubled each time. The provider counts calls per minute.
const LIMITED_PAUSE_MS = 5_000
const LIMITED_PAUSE_MAX_MS = 60_000

export function openCalls(options: CallsOptions): Calls {
  let opening: Promise<PlaidApi> | null = null
  const attempt = attemptThrough(options)
  const deadlineMs = options.deadlineMs ?? CALL_DEADLINE_MS
  const caller =
    (isPatient: boolean): ProviderCall =>
    async (operation, request, shape) => {
      opening ??= openApi(options)
      // The SDK is loaded first, which takes time only once. The load does not count against the call's deadline, and
      // slots reserved while it lasted would all be used in one burst.
      const api = await opening
      if (isPatient) await waitForSlot(options, operation)
      const signal = AbortSignal.timeout(deadlineMs)
      const endMs = systemClock.now().getTime() + deadlineMs
      const send = () => request(api, { signal, ...(ONCE.has(operation) ? createFreshSocket() : {}) })
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(operation, send, shape)
        } catch (error) {
          const pauseMs =
            ONCE.has(operation) || tries >= CALL_TRIES_MAX ? null : pauseBeforeRetry(error, tries, isPatient)
          if (pauseMs === null || systemClock.now().getTime() + pauseMs >= endMs) throw error
          await setTimeout(pauseMs)
          if (isPatient) await waitForSlot(options, operation)
          if (signal.aborted) throw error
        }
      }
    }
  return { prompt: caller(false), patient: caller(true) }
}

type TryCall = <T, R>(operation: string, send: () => Promise<AxiosResponse<T>>, shape: (answer: T) => R) => Promise<R>

/**
 * Returns the pause before a retry; null if an early retry would not help. A call that timed out is not retried,
 * because it has used up the caller's time.
 */
function pauseBeforeRetry(error: unknown, tries: number, isPatient: boolean): number | null {
  if (!(error instanceof ProviderFault)) return null
  const { kind, symptom, retryAfterSeconds } = error
  if (retryAfterSeconds !== null && retryAfterSeconds > WAIT_FOR_PROVIDER_MAX_S) return null
  if (symptom === 'limited' && retryAfterSeconds === null) return isPatient ? null : LIMITED_RETRY_MS * tries
  if (symptom === 'limited') return (retryAfterSeconds ?? 0) * 1_000
  const isPassing = kind === 'garbled' || (kind === 'unavailable' && symptom === 'down')
  return isPassing ? Math.max(addJitter(RETRY_AFTER_MS * tries), (retryAfterSeconds ?? 0) * 1_000) : null
}

function attemptThrough(options: CallsOptions): TryCall {
  const { environment, label = null, account = environment, pace } = options
  const nowMs = (): number => systemClock.now().getTime()
  const breaker = createBreaker(options.breaker, (state, pauseMs) => {
    showBreaker(environment, label, state)
    // Stops all processes from claiming runs. If this fails, runs are claimed and then postponed, which is harmless.
    if (state === 'open') pace?.pacing.postpone(account, ALL_OPERATIONS, pauseMs).catch(() => undefined)
  })
  const settle = (admitted: Admitted, fault: ProviderFault | null): void =>
    breaker.settle(admitted, fault === null ? 'up' : toFinding(fault), nowMs())
  const limitedInARow = new Map<string, number>()
  /** Pauses the operation in every process, because a rate limit applies to the account. */
  const pauseOperation = async (operation: string, { retryAfterSeconds }: ProviderFault): Promise<void> => {
    const count = limitedInARow.get(operation) ?? 0
    limitedInARow.set(operation, count + 1)
    const growingMs = Math.min(LIMITED_PAUSE_MS * 2 ** Math.min(count, 10), LIMITED_PAUSE_MAX_MS)
    const pauseMs = retryAfterSeconds === null ? growingMs : retryAfterSeconds * 1_000
    await pace?.pacing.postpone(account, operation, pauseMs)
  }
  showBreaker(environment, label, 'closed')
  return async (operation, send, shape) => {
    const admission = breaker.admit(nowMs())
    if (!admission.admitted) throw sparedCall(environment, 'CIRCUIT_OPEN', operation, admission.retryAfterMs)
    try {
      const { data } = await trace(`provider ${operation}`, send, { kind: 'client' })
      const shaped = shapedBy(shape, data, operation)
      settle(admission, null)
      countCall(environment, operation, 'done')
      limitedInARow.delete(operation)
      return shaped
    } catch (error) {
      const fault = toFault(error, operation, systemClock.now())
      settle(admission, fault)
      countCall(environment, operation, fault.symptom === 'limited' ? 'limited' : fault.kind)
      if (fault.symptom === 'limited') await pauseOperation(operation, fault)
      throw fault
    }
  }
}

/**
 * Reserves a slot under the account's rate limit and waits for it. The rate limit of a single item is enforced where
 * its runs are claimed.
 */
async function waitForSlot(
  { environment, account = environment, pace }: CallsOptions,
  operation: string,
): Promise<void> {
  const perMinute = pace?.perMinute[operation]
  if (!pace || perMinute === undefined) return
  const { isReserved, inMs } = await pace.pacing.reserve(account, operation, perMinute)
  if (!isReserved) throw sparedCall(environment, 'OWN_LIMIT', operation, inMs)
  await setTimeout(inMs)
}

/** Counts a skipped call and creates a fault for it. */
function sparedCall(environment: Environment, code: string, operation: string, retryAfterMs: number): ProviderFault {
  countCall(environment, operation, 'spared')
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return new ProviderFault('unavailable', code, operation, null, { symptom: 'spared', retryAfterSeconds })
}

function shapedBy<T, R>(shape: (answer: T) => R, answer: T, operation: string): R {
  if (typeof answer !== 'object' || answer === null) throw garbled(operation, 'NOT_JSON')
  try {
    return shape(answer)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw garbled(operation, 'NOT_THE_CONTRACT')
  }
}

function toFinding({ kind, symptom }: ProviderFault): 'up' | 'down' | 'undecided' {
  if (symptom === 'down') return 'down'
  return symptom === 'limited' || kind === 'garbled' ? 'undecided' : 'up'
}
