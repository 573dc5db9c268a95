import type { LinkId } from '../../cards/index.ts'
import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'

/** A stored token of an item of the service's own account. */
export type StoredToken = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly linkId: LinkId
  readonly sealedToken: Buffer
  readonly fingerprint: Buffer
}

/** The publisher's linked items after this link, in order; of one user or of all. */
export async function listTokensAfter(
  reader: Reader,
  publisherId: PublisherId,
  { userId, after, limit }: { readonly userId: UserId | null; readonly after: LinkId | null; readonly limit: number },
): Promise<StoredToken[]> {
  return reader<StoredToken[]>`
    select publisher_id, user_id, link_id, sealed_token,
      item_fingerprint as fingerprint
    from linker_items
    where publisher_id = ${publisherId} and owner = 'service'
      ${userId === null ? reader`` : reader`and user_id = ${userId}`}
      ${after === null ? reader`` : reader`and link_id > ${after}`}
    order by link_id
    limit ${limit}`
}

/**
 * Puts the new token wherever the item's old one stands: with its link, or, unlinked meanwhile, among the items to
 * remove. How many places there were.
 */
export async function updateToken(tx: Tx, publisherId: PublisherId, token: StoredToken): Promise<number> {
  const { userId, linkId, sealedToken, fingerprint } = token
  const linked = await tx`
    update linker_items set sealed_token = ${sealedToken}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
      and item_fingerprint = ${fingerprint}
    returning 1`
  // After the first statement: an unlinking that was under way has committed by now.
  const leaving = await tx`
    update item_removals set sealed_token = ${sealedToken}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
      and item_fingerprint = ${fingerprint}
    returning 1`
  return linked.length + leaving.length
}
