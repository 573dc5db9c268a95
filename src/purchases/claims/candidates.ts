import type { Catalog } from '../../catalog/catalog/index.ts'
import { addDays, type Day, startOfDay, toDay } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type ClickOfUser, listClicksAround } from '../../sources/affiliate/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { type CandidateRefund, listUnmatchedByUser } from '../linker/index.ts'
import { listPurchasesAround, type Transaction } from '../transactions/index.ts'
import type { Claim } from './claim.ts'

/** The purchases, clicks and refunds that a claim may refer to. */
export type Candidates = {
  readonly purchases: readonly Transaction[]
  readonly clicks: readonly ClickOfUser[]
  readonly refunds: readonly CandidateRefund[]
}

// People misremember dates, and cards are often charged days after the purchase.
const DAYS_AROUND = 14
// The closest purchases and clicks come first, so this is enough for a user to recognize theirs.
const CANDIDATES_MAX = 5

/**
 * Lists the user's purchases, clicks and unmatched refunds around the day of the claim. Purchases and clicks are
 * limited to the claim's brand if it is known.
 */
export async function listCandidates(
  reader: Reader,
  publisher: Publisher,
  catalog: Pick<Catalog, 'offers' | 'getOffers'>,
  claim: Claim,
  about: Transaction | null,
): Promise<Candidates> {
  const { userId, offerUid } = claim
  const ofOffer = offerUid === null ? undefined : catalog.offers.get(offerUid)?.brandUid
  const brandUid = claim.brandUid ?? ofOffer ?? about?.brandUid ?? null
  const day = claim.purchaseDate ?? toDay(about?.authorizedAt ?? claim.createdAt, publisher.timeZone)
  const span = spanAround(day, publisher.timeZone)
  const asked = { userId, ...span, limit: CANDIDATES_MAX }
  const offerUids = brandUid === null ? null : catalog.getOffers(brandUid).map((offer) => offer.offerUid)
  const [purchases, clicks, refunds] = await Promise.all([
    listPurchasesAround(reader, publisher.id, { ...asked, brandUid }),
    listClicksAround(reader, publisher.id, { ...asked, offerUids }),
    listUnmatchedByUser(reader, publisher.id, {
      userId,
      day,
      from: span.fromDay,
      until: span.untilDay,
      limit: CANDIDATES_MAX,
    }),
  ])
  return { purchases, clicks, refunds }
}

function spanAround(day: Day, timeZone: string) {
  const [fromDay, untilDay] = [addDays(day, -DAYS_AROUND), addDays(day, DAYS_AROUND + 1)]
  return {
    fromDay,
    untilDay,
    at: startOfDay(day, timeZone),
    from: startOfDay(fromDay, timeZone),
    until: startOfDay(untilDay, timeZone),
  }
}
