import { type CardFact, cardFactsOf } from '../cards/index.ts'
import type { Assortment, Offer } from '../catalog/index.ts'
import type { Circumstances, Purchase } from '../offers/index.ts'
import { addDays, dayOf, startOfDay } from '../platform/calendar.ts'
import { secondsOf } from '../platform/clock.ts'
import { type Reader, together } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { standingsOf } from '../users/index.ts'
import { beforeRefunds, type Folded } from './fold.ts'
import { type AtHand, asksForHistory, type History, historyOf, type Subject } from './history.ts'

/** All that is asked about users to judge their purchases, read once for a whole batch. */
export type Surroundings = Pick<History, 'laterPurchases' | 'identify'> & {
  of(root: Subject, folded: Folded, brandUid: string | null, offer: Offer): Omit<Circumstances, 'used' | 'limits'>
  previousPurchaseAt(root: Subject, brandUid: string, folded: Folded): Date | null
}

export async function surroundingsOf(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  works: readonly AtHand[],
  now: Date,
): Promise<Surroundings> {
  const userIds = [...new Set(works.map(({ root }) => root.userId))]
  const [standings, cards, history] = await together([
    standingsOf(reader, publisher.id, userIds),
    works.some(({ root }) => root.source === 'CARD')
      ? cardFactsOf(reader, publisher.id, userIds)
      : Promise.resolve(new Map<UserId, CardFact[]>()),
    historyOf(reader, publisher, assortment, works),
  ])
  const previousPurchaseAt: Surroundings['previousPurchaseAt'] = (root, brandUid, folded) =>
    history.latestBefore(root, brandUid, folded.authorizedAt)
  return {
    ...history,
    previousPurchaseAt,
    of: (root, folded, brandUid, offer) => {
      const at = boughtAt(publisher, folded, now)
      return {
        standing: standings.at(root.userId, at),
        card: cardAt(publisher, root, cards.get(root.userId) ?? [], folded.facts.accountId, at),
        previousPurchaseAt: asksForHistory(offer) ? previousPurchaseAt(root, brandUid ?? '', folded) : null,
      }
    },
  }
}

export function purchaseOf(publisher: Publisher, source: string, folded: Folded): Purchase {
  const { facts } = folded
  return {
    source: source as Purchase['source'],
    amount: folded.amount,
    currency: folded.currency,
    ledgerCurrency: publisher.currency,
    at: folded.authorizedAt,
    day: dayOf(folded.authorizedAt, publisher.timeZone),
    timeZone: publisher.timeZone,
    dateOnly: folded.dateOnly,
    offerUid: facts.offerUid ?? null,
    voucherCode: facts.voucherCode ?? null,
    place: facts,
    channel: facts.channel ?? null,
    // Judged is what was bought, before anything was given back.
    items: beforeRefunds(folded).items,
  }
}

/** Of a day without a time the benefit of the doubt: its last moment, as far as that has come. */
export function boughtAt(publisher: Publisher, folded: Folded, now: Date): Date {
  if (!folded.dateOnly) return folded.authorizedAt
  const nextDay = startOfDay(addDays(dayOf(folded.authorizedAt, publisher.timeZone), 1), publisher.timeZone)
  return new Date(Math.min(nextDay.getTime() - 1, Math.max(now.getTime(), folded.authorizedAt.getTime())))
}

/** An issuer knows its own cards; everyone else's must be linked at the moment of the purchase. */
function cardAt(
  publisher: Publisher,
  root: Subject,
  cards: readonly CardFact[],
  accountId: string | undefined,
  at: Date,
): Circumstances['card'] {
  if (publisher.ownCardFeed || root.source !== 'CARD') return 'linked'
  const named = accountId === undefined ? cards : cards.filter((card) => card.accountId === accountId)
  const second = secondsOf(at)
  if (
    named.some(
      (card) =>
        secondsOf(card.linkedAt) <= second && (card.unlinkedAt === null || secondsOf(card.unlinkedAt) >= second),
    )
  )
    return 'linked'
  return named.some((card) => secondsOf(card.linkedAt) > second) ? 'linked_later' : 'not_linked'
}
