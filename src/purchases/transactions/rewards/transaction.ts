import Type, { type Static } from 'typebox'
import type { Amounts, Terms } from '../../../catalog/offers/index.ts'
import { toJsonNumber } from '../../../platform/money.ts'
import { day, field, id, instant, integer, money, oneOf, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { STATUS_REASONS, STATUSES, type StatusReason } from './statuses.ts'

const share = (part: keyof Amounts, example: number, description: string) =>
  field(
    Type.Number({ description }),
    { property: 'amounts', example },
    (amounts: Amounts, { currency }: { readonly currency: string }) => toJsonNumber(amounts[part], currency),
  )

export const TRANSACTION = resource('Transaction', {
  transaction_uid: id('txn', { property: 'transactionId', example: 'txn_01kaj3x6qvf5q8m0c7d2r9t4wz' }),
  publisher_user_id: text({ example: 'user-1' }),
  svc_user_id: id('usr', { property: 'userId', example: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha' }),
  source: text({ example: 'CARD' }),
  external_id: text({ example: 'pos-2026-000123' }),
  transaction_date_time: instant({
    property: 'authorizedAt',
    example: '2026-11-21T10:15:30.000Z',
    description: 'Time of the purchase, in UTC.',
  }),
  status: oneOf(STATUSES, { example: 'PENDING' }),
  status_reason: oneOf(STATUS_REASONS, { nullable: true, example: null }),
  brand_uid: text({ nullable: true, example: 'brd_7h2k' }),
  merchant_name: text({ nullable: true, example: null }),
  merchant_descriptor: text({ nullable: true, example: 'WALMART #1700 AUSTIN TX' }),
  order_id: text({ nullable: true, example: null }),
  account_id: text({ nullable: true, example: null }),
  amount: money({
    example: 50,
    description: 'Amount of the purchase in major units; for an adjustment, the amount it adds or takes back.',
  }),
  refunded_amount: money({ property: 'refunded', example: 0, description: 'Portion of the amount that was refunded.' }),
  currency: text({ example: 'USD' }),
  offer_uid: text({ nullable: true, example: 'off_3k1n' }),
  offer_type: text({ nullable: true, example: 'CARD_LINKED' }),
  reward_type: text({ nullable: true, example: 'CASHBACK_PERCENTAGE' }),
  user_cashback: share(
    'user',
    2.5,
    "The user's share, which is credited; negative on an adjustment that takes cashback back.",
  ),
  user_discount: share('discount', 0, 'Discount given by a DISCOUNT reward at the point of sale; not credited.'),
  publisher_share: share('publisher', 0, "The publisher's portion of the commission."),
  cleared_on: day({ nullable: true, example: '2026-11-21', description: 'Day the purchase cleared, yyyy-MM-dd.' }),
  available_on: day({
    nullable: true,
    example: '2026-12-22',
    description: 'Day the reward becomes available, yyyy-MM-dd.',
  }),
  adjusts: id('txn', {
    nullable: true,
    example: null,
    description: 'The earned transaction that this one adjusts.',
  }),
  version: integer({ example: 1 }),
  created_at: instant({ example: '2026-11-21T10:15:31.000Z' }),
  updated_at: instant({ example: '2026-11-21T10:15:31.000Z' }),
})
export type PresentedTransaction = Static<typeof TRANSACTION.schema>

/**
 * A purchase, derived from its source events, with its reward, as stored. `amounts` holds the amounts posted for it.
 */
export type Transaction = Omit<ResourceRow<typeof TRANSACTION>, 'publisherUserId'> & {
  readonly matchMethod: string
  readonly terms: Terms | null
  readonly maturesAt: Date | null
  /** When a pending purchase lapses unless it clears. */
  readonly lapsesAt: Date | null
  readonly earnedAt: Date | null
  /** The catalog version that the purchase is judged against; null if it was decided before versions were stored. */
  readonly judgedIn: number | null
}

export function presentTransaction(row: Transaction, publisherUserId: string): PresentedTransaction {
  return TRANSACTION.present({ ...row, publisherUserId })
}

/**
 * Returns the reason why a purchase earns nothing. If a matured reward was clawed back completely, returns the reason
 * for the latest clawback.
 *
 * @param rows the transaction and its adjustments
 */
export function findStatusReason(rows: readonly Transaction[]): StatusReason | null {
  const reason = rows.find(({ adjusts }) => adjusts === null)?.statusReason ?? null
  const left = rows.reduce((sum, { amounts }) => sum + amounts.gross, 0n)
  if (reason !== null || left !== 0n) return reason
  const earned = rows.filter(({ status }) => status === 'EARNED')
  // Ids sort by creation and are unique.
  const [newest] = earned.toSorted((a, b) => (a.transactionId > b.transactionId ? -1 : 1))
  return newest?.statusReason ?? null
}
