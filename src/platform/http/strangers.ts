import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { networkOf } from '../caller-address.ts'
import { systemClock } from '../clock.ts'
import { createRateLimiter, type RateLimit, type RateVerdict } from '../rate-limit.ts'
import { Refusal } from '../refusal.ts'
import type { HttpRefusal } from './problems.ts'

/** Counts a request without a live key or for an unknown path. @throws Refusal rate_limited */
type CountStranger = (request: FastifyRequest, reply: FastifyReply, nowMs: number) => void

/** A hook that counts each request of a route that is large to answer and needs no key. */
export function countingStrangers(perSecond: number): onRequestHookHandler {
  const count = createStrangerCount(perSecond)
  return (request, reply, done) => {
    count(request, reply, systemClock.now().getTime())
    done()
  }
}

// Enough for exploring and mistyped keys; guessing keys or paths by the thousand has to wait.
const USUAL_PER_SECOND = 10
const AT_ONCE = 40

/** Strangers have no identity, so their requests are counted by the network they call from. */
export function createStrangerCount(perSecond = USUAL_PER_SECOND): CountStranger {
  const detail = 'Too many calls without a live key, or for what is not there.'
  const limit = createLimit({ perSecond, burst: perSecond * AT_ONCE }, detail)
  return (request, reply, nowMs) => limit(reply, networkOf(request.ip), nowMs)
}

/** A limit of its own, on requests that count under one key each. Returns a function that uncounts the request. */
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

/** Sets the RateLimit headers: what is allowed, and how much of it is left. @throws Refusal rate_limited */
export function countRequest(reply: FastifyReply, verdict: RateVerdict, detail: string): void {
  reply.header('RateLimit-Limit', String(verdict.limit))
  reply.header('RateLimit-Remaining', String(verdict.remaining))
  reply.header('RateLimit-Reset', String(verdict.resetSeconds))
  if (verdict.allowed) return
  const { resetSeconds, holdMs } = verdict
  throw new Refusal<HttpRefusal>('rate_limited', detail, { retryAfterSeconds: Math.max(1, resetSeconds), holdMs })
}
