import { recordEvents } from '../events/index.ts'
import type { Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { getOwner } from './card-events.ts'
import { type Link, markNewAccounts } from './queries.ts'
import { presentNewAccountsEvent } from './schema.ts'

/**
 * A bank may have accounts of a login that the user has not been asked about. Only the user can share them, in a repair,
 * so this announces them to the publisher, once until the user has chosen. The caller holds the lock of lockCards.
 */
export async function announceNewAccounts(tx: Tx, publisher: Publisher, link: Link, now: Date): Promise<void> {
  if (link.newAccountsAvailable) return
  await markNewAccounts(tx, publisher.id, link, true)
  const data = presentNewAccountsEvent(await getOwner(tx, publisher, link.userId), link)
  await recordEvents(tx, publisher, [{ type: 'link.new_accounts_available', userId: link.userId, data }], now)
}

/** The user has chosen which accounts to share. */
export async function markAccountsChosen(tx: Tx, publisher: Publisher, link: Link): Promise<void> {
  if (link.newAccountsAvailable) await markNewAccounts(tx, publisher.id, link, false)
}
