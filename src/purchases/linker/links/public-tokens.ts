import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import * as queries from './public-token-queries.ts'

/**
 * The provider accepts a public token once. A user who presses a button twice, or a client that retries a call whose
 * response was lost, sends it again and gets the first request's outcome. A request that arrives while the first is in
 * progress waits for it, in any process. One that arrives after a failure continues where the failed request left off.
 */

// Outlasts any hosted link, because a link's results are fetched even if an app sent them long before.
const KEPT_MS = 22 * DAY_MS
// Longer than any request lasts, so the process that held the token has died.
const ABANDONED_AFTER_MS = 2 * 60_000
const WAIT_MAX_MS = 20_000
const LOOK_EVERY_MS = 100
const SWEPT_AT_ONCE = 100

export type BroughtToken = queries.TokenKey & {
  /** The fingerprint of the item that a failed request already exchanged the token for; null if there is none. */
  readonly exchangedFor: Buffer | null
}

/**
 * Links the login with the token, or returns the outcome of the request that already did.
 * @throws Refusal linker_timeout
 */
export async function linkOncePerToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  { userId, publicToken }: { readonly userId: UserId; readonly publicToken: string },
  link: (token: BroughtToken) => Promise<T>,
  answerAgain: (outcome: queries.TokenOutcome) => Promise<T>,
): Promise<T> {
  const { reader } = deps.db
  const token = toKey(deps, userId, publicToken)
  for (let waitedMs = 0; waitedMs < WAIT_MAX_MS; waitedMs += LOOK_EVERY_MS) {
    const now = deps.clock.now()
    const before = (ms: number): Date => new Date(now.getTime() - ms)
    const bounds = { abandonedBefore: before(ABANDONED_AFTER_MS), expiredBefore: before(KEPT_MS) }
    const claim = await queries.claimPublicToken(reader, publisher.id, token, bounds, now)
    if (claim !== null) {
      await queries.sweepPublicTokens(reader, bounds.expiredBefore, SWEPT_AT_ONCE)
      return link({ ...token, exchangedFor: claim.fingerprint }).catch(async (error: unknown) => {
        await queries.freePublicToken(reader, publisher.id, token, now)
        throw error
      })
    }
    const outcome = await queries.findOutcome(reader, publisher.id, token)
    if (outcome !== null) return answerAgain(outcome)
    await pause(LOOK_EVERY_MS)
  }
  throw new Refusal<LinkerRefusal>(
    'linker_timeout',
    'Another request with this public_token is in progress. Repeat the call.',
    { retryAfterSeconds: 5 },
  )
}

/** Returns true if a login was linked with the token, even if it has been unlinked since. */
export async function wasLinked(
  deps: LinkerDeps,
  publisher: Publisher,
  { userId, publicToken }: { readonly userId: UserId; readonly publicToken: string },
): Promise<boolean> {
  const outcome = await queries.findOutcome(deps.db.reader, publisher.id, toKey(deps, userId, publicToken))
  return outcome !== null && outcome.institutionId !== null
}

function toKey({ vault }: LinkerDeps, userId: UserId, publicToken: string): queries.TokenKey {
  return { userId, tokenHash: vault.fingerprint(publicToken, 'public_tokens') }
}
