import { encodeId, type PublisherId } from '../../platform/ids.ts'
import type { LinkerDeps } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import { type Provider, ProviderFault } from '../provider.ts'
import { sealContext } from './provider-accounts.ts'
import { findProviderAccount } from './queries.ts'

/** What this process has open for publishers with an account of their own, beside the service's own provider. */
const opened = new WeakMap<Provider, Map<PublisherId, { readonly version: string; readonly provider: Provider }>>()

// Only the operator can end this.
const WITHOUT_ACCOUNT_S = 60

/**
 * The provider under the account in which an item was made, because a token works only under that one. Background work uses
 * its `patient` side.
 * @throws ProviderFault NO_PROVIDER_ACCOUNT
 */
export async function providerOf(deps: LinkerDeps, item: Pick<Item, 'publisherId' | 'owner'>): Promise<Provider> {
  if (item.owner === 'service') return deps.provider
  const own = await ownProviderOf(deps, item.publisherId)
  // Taken away while items of it are linked. That says nothing about the logins, which are well once it is back.
  if (own === null) {
    const spared = { symptom: 'spared', retryAfterSeconds: WITHOUT_ACCOUNT_S } as const
    throw new ProviderFault('unavailable', 'NO_PROVIDER_ACCOUNT', 'provider account', null, spared)
  }
  return own
}

/**
 * The provider under the publisher's own account, or null when it has none. The account is looked up at each use, so a
 * new secret counts from the next call on, in every process.
 */
export async function ownProviderOf(deps: LinkerDeps, publisherId: PublisherId): Promise<Provider | null> {
  const providers = opened.get(deps.provider) ?? new Map()
  opened.set(deps.provider, providers)
  const account = await findProviderAccount(deps.db.reader, publisherId)
  if (account === null) {
    providers.delete(publisherId)
    return null
  }
  // Removed and set again, an account counts from one once more.
  const version = `${account.version} ${account.createdAt.toISOString()}`
  const known = providers.get(publisherId)
  if (known?.version === version) return known.provider
  const secret = deps.vault.open(account.sealedSecret, sealContext(publisherId))
  const provider = deps.provider.under({
    clientId: account.clientId,
    secret,
    account: publisherId,
    label: encodeId('pub', publisherId),
  })
  providers.set(publisherId, { version, provider })
  return provider
}
