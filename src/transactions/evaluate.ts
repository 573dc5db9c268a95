import { bounded, noAmounts, targetOf } from '../offers/index.ts'
import type { Reader } from '../platform/database.ts'
import { newUuid } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { listOfferUses } from '../rewards/index.ts'
import { findUser, userNotFound } from '../users/index.ts'
import { withCodesOfPools } from './codes.ts'
import { canBeOutrun, letGoOfUses } from './contests.ts'
import { decide, promisedOffer } from './decide.ts'
import type { SourceEvent, SourceEventInput } from './event.ts'
import { foldEvents } from './fold.ts'
import { openLimits } from './limits.ts'
import { readLimits } from './limits-state.ts'
import { matchOf } from './match.ts'
import { letGoOfPromise } from './promises.ts'
import { unknownName } from './service.ts'
import { hypotheticalPair, withStacking } from './stacking-trace.ts'
import { boughtAt, purchaseOf, surroundingsOf } from './surroundings.ts'
import type { TakeUpDeps } from './take-up.ts'
import { asItStands } from './trace.ts'
import type { Explained } from './user-view.ts'
import { openUses } from './uses.ts'
import { loadWorks, withoutEvents } from './works.ts'

/**
 * Judges a hypothetical purchase, as a purchase of its own, as it would be judged now; stores nothing.
 * @throws Refusal user_not_found, brand_unknown, offer_unknown
 */
export async function evaluatePurchase(
  reader: Reader,
  deps: TakeUpDeps,
  publisher: Publisher,
  input: SourceEventInput,
  now: Date,
): Promise<Explained> {
  if ((await findUser(reader, publisher.id, input.userId)) === null) throw userNotFound()
  const assortment = await deps.catalog.assortmentOf(publisher)
  const unknown = unknownName(assortment, input)
  if (unknown !== null) throw unknown
  const [named] = await withCodesOfPools(reader, deps, publisher, [input])
  const event = hypothetical(named ?? input, now)
  const folded = foldEvents([event], publisher.timeZone, now)
  const { userId, source, externalId } = input
  const subject = { userId, source, externalId, transactionId: newUuid<'transaction'>(), createdAt: now }
  const seen = { root: subject, isNew: true, adjustments: [], folded, events: [event] }
  const pair = await hypotheticalPair(reader, publisher, assortment, seen, now)
  const own = { root: subject, folded }
  const surroundings = await surroundingsOf(reader, publisher, assortment, [own], now)
  if (pair !== null) surroundings.identify(pair.cardId, pair.affiliateId, pair.madeAt)
  const users = { publisher, userIds: [userId] }
  const later = (await loadWorks(reader, users, assortment, withoutEvents(surroundings.laterPurchases()), now)).map(
    ({ group: { root }, folded }) => ({ root, folded }),
  )
  const limits = openLimits(await readLimits(reader, publisher, assortment, [own, ...later]))
  const uses = openUses(await listOfferUses(reader, publisher.id, [userId]))
  for (const { root, folded } of later) letGoOfPromise({ surroundings, uses, limits }, root, folded)
  letGoOfUses(
    { uses, limits },
    later.map(({ root }) => root).filter((root) => canBeOutrun(assortment, root)),
  )
  const match = matchOf(assortment, folded.facts)
  const bought = { folded, at: boughtAt(publisher, folded, now) }
  const purchase = purchaseOf(publisher, input.source, folded)
  const circumstancesOf: Parameters<typeof decide>[3] = (offer) => ({
    ...surroundings.of(subject, folded, match.brandUid, offer),
    used: uses.isTaken(userId, offer.offerUid, subject.transactionId),
    limits: limits.factsFor(subject, bought, offer, 0n),
  })
  const { ruling, trace } = decide(assortment, purchase, match, circumstancesOf, promisedOffer(null, folded.facts))
  const { terms } = ruling
  const isPaid = terms !== null && folded.emptyReason === null
  const bound = isPaid ? limits.boundFor(subject, bought, terms, noAmounts) : null
  const target = isPaid ? bounded(terms, targetOf(terms, folded), bound) : null
  const isStacked = isPaid && pair !== null && pair.stacked === source
  const paid = isStacked ? noAmounts : (target?.amounts ?? noAmounts)
  const reason = folded.emptyReason ?? ruling.reason ?? (isStacked ? 'stacked' : (target?.reason ?? null))
  const { currency } = input
  const standing = asItStands(trace, { terms, goods: folded, bound, paid, currency, reason })
  return { trace: withStacking(standing, pair, subject.transactionId), paid, currency }
}

function hypothetical(input: SourceEventInput, now: Date): SourceEvent {
  return {
    ...input,
    occurredAt: input.occurredAt ?? now,
    eventId: newUuid<'sourceEvent'>(),
    receivedAt: now,
    inputHash: Buffer.alloc(0),
  }
}
