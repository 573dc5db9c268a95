import type { Reader, Tx } from '../../platform/db/database.ts'
import { decodeUuidTime } from '../../platform/ids.ts'
import * as announced from './announced-queries.ts'
import { eachAnnounced, yieldNewestTransactionEvents } from './announcements.ts'
import * as booked from './booked-queries.ts'
import * as delivered from './delivered-queries.ts'
import * as giftCards from './gift-card-queries.ts'
import { readRows } from './read-rows.ts'
import { selectBookedTotals } from './report-queries.ts'
import { computeReportedTotals } from './report-totals.ts'
import type { BookRow } from './rules.ts'
import type { ComparedSpan } from './span.ts'

type Rows = AsyncIterable<BookRow> | Iterable<BookRow>
type SideRows = readonly [left: Rows, right: Rows]

export type Comparison = {
  /** The names of the sides. Differences list the left side first. */
  readonly left: string
  readonly right: string
  /** Advice on resolving a difference. */
  readonly hint: string
  /** Returns both sides, or the reason they cannot be compared. */
  readonly sides: (tx: Tx, span: ComparedSpan) => Promise<SideRows | string>
}

/** All comparisons between the books, in display order. */
export const COMPARISONS: readonly Comparison[] = [
  ofBooks('transactions', 'ledger', 'txn', booked.compareTransactionsWithLedger),
  ofBooks('redemptions', 'ledger', 'rdm', booked.compareRedemptionsWithLedger),
  ofBooks('redemptions', 'steps', 'rdm', booked.compareRedemptionsWithSteps),
  ofBooks('payout files', 'redemptions', 'pof', booked.compareFilesWithRedemptions),
  ofBooks('adjustments', 'ledger', 'adj', booked.compareAdjustmentsWithLedger),
  ofBooks('payments', 'ledger', 'pay', booked.comparePaymentsWithLedger),
  ofBooks('claims', 'grants', 'clm', booked.compareClaimsWithGrants),
  ofBooks('gift-card orders', 'cards', 'gco', giftCards.compareOrdersWithCards),
  ofBooks('gift-card orders', 'redemptions', 'rdm', giftCards.compareOrdersWithRedemptions),
  ofBooks('gift cards', 'transactions', 'gcd', giftCards.compareCardsWithPurchases),
  ofBooks('balances', 'ledger', 'usr', booked.compareBalancesWithLedger),
  {
    left: 'report',
    right: 'ledger',
    hint: 'see the differences between transactions and ledger',
    sides: async (tx, span) => [
      await computeReportedTotals(tx, span),
      readRows(tx, null, selectBookedTotals(tx, span)),
    ],
  },
  ofEvents('transactions', (tx, span) => [
    readRows(tx, 'txn', announced.selectChangedTransactions(tx, span)),
    yieldNewestTransactionEvents(tx, span),
  ]),
  ofEvents('redemptions', (tx, span) => [
    readRows(tx, 'rdm', announced.selectRedemptionSteps(tx, span)),
    eachAnnounced(tx, span, { types: REDEMPTION_EVENTS, member: 'redemption_id', amounts: ['amount'] }),
  ]),
  ofEvents('adjustments', (tx, span) => [
    readRows(tx, 'adj', announced.selectBookedInScope(tx, span)),
    eachAnnounced(tx, span, { types: ['adjustment.booked'], member: 'adjustment_id', amounts: ['amount'] }),
  ]),
  ofEvents('claims', (tx, span) => [
    readRows(tx, 'clm', announced.selectOpenedAndDecidedClaims(tx, span)),
    eachAnnounced(tx, span, { types: ['claim.opened', 'claim.decided'], member: 'claim_id', amounts: ['amount'] }),
  ]),
  ofEvents('gift-card orders', (tx, span) => [
    readRows(tx, 'gco', announced.selectPlacedOrders(tx, span)),
    eachAnnounced(tx, span, { types: ['gift_card.ordered'], member: 'order_id', amounts: ['total'] }),
  ]),
  {
    left: 'events',
    right: 'feed',
    hint: 'see docs/runbooks/sequencer-stuck.md',
    sides: whileKept((tx, span) => ofRange(tx, span, delivered.selectRecordedEvents, delivered.selectFeedEvents)),
  },
  {
    left: 'feed',
    right: 'deliveries',
    hint: 'resend them with POST /webhooks/endpoints/{endpoint_id}/recover',
    sides: whileKept(async (tx, span) => {
      const range = await delivered.findRange(tx, span)
      if (range !== null && decodeUuidTime(range.first) < span.deliveriesSince)
        return 'deliveries are not retained that long'
      return ofRange(tx, span, delivered.selectOwedDeliveries, delivered.selectKnownDeliveries)
    }),
  },
]

const REDEMPTION_EVENTS = [
  ...(['redemption.created', 'redemption.approved', 'redemption.sent', 'redemption.completed'] as const),
  ...(['redemption.failed', 'redemption.returned', 'redemption.cancelled'] as const),
]

function ofBooks(
  left: string,
  right: string,
  prefix: string,
  buildSides: (reader: Reader, span: ComparedSpan) => booked.SideQueries,
): Comparison {
  return {
    left,
    right,
    hint: 'see docs/runbooks/reconciliation.md',
    sides: async (tx, span) => {
      const sides = buildSides(tx, span)
      return [readRows(tx, prefix, sides.left), readRows(tx, prefix, sides.right)]
    },
  }
}

function ofEvents(left: string, sides: (tx: Tx, span: ComparedSpan) => SideRows): Comparison {
  return {
    left,
    right: 'events',
    hint: 'see docs/runbooks/reconciliation.md',
    sides: whileKept(async (tx, span) => sides(tx, span)),
  }
}

/** Skips a comparison of events if the oldest events of the period may have left the feed. */
function whileKept(sides: Comparison['sides']): Comparison['sides'] {
  return async (tx, span) =>
    (await delivered.hasDropped(tx, span)) ? 'events are not retained that long' : sides(tx, span)
}

async function ofRange(
  tx: Tx,
  span: ComparedSpan,
  left: typeof delivered.selectRecordedEvents,
  right: typeof delivered.selectRecordedEvents,
): Promise<SideRows> {
  const range = await delivered.findRange(tx, span)
  if (range === null) return [[], []]
  return [readRows(tx, 'evt', left(tx, span, range)), readRows(tx, 'evt', right(tx, span, range))]
}
