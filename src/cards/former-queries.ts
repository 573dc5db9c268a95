import type { Reader } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { CardId, LinkId } from './queries.ts'

/**
 * Cards that the user had unlinked before linking the same account again, each with the live card of this link that it is
 * now. Accounts are matched by the institution's persistent id, otherwise by name, mask and subtype.
 */
export async function listFormerCards(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  linkId: LinkId,
): Promise<ReadonlyMap<CardId, CardId>> {
  const rows = await reader<{ formerId: CardId; cardId: CardId }[]>`
    select former.card_id as former_id, live.card_id
    from cards live
    join links on links.user_id = live.user_id and links.link_id = live.link_id
    join cards former on former.user_id = live.user_id and former.card_id <> live.card_id
      and former.unlinked_at <= live.linked_at
    join links former_link on former_link.user_id = former.user_id and former_link.link_id = former.link_id
      and former_link.institution_id = links.institution_id
    where live.user_id = ${userId} and live.publisher_id = ${publisherId} and live.link_id = ${linkId}
      and live.unlinked_at is null
      and (
        former.persistent_account_id = live.persistent_account_id
        or ((former.persistent_account_id is null or live.persistent_account_id is null) and former.name = live.name
          and former.mask is not distinct from live.mask and former.subtype is not distinct from live.subtype))
    order by live.linked_at, live.card_id`
  return new Map(rows.map((row) => [row.formerId, row.cardId]))
}
