import type { Tx } from '../../../platform/db/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import { listLinks, lockCards } from '../../../sources/cards/index.ts'
import { type Publisher, publisherNow, requireSandbox } from '../../../tenants/publishers/index.ts'
import { getUser } from '../../../users/users/index.ts'
import { getProvider } from '../accounts/provider-accounts.ts'
import type { LinkerDeps } from '../deps.ts'
import { showError } from '../health/failures.ts'
import { toRefusal } from '../health/login-state.ts'
import { listItems } from '../item-queries.ts'
import { openToken } from '../sealed-tokens.ts'
import { linkNotFound } from './link-tokens.ts'

/**
 * Makes the provider require a sandbox user to sign in again at an institution, and marks the cards immediately.
 * @param conclude runs in the same transaction
 * @throws Refusal sandbox_only, user_not_found, link_not_found, linker_…
 */
export async function breakLogin<Answer>(
  deps: LinkerDeps,
  publisher: Publisher,
  { publisherUserId, institutionId }: { readonly publisherUserId: string; readonly institutionId: string },
  conclude: (tx: Tx, userId: UserId) => Promise<Answer>,
): Promise<Answer> {
  requireSandbox(publisher, 'Only a login in a sandbox can be broken.')
  const { reader } = deps.db
  const { user } = await getUser(reader, publisher, publisherUserId, publisherNow(publisher, deps.clock))
  const links = (await listLinks(reader, publisher, user.userId)).map(({ link }) => link)
  const there = new Set(links.filter((link) => link.institutionId === institutionId).map(({ linkId }) => linkId))
  const items = (await listItems(reader, publisher.id, user.userId)).filter(({ linkId }) => there.has(linkId))
  if (items.length === 0) throw linkNotFound()
  try {
    for (const item of items)
      await (await getProvider(deps, item)).breakLogin(openToken(deps.vault, item, item.sealedToken))
  } catch (error) {
    throw toRefusal(error)
  }
  const brokenAt = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    await lockCards(tx, publisher.id, user.userId)
    for (const item of items) await showError(tx, deps, publisher, item, 'NEED_AUTHENTICATION', brokenAt)
    return conclude(tx, user.userId)
  })
}
