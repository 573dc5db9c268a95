import { type Account, linkCards, listCardSpans, listLinks } from '../../cards/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Publisher } from '../../publishers/index.ts'
import { providerOf } from '../accounts/provider-of-item.ts'
import type { LinkerDeps } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import { openToken } from '../links/sealed-tokens.ts'
import type { Update } from './rows.ts'

/**
 * The login's accounts as the provider shows them now, asked for only when the update names one that no card of the user
 * has: a bank may give every account a new id, and a purchase on it would be judged as on a card that is not linked.
 */
export async function readUnknownAccounts(
  deps: LinkerDeps,
  item: Item,
  update: Update,
): Promise<readonly Account[] | null> {
  const named = new Set(update.rows.map((row) => row.accountId))
  if (named.size === 0) return null
  const spans = await listCardSpans(deps.db.reader, item.publisherId, [item.userId])
  const known = new Set(spans.map((span) => span.accountId))
  if ([...named].every((accountId) => known.has(accountId))) return null
  const provider = await providerOf(deps, item)
  return provider.listAccounts(openToken(deps.vault, item, item.sealedToken))
}

/** Makes the link show these accounts. The caller holds the user's cards. */
export async function learnAccounts(
  tx: Tx,
  publisher: Publisher,
  { userId, linkId }: Item,
  accounts: readonly Account[],
  now: Date,
): Promise<void> {
  const known = (await listLinks(tx, publisher, userId)).find(({ link }) => link.linkId === linkId)
  if (known === undefined) return
  const institution = { id: known.link.institutionId, name: known.link.institutionName }
  await linkCards(tx, publisher, { userId, linkId, institution, accounts }, now)
}
