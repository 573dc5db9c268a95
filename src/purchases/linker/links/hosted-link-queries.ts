import { DAY_MS } from '../../../platform/calendar.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import type { HostedLink } from '../schedule/run-queries.ts'

type NewHostedLink = { readonly dueAt: Date } & Pick<
  HostedLink,
  'hostedId' | 'userId' | 'owner' | 'sealedToken' | 'fingerprint' | 'expiresAt'
>

export async function insertHostedLink(tx: Tx, publisherId: PublisherId, link: NewHostedLink): Promise<void> {
  await tx`
    insert into hosted_links
      (user_id, hosted_id, publisher_id, owner, sealed_token, token_fingerprint, expires_at, due_at)
    values (${link.userId}, ${link.hostedId}, ${publisherId}, ${link.owner}, ${link.sealedToken}, ${link.fingerprint},
      ${link.expiresAt}, ${link.dueAt})`
}

// Puts links with a webhook ahead of all polls, because a public token expires and many hosted links may end at the
// same time.
const AHEAD_OF_POLLS_MS = 365 * DAY_MS

/**
 * Makes the hosted link with this token due and ends its lease. The worker holding the lease may have queried the
 * provider before the session ended, and a second query is harmless.
 */
export async function markHostedLinkDue(
  reader: Reader,
  { fingerprint, environment }: { readonly fingerprint: Buffer; readonly environment: Environment },
  now: Date,
): Promise<void> {
  const dueAt = new Date(now.getTime() - AHEAD_OF_POLLS_MS)
  // all publishers: the provider names only the link token, which belongs to one of them
  await reader`
    -- all users: the link token names the user
    update hosted_links h set due_at = ${dueAt}, lease = null, lease_until = null
    from publishers p
    where h.token_fingerprint = ${fingerprint} and p.publisher_id = h.publisher_id and p.environment = ${environment}`
}

/** Does nothing if the lease was lost. */
export async function postponeHostedLink(
  reader: Reader,
  link: HostedLink,
  { dueAt, failures }: { readonly dueAt: Date; readonly failures: number },
): Promise<void> {
  await reader`
    update hosted_links set due_at = ${dueAt}, failures = ${failures}, lease = null, lease_until = null
    where user_id = ${link.userId} and publisher_id = ${link.publisherId} and hosted_id = ${link.hostedId}
      and lease = ${link.lease}`
}

/**
 * Deletes a hosted link and returns true. Does nothing if the lease was lost, because there may be new results to
 * fetch.
 */
export async function deleteHostedLink(tx: Tx, publisherId: PublisherId, link: HostedLink): Promise<boolean> {
  const { count } = await tx`
    delete from hosted_links
    where user_id = ${link.userId} and publisher_id = ${publisherId} and hosted_id = ${link.hostedId}
      and lease = ${link.lease}`
  return count === 1
}

export async function deleteHostedLinksByUser(tx: Tx, publisherId: PublisherId, userId: UserId): Promise<void> {
  await tx`delete from hosted_links where user_id = ${userId} and publisher_id = ${publisherId}`
}
