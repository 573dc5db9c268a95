import type { TransactionId } from '../../platform/ids.ts'
import type { CardRow, PairRows, SaleRow } from './pair-queries.ts'

type Ids = readonly [TransactionId, TransactionId]

/** The two reports of a stored pair. */
export function idsOf(row: SaleRow | CardRow): Ids {
  return 'cardId' in row ? [row.cardId, row.affiliateId] : [row.reportedId, row.feedId]
}

/** The same for both orders. */
export function pairKey(ids: Ids): string {
  return ids.toSorted().join(' ')
}

/** The reports that earn nothing because another report of the purchase does. */
export function stackedOf({ sales, cards }: PairRows): Set<TransactionId> {
  return new Set([
    ...sales.flatMap(({ stacked, cardId, affiliateId }) =>
      stacked === null ? [] : [stacked === 'CARD' ? cardId : affiliateId],
    ),
    ...cards.flatMap(({ stacked, reportedId, feedId }) => [
      ...(stacked === 'REPORTED' || stacked === 'BOTH' ? [reportedId] : []),
      ...(stacked === 'FEED' || stacked === 'BOTH' ? [feedId] : []),
    ]),
  ])
}
