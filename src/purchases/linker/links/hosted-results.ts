import type { PublisherId } from '../../../platform/ids.ts'
import { createLeasedWork, type LeasedWork } from '../../../platform/queue/leased-work.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { announceFailedLinks, type FailedLink } from '../../../sources/cards/index.ts'
import { getPublisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { getKnownUser } from '../../../users/users/index.ts'
import { getProvider } from '../accounts/provider-accounts.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { type HostedResult, isFault } from '../provider.ts'
import { claimHostedLinks, type HostedLink, renewLeases } from '../schedule/run-queries.ts'
import { computeBackoffMs, HOSTED_LINKS_AT_ONCE } from '../schedule/timing.ts'
import { openToken } from '../sealed-tokens.ts'
import { deleteHostedLink, postponeHostedLink } from './hosted-link-queries.ts'
import { computeGivenUpAt, computeKeptUntil, nextPollAt } from './hosted-links.ts'
import { linkPublicToken } from './link.ts'
import { wasLinked } from './public-tokens.ts'

/**
 * Creates the worker that links the logins that users have finished on hosted pages, for all publishers or only for a
 * publisher that a caller is waiting for.
 */
export function createHostedLinks(deps: LinkerDeps, publisherId: PublisherId | null): LeasedWork {
  const { reader } = deps.db
  return createLeasedWork<HostedLink, void>(deps, {
    name: 'linker hosted links',
    everyMs: 500,
    heldMax: HOSTED_LINKS_AT_ONCE,
    toKey: (hosted) => hosted.publisherId,
    claim: (capacity) => claimHostedLinks(reader, publisherId, capacity),
    renew: (held, leasedUntil) => renewLeases(reader, 'hosted', held, leasedUntil),
    process: (hosted) => finish(deps, hosted),
  })
}

async function finish(deps: LinkerDeps, hosted: HostedLink): Promise<void> {
  const { reader } = deps.db
  const isPast = (instant: Date): boolean => deps.clock.now() >= instant
  let outcomes: readonly HostedOutcome[] = []
  try {
    const provider = await getProvider(deps, hosted)
    const token = openToken(deps.vault, { ...hosted, linkId: hosted.hostedId }, hosted.sealedToken)
    const results = await provider.patient.listHostedResults(token)
    if (results.length === 0 && !isPast(computeKeptUntil(hosted)))
      return postponeHostedLink(reader, hosted, { dueAt: nextPollAt(deps, hosted), failures: 0 })
    outcomes = await linkAll(deps, hosted, results)
    const retried = outcomes.find(({ error }) => error !== null && !isFinal(error))
    if (retried !== undefined) throw retried.error
    await end(deps, hosted, outcomes)
  } catch (error) {
    if (isFault(error, 'INVALID_LINK_TOKEN') || isPast(computeGivenUpAt(hosted))) return end(deps, hosted, outcomes)
    deps.log.warn({ err: error, hosted_id: hosted.hostedId }, 'a hosted link could not be finished yet')
    const dueAt = new Date(deps.clock.now().getTime() + computeBackoffMs(hosted.failures))
    await postponeHostedLink(reader, hosted, { dueAt, failures: hosted.failures + 1 })
  }
}

/** The outcome of a finished login, which is linked if there is no error. */
type HostedOutcome = { readonly institution: HostedResult['institution']; readonly error: unknown }

/** Refusals that a retry cannot change. */
const FINAL: readonly string[] = ['user_not_active', 'account_already_linked', 'linker_token_rejected'] satisfies (
  | LinkerRefusal
  | 'user_not_active'
)[]

const isFinal = (error: unknown): boolean => error instanceof Refusal && FINAL.includes(error.code)

/** Links each result as if the publisher had sent it. Results that are already linked are left unchanged. */
async function linkAll(
  deps: LinkerDeps,
  { publisherId, userId }: HostedLink,
  results: readonly HostedResult[],
): Promise<HostedOutcome[]> {
  const { reader } = deps.db
  const publisher = await getPublisher(reader, publisherId)
  const { publisherUserId } = await getKnownUser(reader, publisherId, userId)
  const outcomes: HostedOutcome[] = []
  for (const { publicToken, institution } of results) {
    try {
      if (!(await wasLinked(deps, publisher, { userId, publicToken }))) {
        await linkPublicToken(deps, publisher, { publisherUserId, institution, publicToken }, async () => undefined)
      }
      outcomes.push({ institution, error: null })
    } catch (error) {
      outcomes.push({ institution, error })
    }
  }
  return outcomes
}

/** Deletes the hosted link and announces what could not be linked, in one commit. */
async function end(deps: LinkerDeps, hosted: HostedLink, outcomes: readonly HostedOutcome[]): Promise<void> {
  const { publisherId, userId } = hosted
  const failed = outcomes.flatMap(({ institution, error }): FailedLink[] =>
    error instanceof Refusal ? [{ institution, refusal: error }] : [],
  )
  await deps.db.transaction(async (tx) => {
    const isDeleted = await deleteHostedLink(tx, publisherId, hosted)
    if (!isDeleted || failed.length === 0) return
    const publisher = await getPublisher(tx, publisherId)
    await announceFailedLinks(tx, publisher, { userId, failed }, publisherNow(publisher, deps.clock))
  })
}
