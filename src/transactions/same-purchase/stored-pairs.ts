import type { TransactionId } from '../../platform/ids.ts'
import type { CrossSourcePair, Ids, PairRows, SameSourcePair } from './pair-queries.ts'

/** The two reports of a stored pair. */
export function idsOf(row: CrossSourcePair | SameSourcePair): Ids {
  return 'cardId' in row ? [row.cardId, row.affiliateId] : row.ids
}

/** The same for both orders. */
export function pairKey(ids: Ids): string {
  return ids.toSorted().join(' ')
}

/** The reports that earn nothing because another report of the purchase does. */
export function stackedOf({ crossSource, sameSource }: PairRows): Set<TransactionId> {
  return new Set([
    ...crossSource.flatMap(({ stacked, cardId, affiliateId }) =>
      stacked === null ? [] : [stacked === 'CARD' ? cardId : affiliateId],
    ),
    ...sameSource.flatMap(({ stacked }) => stacked),
  ])
}
