import { newUuid, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { findOwnProvider, getProvider } from '../accounts/provider-accounts.ts'
import type { LinkerDeps } from '../deps.ts'
import { FOREIGN_TOKEN, getProviderFor } from '../environments.ts'
import type { LinkerRefusal } from '../errors.ts'
import { toRefusal } from '../health/login-state.ts'
import { type Item, listHolders, listItems } from '../item-queries.ts'
import { isFault, type Provider, ProviderFault } from '../provider.ts'
import { fingerprintItem, openToken, sealToken } from '../sealed-tokens.ts'
import { markExchanged } from './public-token-queries.ts'
import type { BroughtToken } from './public-tokens.ts'
import { insertRemovals, postponeRemoval } from './removal-queries.ts'

/** An item with its plaintext token, and the provider client of the account that created it. */
export type HeldItem = {
  readonly provider: Provider
  readonly owner: Item['owner']
  readonly accessToken: string
}

// Longer than any request lasts, so no request can still be storing the item.
const ABANDONED_AFTER_MS = 15 * 60_000

/**
 * Exchanges a public token. A token can be exchanged only once, and an item whose access token is lost can never be
 * removed. Before anything else can fail, the access token is therefore stored among the items to remove, due later.
 * The commit that stores the link deletes it from there. After a failure, a repeated call continues with the stored
 * token. The public token belongs to the publisher's own account if it has one, unless the token was created before the
 * account was set up or repairs a login that was linked before.
 */
export async function exchange(
  deps: LinkerDeps,
  publisher: Publisher,
  brought: BroughtToken,
  publicToken: string,
): Promise<HeldItem> {
  if (brought.exchangedFor !== null) return findExchanged(deps, publisher, brought.userId, brought.exchangedFor)
  const exchangeUnder = async (provider: Provider, owner: Item['owner']): Promise<HeldItem> => {
    const { accessToken, itemId } = await provider.exchangePublicToken(publicToken)
    const held = { provider, owner, accessToken }
    await secureItem(deps, publisher, brought, held, itemId)
    return held
  }
  const service = getProviderFor(deps.providers, publisher.environment)
  const own = await findOwnProvider(deps, publisher)
  try {
    if (own === null) return await exchangeUnder(service, 'service')
    return await exchangeUnder(own, 'publisher').catch((ownFault: unknown) => {
      if (!isFault(ownFault, 'INVALID_PUBLIC_TOKEN', ...BAD_KEYS)) throw ownFault
      return exchangeUnder(service, 'service').catch((error: unknown) => {
        // Neither account recognizes the token. The fault under the publisher's own account is more informative.
        throw isFault(error, 'INVALID_PUBLIC_TOKEN') ? ownFault : error
      })
    })
  } catch (error) {
    throw error instanceof ProviderFault && error.kind !== 'refused' ? uncertain(error) : error
  }
}

/** Returns the item that an earlier request exchanged the token for. */
async function findExchanged(
  deps: LinkerDeps,
  publisher: Publisher,
  userId: UserId,
  fingerprint: Buffer,
): Promise<HeldItem> {
  const { reader } = deps.db
  const now = deps.clock.now()
  const items = await listItems(reader, publisher.id, userId)
  const held =
    items.find((item) => item.fingerprint.equals(fingerprint)) ??
    (await postponeRemoval(reader, publisher.id, { userId, fingerprint }, abandonedAt(now), now))
  if (held === null) {
    throw new Refusal<LinkerRefusal>(
      'linker_token_rejected',
      'The login created from this public_token has since been removed. Let the user link again.',
    )
  }
  const provider = await getProvider(deps, held)
  return { provider, owner: held.owner, accessToken: openToken(deps.vault, held, held.sealedToken) }
}

/**
 * Takes over an access token of the publisher's own account at the provider.
 * @throws Refusal linker_token_rejected if the publisher has no such account
 */
export async function takeOver(deps: LinkerDeps, publisher: Publisher, accessToken: string): Promise<HeldItem> {
  const provider = await findOwnProvider(deps, publisher)
  if (provider !== null) return { provider, owner: 'publisher', accessToken }
  throw new Refusal<LinkerRefusal>(
    'linker_token_rejected',
    'The provider_access_token works only with the client id and secret that created it, and the operator of ' +
      'this service has stored none for this publisher.',
  )
}

/** Runs the work and turns provider faults into refusals. */
export function refuseFaults<T>(field: 'public_token' | 'provider_access_token', work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    const isOurFault = field === 'public_token' && isFault(error, ...BAD_KEYS)
    throw isFault(error, ...Object.keys(REJECTIONS)) && !isOurFault ? rejected(field, error.code) : toRefusal(error)
  })
}

export function rejected(field: string, code: string): Refusal<LinkerRefusal> {
  return new Refusal<LinkerRefusal>(
    'linker_token_rejected',
    `The linking provider rejected the ${field}: ${REJECTIONS[code]}`,
  )
}

const BAD_KEYS = ['INVALID_API_KEYS', 'UNAUTHORIZED_ENVIRONMENT']

/** Explanations for rejected tokens, by the provider's error code. */
const REJECTIONS: Readonly<Record<string, string>> = {
  INVALID_PUBLIC_TOKEN: 'it is unknown, expired, already used, or belongs to another account. Let the user link again.',
  INVALID_ACCESS_TOKEN: 'it is unknown, invalidated, or belongs to another account.',
  [FOREIGN_TOKEN]: 'it belongs to a different environment than this publisher.',
  ITEM_NOT_FOUND: 'its item was removed. Let the user link again.',
  USER_PERMISSION_REVOKED: 'the user has revoked access. Let the user link again.',
  INVALID_API_KEYS: 'the client id and secret that the operator stored for this publisher are wrong.',
  UNAUTHORIZED_ENVIRONMENT: 'the client id stored for this publisher is not allowed in this environment.',
}

/** The token may or may not have been exchanged. A repeated call reveals which, because a used token is rejected. */
function uncertain(error: ProviderFault): Refusal {
  const refusal = toRefusal(error) as Refusal
  return new Refusal(
    refusal.code,
    `${refusal.message} The public_token may have been used anyway. Repeat the call, and if it returns ` +
      'linker_token_rejected, let the user link again.',
    { retryAfterSeconds: refusal.retryAfterSeconds ?? 1 },
  )
}

async function secureItem(
  deps: LinkerDeps,
  publisher: Publisher,
  brought: BroughtToken,
  { owner, accessToken }: HeldItem,
  itemId: string,
): Promise<void> {
  const { userId } = brought
  const fingerprint = fingerprintItem(deps.vault, itemId)
  const linkId = newUuid<'link'>()
  const sealedToken = sealToken(deps.vault, { publisherId: publisher.id, userId, linkId }, accessToken)
  await deps.db.transaction(async (tx) => {
    await markExchanged(tx, publisher.id, brought, fingerprint)
    // After a repair, the item is one that we or the publisher already use and must not be removed.
    if ((await listHolders(tx, fingerprint)).length > 0) return
    const removal = { userId, linkId, owner, sealedToken, fingerprint }
    await insertRemovals(tx, publisher.id, [removal], abandonedAt(deps.clock.now()))
  })
}

function abandonedAt(now: Date): Date {
  return new Date(now.getTime() + ABANDONED_AFTER_MS)
}
