import { PAGE_SIZE, query } from '../../api/query.ts'
import { category, choice, search, select } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

/** Offers, newest first. */
export const OFFERS = operatorList(
  '/operator/offers',
  {
    search_text: search('Offer or brand'),
    offer_type: select('Type', 'All types', {
      CARD_LINKED: 'Card linked',
      AFFILIATE: 'Affiliate',
      GIFT_CARD: 'Gift card',
      VOUCHER_CODE: 'Voucher code',
    }),
    category_id: category,
    state: choice('State', { live: 'Current', scheduled: 'Not started', ended: 'Ended', retired: 'Retired' }),
  },
  { limit: PAGE_SIZE },
)

export const catalogOffer = (offer_uid: string) => query('/operator/offers/{offer_uid}', { path: { offer_uid } })

/** Queries all versions of an offer, newest first. */
export const offerVersions = (offer_uid: string) =>
  query('/operator/offers/{offer_uid}/versions', { path: { offer_uid } })

/** Counts an offer's voucher codes by state. */
export const voucherPools = (offer_uid: string) => query('/operator/voucher-pools/{offer_uid}', { path: { offer_uid } })
