import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Clock, systemClock } from '../../clock.ts'
import { runFor, strangerFrom } from '../../on-behalf.ts'
import { Refusal } from '../../refusal.ts'
import type { HttpRefusal } from '../problems.ts'
import { toNetwork } from './caller-address.ts'
import type { Stranger } from './key-cache.ts'
import { createRateLimiter, type RateLimit, type RateVerdict } from './rate-limit.ts'

/** Counts a request without a valid key or for an unknown path. @throws Refusal rate_limited */
type CountStranger = (request: FastifyRequest, reply: FastifyReply, nowMs: number) => void

/** Identifies an unauthenticated sender by network. */
export function identifyStranger({ ip }: FastifyRequest, count: () => void): Stranger {
  return { caller: strangerFrom(toNetwork(ip)), count }
}

/** Runs work on behalf of an unauthenticated sender. */
export function actAsStranger({ ip }: FastifyRequest, work: () => void): void {
  runFor(strangerFrom(toNetwork(ip)), work)
}

// Enough for exploring the API and for mistyped keys, but too few for guessing thousands of keys or paths.
const USUAL_PER_SECOND = 10
const AT_ONCE = 40

/**
 * Multipliers on the rate limit for open routes. The limit is meant for calls that query the database or send a large
 * body; files and probes are cheaper. A browser fetches dozens of small files per page, and entire offices share one
 * address.
 */
export const STRANGER_LIMITS = { call: 1, file: 20, probe: 20 } as const
type StrangerLimit = (typeof STRANGER_LIMITS)[keyof typeof STRANGER_LIMITS]

/** Returns a hook that rate-limits open routes by the caller's network and the cost of the call. */
export function limitStrangers(
  callsPerSecond = USUAL_PER_SECOND,
  times: StrangerLimit = STRANGER_LIMITS.call,
): onRequestHookHandler {
  const count = createStrangerCount(callsPerSecond * times)
  return (request, reply, done) => {
    count(request, reply, systemClock.now().getTime())
    done()
  }
}

/** Counts strangers' requests by network, because strangers have no identity. */
export function createStrangerCount(perSecond = USUAL_PER_SECOND): CountStranger {
  const detail = 'Too many calls without a valid key or to unknown paths.'
  const limit = createLimit({ perSecond, burst: perSecond * AT_ONCE }, detail)
  return (request, reply, nowMs) => limit(reply, toNetwork(request.ip), nowMs)
}

type NetworkLimit = {
  /** Counts a request before its body is read, so that requests refused for their content are counted as well. */
  readonly onRequest: onRequestHookHandler
  /** Undoes the count of a request whose sender has proved not to be a stranger. */
  readonly uncount: (request: FastifyRequest) => void
}

/** Creates a separate rate limit for open routes, keyed by the caller's network. */
export function createNetworkLimit(rateLimit: RateLimit, detail: string, clock: Clock): NetworkLimit {
  const limiter = createRateLimiter()
  return {
    onRequest: (request, reply, done) => {
      countRequest(reply, limiter.take(toNetwork(request.ip), rateLimit, clock.now().getTime()), detail)
      done()
    },
    uncount: ({ ip }) => limiter.giveBack(toNetwork(ip)),
  }
}

/** Creates a separate rate limit with one bucket per key. Each count returns a function that undoes it. */
export function createLimit(
  rateLimit: RateLimit,
  detail: string,
): (reply: FastifyReply, key: string, nowMs: number) => () => void {
  const limiter = createRateLimiter()
  return (reply, key, nowMs) => {
    countRequest(reply, limiter.take(key, rateLimit, nowMs), detail)
    return () => limiter.giveBack(key)
  }
}

/** Sets the RateLimit headers. @throws Refusal rate_limited */
export function countRequest(reply: FastifyReply, verdict: RateVerdict, detail: string): void {
  reply.header('RateLimit-Limit', String(verdict.limit))
  reply.header('RateLimit-Remaining', String(verdict.remaining))
  reply.header('RateLimit-Reset', String(verdict.resetSeconds))
  if (verdict.allowed) return
  const { resetSeconds, holdMs } = verdict
  throw new Refusal<HttpRefusal>('rate_limited', detail, { retryAfterSeconds: Math.max(1, resetSeconds), holdMs })
}
