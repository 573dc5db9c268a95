import type { CatalogStore } from '../../catalog/catalog/index.ts'
import { getOrderOfCard, giftCardNotFound, parseCardId, revealCard } from '../../payouts/gift-cards/index.ts'
import { requestRedemption } from '../../payouts/redemptions/index.ts'
import type { Database } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { parseAmount } from '../amounts.ts'
import { renderRevealedPage } from '../pages/gift-cards.ts'
import type { PortalForms } from '../visit.ts'
import { buildRef } from './ref.ts'

type Deps = { readonly db: Database; readonly vault: Vault; readonly catalog: CatalogStore }

/** Returns the forms that buy gift cards with cashback and reveal their codes once. */
export function giftCardForms({ db, vault, catalog }: Deps): PortalForms {
  return {
    '/offers/:offer_uid/gift-card': {
      act: async ({ publisher, user, now }, body, params) => {
        const offerUid = params['offer_uid'] ?? ''
        await catalog.lookFor([{ offerUid }])
        const assortment = await catalog.getAssortment(publisher)
        const currency = assortment.catalog.offers.get(offerUid)?.currency ?? publisher.currency
        const request = {
          ...({ publisherUserId: user.publisherUserId, method: 'gift_card', currency } as const),
          amount: parseAmount(body['denomination'] ?? '', currency, 'denomination'),
          externalRef: buildRef({ user }, body),
          card: { offerUid, assortment },
        }
        const { redemptionId } = await db.transaction((tx) => requestRedemption(tx, publisher, request, now))
        return `/redemptions/${encodeId('rdm', redemptionId)}?done=redeemed`
      },
    },
    '/gift-cards/:card_id/reveal': {
      act: async (visit, _body, params) => {
        const { publisher, user, now } = visit
        const cardId = parseCardId(params['card_id'] ?? '')
        const { card } = await getOrderOfCard(db.reader, publisher, cardId)
        if (card.userId !== user.userId) throw giftCardNotFound()
        const { details } = await db.transaction((tx) => revealCard(tx, vault, publisher, cardId, now))
        return renderRevealedPage(visit, details)
      },
    },
  }
}
