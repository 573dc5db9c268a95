import Type, { type Static } from 'typebox'
import type { Amounts } from '../../catalog/offers/index.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { day, field, id, instant, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { STATUS_REASONS, STATUSES, type Transaction } from './transaction.ts'

const share = (part: keyof Amounts, example: number, description: string) =>
  field(
    Type.Number({ description }),
    { property: 'amounts', example },
    (amounts: Amounts, { currency }: Pick<Transaction, 'currency'>) => toJsonNumber(amounts[part], currency),
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

export function presentTransaction(row: Transaction, publisherUserId: string): PresentedTransaction {
  return TRANSACTION.present({ ...row, publisherUserId })
}
