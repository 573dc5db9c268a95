import type { Circumstances, Purchase } from '../../../catalog/offers/index.ts'
import { addDays, startOfDay, toDay } from '../../../platform/calendar.ts'
import { toSeconds } from '../../../platform/clock.ts'
import type { CardSpan } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { type Folded, removeRefunds } from '../fold/fold.ts'

export function toPurchase(publisher: Publisher, source: string, folded: Folded): Purchase {
  const { facts } = folded
  return {
    source: source as Purchase['source'],
    amount: folded.amount,
    currency: folded.currency,
    hasBooks: publisher.limits.has(folded.currency),
    at: folded.authorizedAt,
    day: toDay(folded.authorizedAt, publisher.timeZone),
    timeZone: publisher.timeZone,
    dateOnly: folded.dateOnly,
    offerUid: facts.offerUid ?? null,
    voucherCode: facts.voucherCode ?? null,
    place: facts,
    channel: facts.channel ?? null,
    // The items as bought, before refunds.
    items: removeRefunds(folded).items,
  }
}

/**
 * Returns the time of a purchase. If only the date is known, returns the latest time on that date that is not after the
 * purchase became known.
 */
export function computeLatestTime(publisher: Publisher, folded: Folded, knownAt: Date): Date {
  if (!folded.dateOnly) return folded.authorizedAt
  const nextDay = startOfDay(addDays(toDay(folded.authorizedAt, publisher.timeZone), 1), publisher.timeZone)
  return new Date(Math.min(nextDay.getTime() - 1, Math.max(knownAt.getTime(), folded.authorizedAt.getTime())))
}

/**
 * Returns the card's link state at the time of the purchase. Always `linked` for sources other than cards and for
 * publishers that issue their own cards.
 */
export function findCardState(
  publisher: Publisher,
  source: string,
  cards: readonly CardSpan[],
  accountId: string | undefined,
  at: Date,
): Circumstances['card'] {
  if (publisher.ownCardFeed || source !== 'CARD') return 'linked'
  const named = accountId === undefined ? cards : cards.filter((card) => card.accountId === accountId)
  const second = toSeconds(at)
  const isLinked = ({ linkedAt, unlinkedAt }: CardSpan): boolean =>
    toSeconds(linkedAt) <= second && (unlinkedAt === null || toSeconds(unlinkedAt) >= second)
  if (named.some(isLinked)) return 'linked'
  return named.some(({ linkedAt }) => toSeconds(linkedAt) > second) ? 'linked_later' : 'not_linked'
}
