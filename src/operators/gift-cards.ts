import { allowReveal, findPublisherOfCard, type GiftCardId, giftCardNotFound } from '../gift-cards/index.ts'
import type { Tx } from '../platform/database.ts'
import { encodeId } from '../platform/ids.ts'
import { getPublisher } from '../publishers/index.ts'
import { audit } from './audit.ts'
import type { Actor } from './operator.ts'

/**
 * Lets the code of a gift card be shown once more, with an entry in the audit log. Returns when it was first shown.
 * @throws Refusal gift_card_not_found, gift_card_status
 */
export async function allowRevealAs(
  tx: Tx,
  { cardId, reason, by }: { readonly cardId: GiftCardId; readonly reason: string; readonly by: Actor },
  now: Date,
): Promise<Date | null> {
  const publisherId = await findPublisherOfCard(tx, cardId)
  if (publisherId === null) throw giftCardNotFound()
  const { revealedAt } = await allowReveal(tx, await getPublisher(tx, publisherId), cardId)
  const subject = encodeId('gcd', cardId)
  await audit(tx, { actor: by, action: 'gift_card.reveal_allowed', subject, after: { reason } }, now)
  return revealedAt
}
