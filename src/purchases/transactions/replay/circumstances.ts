import type { Circumstances, Purchase } from '../../../catalog/offers/index.ts'
import { addDays, dayOf, startOfDay } from '../../../platform/calendar.ts'
import { secondsOf } from '../../../platform/clock.ts'
import type { CardSpan } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { beforeRefunds, type Folded } from '../fold/fold.ts'

export function purchaseOf(publisher: Publisher, source: string, folded: Folded): Purchase {
  const { facts } = folded
  return {
    source: source as Purchase['source'],
    amount: folded.amount,
    currency: folded.currency,
    hasBooks: publisher.limits.has(folded.currency),
    at: folded.authorizedAt,
    day: dayOf(folded.authorizedAt, publisher.timeZone),
    timeZone: publisher.timeZone,
    dateOnly: folded.dateOnly,
    offerUid: facts.offerUid ?? null,
    voucherCode: facts.voucherCode ?? null,
    place: facts,
    channel: facts.channel ?? null,
    // As bought, before refunds.
    items: beforeRefunds(folded).items,
  }
}

/**
 * Returns when a purchase was made. If only the day is known, returns the latest time of that day that is not after the
 * purchase became known.
 */
export function latestTimeOf(publisher: Publisher, folded: Folded, knownAt: Date): Date {
  if (!folded.dateOnly) return folded.authorizedAt
  const nextDay = startOfDay(addDays(dayOf(folded.authorizedAt, publisher.timeZone), 1), publisher.timeZone)
  return new Date(Math.min(nextDay.getTime() - 1, Math.max(knownAt.getTime(), folded.authorizedAt.getTime())))
}

/**
 * Returns whether the card was linked at the time of the purchase. Always `linked` for sources other than cards, and
 * for publishers that issue the cards.
 */
export function cardAt(
  publisher: Publisher,
  source: string,
  cards: readonly CardSpan[],
  accountId: string | undefined,
  at: Date,
): Circumstances['card'] {
  if (publisher.ownCardFeed || source !== 'CARD') return 'linked'
  const named = accountId === undefined ? cards : cards.filter((card) => card.accountId === accountId)
  const second = secondsOf(at)
  const isLinked = ({ linkedAt, unlinkedAt }: CardSpan): boolean =>
    secondsOf(linkedAt) <= second && (unlinkedAt === null || secondsOf(unlinkedAt) >= second)
  if (named.some(isLinked)) return 'linked'
  return named.some(({ linkedAt }) => secondsOf(linkedAt) > second) ? 'linked_later' : 'not_linked'
}
