import type { Reader, Tx } from '../../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import { type Environment, getPublisher } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { getProviderFor } from '../environments.ts'
import type { LinkerRefusal } from '../errors.ts'
import type { Item } from '../item-queries.ts'
import { type Provider, ProviderFault } from '../provider.ts'
import * as queries from './queries.ts'

/**
 * Some publishers have their own account at the linking provider. A token works only under the account that created it,
 * so calls for such a publisher's items use its client id and secret, which the operator sets.
 */

/** An account as operators see it, without its secret. */
export type AccountSummary = Omit<queries.ProviderAccount, 'sealedSecret' | 'version'> & {
  /** The number of links that can no longer be read if the account is removed. */
  readonly items: number
}

type Credentials = { readonly clientId: string; readonly secret: string }

/** Returns the publisher's own account; null if it has none. */
export async function findAccount(reader: Reader, publisherId: PublisherId): Promise<AccountSummary | null> {
  const account = await queries.findProviderAccount(reader, publisherId)
  if (account === null) return null
  const { sealedSecret: _sealed, version: _version, ...shown } = account
  return { ...shown, items: await queries.countOwnItems(reader, publisherId) }
}

/**
 * Sets or replaces the account. A new secret for the same client id keeps the items working. A different client id
 * invalidates their tokens, so it requires `force`.
 * @throws Refusal publisher_not_found, provider_account_in_use
 */
export async function setAccount(
  tx: Tx,
  vault: Vault,
  publisherId: PublisherId,
  { clientId, secret, by, force }: Credentials & { readonly by: string; readonly force: boolean },
  now: Date,
): Promise<void> {
  await getPublisher(tx, publisherId)
  const known = await queries.lockProviderAccount(tx, publisherId)
  if (known !== null && known.clientId !== clientId && !force) await refuseInUse(tx, publisherId)
  const sealedSecret = vault.seal(secret, sealContext(publisherId))
  await queries.upsertProviderAccount(tx, publisherId, { clientId, sealedSecret, by }, now)
}

/**
 * Removes the account. Returns false if there was none.
 * @throws Refusal provider_account_in_use
 */
export async function removeAccount(
  tx: Tx,
  publisherId: PublisherId,
  { force }: { readonly force: boolean },
): Promise<boolean> {
  if ((await queries.lockProviderAccount(tx, publisherId)) === null) return false
  if (!force) await refuseInUse(tx, publisherId)
  await queries.deleteProviderAccount(tx, publisherId)
  return true
}

/** Binds a sealed secret to its publisher, so that a copy in another publisher's row cannot be opened. */
function sealContext(publisherId: PublisherId): string {
  return `provider_accounts:${publisherId}`
}

async function refuseInUse(tx: Tx, publisherId: PublisherId): Promise<void> {
  const items = await queries.countOwnItems(tx, publisherId)
  if (items === 0) return
  throw new Refusal<LinkerRefusal>(
    'provider_account_in_use',
    `Linked logins are read through this account, and could not be read without it: ${items}.`,
  )
}

export type AccountDeps = Pick<LinkerDeps, 'db' | 'vault' | 'providers'>

/** The providers that this process has opened for publishers' own accounts, keyed by the service's provider. */
const opened = new WeakMap<Provider, Map<PublisherId, { readonly version: string; readonly provider: Provider }>>()

// Only the operator can fix this, so there is no point in retrying sooner.
const WITHOUT_ACCOUNT_S = 60

/**
 * Returns the provider under the account that an item belongs to. The item's token works only there.
 * @throws ProviderFault NO_PROVIDER_ACCOUNT, NO_PROVIDER_ENVIRONMENT
 */
export async function getProvider(
  deps: AccountDeps,
  item: Pick<Item, 'publisherId' | 'owner' | 'environment'>,
): Promise<Provider> {
  const { publisherId, owner, environment } = item
  if (owner === 'service') return getProviderFor(deps.providers, environment)
  const own = await findOwnProvider(deps, { id: publisherId, environment })
  // The account was removed while its items were still linked. Their logins work again once it is restored.
  if (own === null) {
    const spared = { symptom: 'spared', retryAfterSeconds: WITHOUT_ACCOUNT_S } as const
    throw new ProviderFault('unavailable', 'NO_PROVIDER_ACCOUNT', 'provider account', null, spared)
  }
  return own
}

/**
 * Returns the provider for the publisher's own account; null if it has none. Reads the account on every use, so that a
 * new secret takes effect with the next call in every process.
 */
export async function findOwnProvider(
  deps: AccountDeps,
  { id: publisherId, environment }: { readonly id: PublisherId; readonly environment: Environment },
): Promise<Provider | null> {
  const service = getProviderFor(deps.providers, environment)
  const providers = opened.get(service) ?? new Map()
  opened.set(service, providers)
  const account = await queries.findProviderAccount(deps.db.reader, publisherId)
  if (account === null) {
    providers.delete(publisherId)
    return null
  }
  // The version restarts at 1 when an account is removed and set again, so the creation time is part of the key.
  const version = `${account.version} ${account.createdAt.toISOString()}`
  const known = providers.get(publisherId)
  if (known?.version === version) return known.provider
  const secret = deps.vault.open(account.sealedSecret, sealContext(publisherId))
  const provider = service.under({
    clientId: account.clientId,
    secret,
    account: publisherId,
    label: encodeId('pub', publisherId),
  })
  providers.set(publisherId, { version, provider })
  return provider
}
