import type { Assortment } from '../catalog/index.ts'
import type { Reader } from '../platform/database.ts'
import type { TransactionId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import type { Transaction } from '../rewards/index.ts'
import type { SourceEvent } from './event.ts'
import type { Folded } from './fold.ts'
import { brandAtHand, type Subject } from './history.ts'
import {
  CARD_AFTER_SALE_MS,
  CARD_BEFORE_SALE_MS,
  canBeOne,
  type Pair,
  pairsOf,
  SAME_ORDER_MS,
  type SeenBy,
  type Sight,
} from './stacking.ts'
import { listOtherSides, listPairs, type PairRow, type Search } from './stacking-queries.ts'

/** A purchase that may be one with another, as far as it is known here. */
export type Seen = {
  readonly root: Subject & Pick<Transaction, 'externalId'> & Partial<Pick<Transaction, 'amounts'>>
  readonly isNew: boolean
  readonly adjustments: readonly Transaction[]
  readonly folded: Folded | null
  readonly events: readonly SourceEvent[]
  /** The brand that it is one of from now on, where a person has it decided anew. */
  readonly redecidedAs?: string | null
}

/** Which purchases are seen by card and by affiliate link, and under which policy they were found to be one. */
export type Stacking<S extends Seen> = {
  /** Purchases beside those at hand that must be settled with them. */
  readonly others: readonly S[]
  readonly pairs: readonly Pair[]
  readonly former: readonly PairRow[]
}

// A chain of one customer's purchases, each of which could be the next one's other side, is followed this far, so that nobody's
// work is unbounded.
// Pairs that were found before are always looked at whole, so none is split.
const CHAIN_MAX = 200
const DAY_MS = 86_400_000

/**
 * Looks around the purchases at hand for their other sides, for what else could be those, and so on. Costs one look, that
 * finds nothing, where users have no sales at the brands they bought from.
 */
export async function stackingOf<S extends Seen>(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  atHand: readonly S[],
  load: (ids: readonly TransactionId[]) => Promise<S[]>,
): Promise<Stacking<S>> {
  const known = new Map(atHand.map((seen) => [seen.root.transactionId, seen]))
  const chain = new Map<TransactionId, Sight>()
  const former = new Map<TransactionId, PairRow>()
  const others: S[] = []
  let fresh: readonly S[] = atHand
  while (fresh.length > 0) {
    const sights = fresh.flatMap((seen) => sightOf(assortment, seen) ?? [])
    for (const sight of sights) chain.set(sight.transactionId, sight)
    const rows = await formerPairs(reader, publisher, fresh)
    for (const row of rows) former.set(row.cardId, row)
    const partners = new Set(rows.flatMap(({ cardId, affiliateId }) => [cardId, affiliateId]))
    const lengths = Map.groupBy(chain.values(), customerOf)
    const searches = sights
      .filter((sight) => fresh === atHand || (lengths.get(customerOf(sight))?.length ?? 0) <= CHAIN_MAX)
      .map(searchFor)
    const near = searches.length === 0 ? [] : await listOtherSides(reader, publisher.id, searches)
    const unknown = [...partners.union(new Set(near))].filter((id) => !known.has(id))
    const loaded = unknown.length === 0 ? [] : await load(unknown)
    fresh = loaded.filter((seen) => partners.has(seen.root.transactionId) || isNear(sightOf(assortment, seen), sights))
    for (const seen of fresh) known.set(seen.root.transactionId, seen)
    others.push(...fresh)
  }
  const pairedIds = new Set([...former.values()].map(nameOf))
  const settled = ({ card, affiliate }: Pair): boolean =>
    (card.hasMatured || affiliate.hasMatured) &&
    pairedIds.has(nameOf({ cardId: card.transactionId, affiliateId: affiliate.transactionId }))
  const byCustomer = Map.groupBy(chain.values(), customerOf)
  const pairs = [...byCustomer.values()].filter(isTwoSided).flatMap((sights) => pairsOf(sights, settled))
  return { others, pairs, former: [...former.values()] }
}

function customerOf({ userId, brandUid }: Sight): string {
  return `${userId} ${brandUid}`
}

function isTwoSided(sights: readonly Sight[]): boolean {
  return sights.some(({ source }) => source !== sights[0]?.source)
}

export function nameOf({ cardId, affiliateId }: Pick<PairRow, 'cardId' | 'affiliateId'>): string {
  return `${cardId} ${affiliateId}`
}

async function formerPairs(reader: Reader, publisher: Publisher, fresh: readonly Seen[]): Promise<PairRow[]> {
  const kept = fresh.filter(({ root, isNew }) => !isNew && isSeenBy(root.source)).map(({ root }) => root)
  if (kept.length === 0) return []
  const userIds = [...new Set(kept.map(({ userId }) => userId))]
  return listPairs(
    reader,
    publisher.id,
    userIds,
    kept.map(({ transactionId }) => transactionId),
  )
}

function isNear(sight: Sight | null, sights: readonly Sight[]): boolean {
  if (sight === null) return false
  const isCard = sight.source === 'CARD'
  return sights
    .filter(({ source }) => source !== sight.source)
    .some((other) => canBeOne(isCard ? { card: sight, affiliate: other } : { card: other, affiliate: sight }))
}

function isSeenBy(source: string): source is SeenBy {
  return source === 'CARD' || source === 'AFFILIATE'
}

/** Null: it is not of a kind that another can be one with. What was declined was no purchase. */
function sightOf(assortment: Assortment, { root, folded, ...seen }: Seen): Sight | null {
  const { userId, transactionId, source, externalId } = root
  if (!isSeenBy(source) || folded === null || !folded.isPurchase || folded.emptyReason === 'declined') return null
  const brandUid = seen.redecidedAs === undefined ? brandAtHand(assortment, root, folded) : seen.redecidedAs
  if (brandUid === null) return null
  const earned = [root, ...seen.adjustments].filter(({ status }) => status === 'EARNED')
  return {
    ...{ userId, transactionId, source, externalId, brandUid },
    currency: folded.currency,
    at: folded.authorizedAt,
    dateOnly: folded.dateOnly,
    orderId: folded.facts.orderId ?? null,
    told: folded.totals,
    isAlive: folded.emptyReason === null,
    hasMatured: earned.reduce((sum, { amounts }) => sum + (amounts?.gross ?? 0n), 0n) > 0n,
  }
}

/** A day more than the rule to either side: a purchase of which only the day is known lasts that long. */
function searchFor({ userId, brandUid, source, at, orderId }: Sight): Search {
  const [before, after] =
    source === 'CARD' ? [CARD_AFTER_SALE_MS, CARD_BEFORE_SALE_MS] : [CARD_BEFORE_SALE_MS, CARD_AFTER_SALE_MS]
  const from = new Date(at.getTime() - before - DAY_MS)
  const until = new Date(at.getTime() + after + DAY_MS)
  return {
    ...{ userId, brandUid, from, until },
    looksFor: source === 'CARD' ? 'AFFILIATE' : 'CARD',
    ordersFrom: orderId === null ? from : new Date(at.getTime() - SAME_ORDER_MS),
    ordersUntil: orderId === null ? until : new Date(at.getTime() + SAME_ORDER_MS),
  }
}
