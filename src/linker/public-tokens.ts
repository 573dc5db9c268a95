import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Publisher } from '../publishers/index.ts'
import type { LinkerDeps } from './deps.ts'
import type { LinkerRefusal } from './errors.ts'
import * as queries from './link-queries.ts'

/**
 * The provider takes a public token once. A user who presses a button twice, or a client that repeats a call whose
 * answer was lost, sends it again; then the first request's outcome is the answer, and a request that comes while the
 * first is under way waits for it, in whatever process that is.
 */

// The provider's own bound; after it the token is of no use to anyone.
const EXPIRES_AFTER_MS = 30 * 60_000
// Longer than any request lives: the process that had it is gone.
const ABANDONED_AFTER_MS = 2 * 60_000
const WAIT_MAX_MS = 20_000
const LOOK_EVERY_MS = 100
const SWEPT_AT_ONCE = 100

export type BroughtToken = { readonly userId: UserId; readonly tokenHash: Buffer }

/** Links with the token unless that is done already; then answers what became of it. @throws Refusal linker_timeout */
export async function oncePerToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  { userId, publicToken }: { readonly userId: UserId; readonly publicToken: string },
  link: (token: BroughtToken) => Promise<T>,
  answerAgain: (outcome: queries.Outcome) => Promise<T>,
): Promise<T> {
  const token = { userId, tokenHash: deps.vault.fingerprint(publicToken, 'public_tokens') }
  const outcome = await claim(deps, publisher, token)
  if (outcome !== null) return answerAgain(outcome)
  try {
    return await link(token)
  } catch (error) {
    await queries.forgetPublicToken(deps.db.reader, publisher.id, token)
    throw error
  }
}

/** Null for whoever is to link with the token; else what became of it. */
async function claim(deps: LinkerDeps, publisher: Publisher, token: BroughtToken): Promise<queries.Outcome | null> {
  const { reader } = deps.db
  for (let waitedMs = 0; waitedMs < WAIT_MAX_MS; waitedMs += LOOK_EVERY_MS) {
    const now = deps.clock.now()
    const before = (ms: number): Date => new Date(now.getTime() - ms)
    const bounds = { abandonedBefore: before(ABANDONED_AFTER_MS), expiredBefore: before(EXPIRES_AFTER_MS) }
    if (await queries.claimPublicToken(reader, publisher.id, token, bounds, now)) {
      await queries.sweepPublicTokens(reader, bounds.expiredBefore, SWEPT_AT_ONCE)
      return null
    }
    const outcome = await queries.findOutcome(reader, publisher.id, token)
    if (outcome !== null) return outcome
    await pause(LOOK_EVERY_MS)
  }
  throw new Refusal<LinkerRefusal>(
    'linker_timeout',
    'Another request with this public_token is still under way; repeat the call.',
    { retryAfterSeconds: 5 },
  )
}
