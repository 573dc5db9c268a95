import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { AxiosResponse } from 'axios'
import type { PlaidApi } from 'plaid'
import { systemClock } from '../../platform/clock.ts'
import { ProviderFault } from '../provider.ts'
import { about, CALL_TRIES_MAX } from '../schedule/bounds.ts'
import type { Turns } from '../schedule/pacing.ts'
import { type Access, type CallOptions, freshSocket, openApi } from './api.ts'
import { type Admitted, type BreakerOptions, createBreaker } from './circuit-breaker.ts'
import { faultOf, garbled } from './faults.ts'
import type { Limits } from './limits.ts'
import { countCall, showBreaker } from './metrics.ts'

/**
 * The line to one provider account: every call goes through here. A call has one deadline over all its tries; is tried
 * again only where that is safe and may help; passes the account's breaker; and, where nobody waits for it, takes its
 * turn within what the provider allows. Users' calls never wait for a turn.
 */
export type Line = { readonly prompt: Call; readonly patient: Call }

export type Call = <T, R>(
  ask: Ask,
  request: (api: PlaidApi, options: CallOptions) => Promise<AxiosResponse<T>>,
  shape: (answer: T) => R,
) => Promise<R>

export type Ask = {
  readonly operation: string
  /** Whether a second call would do what the first, of which nothing was heard, may already have done. */
  readonly isOnce?: true
}

export type LineOptions = Access & {
  /** What operators see of the account. */
  readonly label?: string
  /** The longest a call may take with all its tries, whatever hangs. */
  readonly deadlineMs?: number
  readonly breaker?: BreakerOptions
  /** Null where the provider limits nothing, as the simulator. */
  readonly pace?: { readonly limits: Limits; readonly turns: Turns } | null
}

// A body that stalls does not count as a timeout of the socket; this deadline covers the whole call.
const CALL_DEADLINE_MS = 15_000
// Soon, for a moment's fault must not cost the user the link.
const RETRY_AFTER_MS = 150
// Whoever asks us to come back later than this is left alone, and the caller told.
const WAIT_FOR_PROVIDER_MAX_S = 2
// When the provider says that we ask too often, without saying for how long; it counts by the minute.
const LIMITED_PAUSE_MS = 5_000
const LIMITED_PAUSE_MAX_MS = 60_000

export function openLine(options: LineOptions): Line {
  let opening: Promise<PlaidApi> | null = null
  const api = (): Promise<PlaidApi> => {
    opening ??= openApi(options)
    return opening
  }
  const attempt = attemptThrough(options)
  const take = turnsOf(options)
  const callerThat = (turn: (ask: Ask) => Promise<void>): Call =>
    callerOf(attempt, { turn, open: api, deadlineMs: options.deadlineMs ?? CALL_DEADLINE_MS })
  return { prompt: callerThat(async () => undefined), patient: callerThat(take) }
}

type Attempt = <T, R>(ask: Ask, send: () => Promise<AxiosResponse<T>>, shape: (answer: T) => R) => Promise<R>

type CallerParts = {
  readonly turn: (ask: Ask) => Promise<void>
  readonly open: () => Promise<PlaidApi>
  readonly deadlineMs: number
}

function callerOf(attempt: Attempt, { turn, open, deadlineMs }: CallerParts): Call {
  return async (ask, request, shape) => {
    await turn(ask)
    // Loading the SDK takes its time once, and none of the call's.
    const api = await open()
    const signal = AbortSignal.timeout(deadlineMs)
    const endMs = systemClock.now().getTime() + deadlineMs
    const send = () => request(api, { signal, ...(ask.isOnce ? freshSocket() : {}) })
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(ask, send, shape)
      } catch (error) {
        const pauseMs = ask.isOnce || tries >= CALL_TRIES_MAX ? null : pauseBeforeRetry(error, tries)
        if (pauseMs === null || systemClock.now().getTime() + pauseMs >= endMs) throw error
        await setTimeout(pauseMs)
        await turn(ask)
        if (signal.aborted) throw error
      }
    }
  }
}

