import { createOffersOfUser } from '../../catalog/allowances/index.ts'
import { listOffersForLapsed, type OffersOfUser } from '../../catalog/catalog/index.ts'
import { DAY_MS } from '../../platform/calendar.ts'
import { listLatestPurchases } from './queries.ts'

/**
 * Creates a lookup of the offers that a user has activated and of those that the user cannot use: used up, exhausted,
 * or limited to new or lapsed customers.
 */
export function createListing(): OffersOfUser {
  const offersOfUser = createOffersOfUser()
  return async (reader, publisher, userId, assortment, now) => {
    const [{ usedUp, activated }, purchases] = await Promise.all([
      offersOfUser(reader, publisher, userId, assortment, now),
      listLatestPurchases(reader, publisher.id, userId),
    ])
    const forOthers = purchases.flatMap(({ brandUid, at }) =>
      assortment.catalog
        .getOffers(brandUid)
        .filter((offer) => offer.newCustomerOnly && at.getTime() >= now.getTime() - offer.newCustomerDays * DAY_MS)
        .map(({ offerUid }) => offerUid),
    )
    const latest = new Map(purchases.map(({ brandUid, at }) => [brandUid, at.getTime()]))
    const forLapsed = listOffersForLapsed(assortment)
      .filter(({ brandUid, conditions }) => {
        const at = latest.get(brandUid)
        return at === undefined || at >= now.getTime() - conditions.lapsedCustomerDays * DAY_MS
      })
      .map(({ offerUid }) => offerUid)
    return { usedUp: usedUp.union(new Set([...forOthers, ...forLapsed])), activated }
  }
}
