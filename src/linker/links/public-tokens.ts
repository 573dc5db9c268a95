import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import * as queries from './public-token-queries.ts'

/**
 * The provider takes a public token once. A user who presses a button twice, or a client that repeats a call whose
 * answer was lost, sends it again; then the first request's outcome is the answer, and a request that comes while the
 * first is under way waits for it, in whatever process that is. One that comes after a failure goes on where that ended.
 */

// The provider's own bound; after it the token is of no use to anyone.
const EXPIRES_AFTER_MS = 30 * 60_000
// Longer than any request lives: the process that had it is gone.
const ABANDONED_AFTER_MS = 2 * 60_000
const WAIT_MAX_MS = 20_000
const LOOK_EVERY_MS = 100
const SWEPT_AT_ONCE = 100

export type BroughtToken = {
  readonly userId: UserId
  readonly tokenHash: Buffer
  /** The item for which it was exchanged already, in a request that came to nothing; null when it was not. */
  readonly exchangedFor: Buffer | null
}

/** Links with the token unless that is done already; then answers what became of it. @throws Refusal linker_timeout */
export async function oncePerToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  { userId, publicToken }: { readonly userId: UserId; readonly publicToken: string },
  link: (token: BroughtToken) => Promise<T>,
  answerAgain: (outcome: queries.Outcome) => Promise<T>,
): Promise<T> {
  const token = { userId, tokenHash: deps.vault.fingerprint(publicToken, 'public_tokens') }
  const turn = await takeTurn(deps, publisher, token)
  if ('outcome' in turn) return answerAgain(turn.outcome)
  try {
    return await link({ ...token, exchangedFor: turn.claim.fingerprint })
  } catch (error) {
    await queries.freePublicToken(deps.db.reader, publisher.id, token, turn.since)
    throw error
  }
}

type Turn =
  | { readonly claim: queries.Claim; readonly since: Date }
  /** What became of the token in another request. */
  | { readonly outcome: queries.Outcome }

async function takeTurn(
  deps: LinkerDeps,
  publisher: Publisher,
  token: Pick<BroughtToken, 'userId' | 'tokenHash'>,
): Promise<Turn> {
  const { reader } = deps.db
  for (let waitedMs = 0; waitedMs < WAIT_MAX_MS; waitedMs += LOOK_EVERY_MS) {
    const now = deps.clock.now()
    const before = (ms: number): Date => new Date(now.getTime() - ms)
    const bounds = { abandonedBefore: before(ABANDONED_AFTER_MS), expiredBefore: before(EXPIRES_AFTER_MS) }
    const claim = await queries.claimPublicToken(reader, publisher.id, token, bounds, now)
    if (claim !== null) {
      await queries.sweepPublicTokens(reader, bounds.expiredBefore, SWEPT_AT_ONCE)
      return { claim, since: now }
    }
    const outcome = await queries.findOutcome(reader, publisher.id, token)
    if (outcome !== null) return { outcome }
    await pause(LOOK_EVERY_MS)
  }
  throw new Refusal<LinkerRefusal>(
    'linker_timeout',
    'Another request with this public_token is still under way; repeat the call.',
    { retryAfterSeconds: 5 },
  )
}