/** Null when asking again soon would not help. What took too long once has used the time of its caller. */
function pauseBeforeRetry(error: unknown, tries: number): number | null {
  if (!(error instanceof ProviderFault)) return null
  const { kind, symptom, retryAfterSeconds } = error
  if (retryAfterSeconds !== null && retryAfterSeconds > WAIT_FOR_PROVIDER_MAX_S) return null
  if (symptom === 'limited') return retryAfterSeconds === null ? null : retryAfterSeconds * 1_000
  const isPassing = kind === 'garbled' || (kind === 'unavailable' && symptom === 'down')
  return isPassing ? Math.max(about(RETRY_AFTER_MS * tries), (retryAfterSeconds ?? 0) * 1_000) : null
}

function attemptThrough(options: LineOptions): Attempt {
  const { label = 'service' } = options
  const breaker = createBreaker(options.breaker, (state) => showBreaker(label, state))
  const told = limitsTold(options)
  const nowMs = (): number => systemClock.now().getTime()
  const settle = (admitted: Admitted, fault: ProviderFault | null): void =>
    breaker.settle(admitted, fault === null ? 'up' : findingOf(fault), nowMs())
  showBreaker(label, 'closed')
  return async ({ operation }, send, shape) => {
    const admission = breaker.admit(nowMs())
    if (!admission.admitted) {
      countCall(operation, 'spared')
      const retryAfterSeconds = Math.ceil(admission.retryAfterMs / 1_000)
      throw new ProviderFault('unavailable', 'CIRCUIT_OPEN', operation, null, { symptom: 'spared', retryAfterSeconds })
    }
    try {
      const shaped = shapedBy(shape, (await send()).data, operation)
      settle(admission, null)
      countCall(operation, 'done')
      told.well(operation)
      return shaped
    } catch (error) {
      const fault = faultOf(error, operation, systemClock.now())
      settle(admission, fault)
      countCall(operation, fault.symptom === 'limited' ? 'limited' : fault.kind)
      if (fault.symptom === 'limited') await told.limited(operation, fault.retryAfterSeconds)
      throw fault
    }
  }
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

function findingOf({ kind, symptom }: ProviderFault): 'up' | 'down' | 'undecided' {
  if (symptom === 'down') return 'down'
  return symptom === 'limited' || kind === 'garbled' ? 'undecided' : 'up'
}

/** "Too often" is said of the account as a whole, so every process leaves that operation alone for a while. */
function limitsTold(options: LineOptions) {
  const inARow = new Map<string, number>()
  return {
    well: (operation: string): void => void inARow.delete(operation),
    limited: async (operation: string, retryAfterSeconds: number | null): Promise<void> => {
      const count = inARow.get(operation) ?? 0
      inARow.set(operation, count + 1)
      const growing = Math.min(LIMITED_PAUSE_MS * 2 ** Math.min(count, 10), LIMITED_PAUSE_MAX_MS)
      const pauseMs = retryAfterSeconds === null ? growing : retryAfterSeconds * 1_000
      await options.pace?.turns.postpone(accountOf(options), operation, pauseMs)
    },
  }
}

/** Waits for a turn of the account. How often one item is asked about is for whoever schedules its runs. */
function turnsOf(options: LineOptions): (ask: Ask) => Promise<void> {
  const { pace } = options
  if (!pace) return async () => undefined
  const account = accountOf(options)
  return async ({ operation }) => {
    const perMinute = pace.limits[operation]
    if (perMinute === undefined) return
    const { taken, inMs } = await pace.turns.take(account, operation, perMinute)
    if (taken) return void (await setTimeout(inMs))
    countCall(operation, 'spared')
    const retryAfterSeconds = Math.max(1, Math.ceil(inMs / 1_000))
    throw new ProviderFault('unavailable', 'OWN_LIMIT', operation, null, { symptom: 'spared', retryAfterSeconds })
  }
}

function accountOf({ address, clientId }: Access): string {
  return createHash('sha256').update(`${address} ${clientId}`).digest('hex')
}
