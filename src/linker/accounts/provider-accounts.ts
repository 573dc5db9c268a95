import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPublisher } from '../../publishers/index.ts'
import type { Vault } from '../../secrets/index.ts'
import type { LinkerRefusal } from '../errors.ts'
import * as queries from './queries.ts'

/**
 * Publishers with an account of their own at the linking provider. A token works only under the account it was made in,
 * so the items that such a publisher hands over are reached with its client id and its secret, which the operator sets.
 */

/** What the operator is shown of an account; never its secret. */
export type ShownAccount = Omit<queries.ProviderAccount, 'sealedSecret' | 'version'> & {
  /** Links that stop being read when the account goes. */
  readonly items: number
}

type Credentials = { readonly clientId: string; readonly secret: string }

/** Null when the publisher has no account of its own. */
export async function findAccount(reader: Reader, publisherId: PublisherId): Promise<ShownAccount | null> {
  const account = await queries.findProviderAccount(reader, publisherId)
  if (account === null) return null
  const { sealedSecret: _sealed, version: _version, ...shown } = account
  return { ...shown, items: await queries.countOwnItems(reader, publisherId) }
}

/**
 * Sets or replaces the account. Another secret of the same client id goes on with the same items; under another client
 * id their tokens are dead, so that has to be asked for.
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

/** False when there was none. @throws Refusal provider_account_in_use */
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

/** Where a secret is sealed to: copied to another publisher's row it does not open. */
export function sealContext(publisherId: PublisherId): string {
  return `provider_accounts:${publisherId}`
}

async function refuseInUse(tx: Tx, publisherId: PublisherId): Promise<void> {
  const items = await queries.countOwnItems(tx, publisherId)
  if (items === 0) return
  throw new Refusal<LinkerRefusal>(
    'provider_account_in_use',
    `Linked logins that are read under this account, and would not be any more without it: ${items}.`,
  )
}
