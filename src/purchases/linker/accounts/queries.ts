import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'

/** A publisher's own account at the linking provider. */
export type ProviderAccount = {
  readonly publisherId: PublisherId
  readonly clientId: string
  readonly sealedSecret: Buffer
  readonly version: number
  readonly createdAt: Date
  readonly createdBy: string
  readonly updatedAt: Date
  readonly updatedBy: string
}

const columns = (reader: Reader) => reader`
  publisher_id, client_id, sealed_secret, version,
  created_at, created_by, updated_at, updated_by`

export async function findProviderAccount(reader: Reader, publisherId: PublisherId): Promise<ProviderAccount | null> {
  const [account] = await reader<ProviderAccount[]>`
    select ${columns(reader)} from provider_accounts where publisher_id = ${publisherId}`
  return account ?? null
}

/** Locks the account until commit, which serializes operators' changes. */
export async function lockProviderAccount(tx: Tx, publisherId: PublisherId): Promise<ProviderAccount | null> {
  const [account] = await tx<ProviderAccount[]>`
    select ${columns(tx)} from provider_accounts where publisher_id = ${publisherId} for update`
  return account ?? null
}

export async function upsertProviderAccount(
  tx: Tx,
  publisherId: PublisherId,
  account: Pick<ProviderAccount, 'clientId' | 'sealedSecret'> & { readonly by: string },
  now: Date,
): Promise<void> {
  const { clientId, sealedSecret, by } = account
  await tx`
    insert into provider_accounts
      (publisher_id, client_id, sealed_secret, created_at, created_by, updated_at, updated_by)
    values (${publisherId}, ${clientId}, ${sealedSecret}, ${now}, ${by}, ${now}, ${by})
    on conflict (publisher_id) do update set
      client_id = excluded.client_id, sealed_secret = excluded.sealed_secret,
      version = provider_accounts.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by`
}

export async function deleteProviderAccount(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`delete from provider_accounts where publisher_id = ${publisherId}`
}

/** Counts the publisher's links that use items of its own account. */
export async function countOwnItems(reader: Reader, publisherId: PublisherId): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::integer as count from linker_items where publisher_id = ${publisherId} and owner = 'publisher'`
  return row?.count ?? 0
}
