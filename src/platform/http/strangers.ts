import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRateLimiter, type Verdict } from '../rate-limit.ts'
import { Refusal } from '../refusal.ts'
import type { HttpRefusal } from './problems.ts'

/** Counts a call that came without a live key, or for what is not there. @throws Refusal rate_limited */
type CountStranger = (request: FastifyRequest, reply: FastifyReply, nowMs: number) => void

// Enough for whoever is looking around or has mistyped a key; whoever tries keys or addresses by the thousand waits.
const USUAL_PER_SECOND = 10
const AT_ONCE = 40

/** Nobody knows who a stranger is, so what is counted is the address that the calls come from. */
export function createStrangerCount(perSecond = USUAL_PER_SECOND): CountStranger {
  const allowance = { perSecond, burst: perSecond * AT_ONCE }
  const limiter = createRateLimiter()
  return (request, reply, nowMs) => {
    const verdict = limiter.take(request.ip, allowance, nowMs)
    setAllowance(reply, verdict)
    if (!verdict.allowed)
      throw new Refusal<HttpRefusal>('rate_limited', 'Too many calls without a live key, or for what is not there.', {
        retryAfterSeconds: Math.max(1, verdict.resetSeconds),
      })
  }
}

/** Tells what is allowed, and how much of it is left. */
export function setAllowance(reply: FastifyReply, verdict: Verdict): void {
  reply.header('RateLimit-Limit', String(verdict.limit))
  reply.header('RateLimit-Remaining', String(verdict.remaining))
  reply.header('RateLimit-Reset', String(verdict.resetSeconds))
}
