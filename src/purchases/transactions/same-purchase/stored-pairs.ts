import type { TransactionId } from '../../../platform/ids.ts'
import type { CrossSourcePair, Ids, PairRows, SameSourcePair } from './pair-queries.ts'

/** Returns the two reports of a stored pair. */
export function getIds(row: CrossSourcePair | SameSourcePair): Ids {
  return 'cardId' in row ? [row.cardId, row.affiliateId] : row.ids
}

/** Returns a key for the pair, regardless of order. */
export function pairKey(ids: Ids): string {
  return ids.toSorted().join(' ')
}

/** Returns the reports that earn nothing because another report of the purchase does. */
export function collectStacked({ crossSource, sameSource }: PairRows): Set<TransactionId> {
  return new Set([
    ...crossSource.flatMap(({ stacked, cardId, affiliateId }) =>
      stacked === null ? [] : [stacked === 'CARD' ? cardId : affiliateId],
    ),
    ...sameSource.flatMap(({ stacked }) => stacked),
  ])
}
