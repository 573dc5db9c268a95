import Type, { type Static } from 'typebox'
import { enumOf, namedObject, nullable } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { STATUS_REASONS, type Transaction } from './transaction.ts'

const text = () => nullable(Type.String())
const amount = (description: string) => Type.Number({ description })

export const TransactionSchema = namedObject('Transaction', {
  transaction_uid: Type.String(),
  publisher_user_id: Type.String(),
  svc_user_id: Type.String(),
  source: Type.String(),
  external_id: Type.String(),
  transaction_date_time: Type.String({ description: 'Time of the purchase, in UTC.' }),
  status: enumOf(['PENDING', 'EARNED', 'CANCELLED']),
  status_reason: nullable(enumOf(STATUS_REASONS)),
  brand_uid: text(),
  merchant_name: text(),
  merchant_descriptor: text(),
  order_id: text(),
  account_id: text(),
  amount: amount('Amount of the purchase in major units; for an adjustment, the amount it adds or takes back.'),
  refunded_amount: amount('Portion of the amount that was refunded.'),
  currency: Type.String(),
  offer_uid: text(),
  offer_type: text(),
  reward_type: text(),
  user_cashback: amount("The user's share, which is credited; negative on an adjustment that takes cashback back."),
  user_discount: amount('Discount given by a DISCOUNT reward at the point of sale; not credited.'),
  publisher_share: amount("The publisher's portion of the commission."),
  cleared_on: nullable(Type.String({ description: 'Day the purchase cleared, yyyy-MM-dd.' })),
  available_on: nullable(Type.String({ description: 'Day the reward becomes available, yyyy-MM-dd.' })),
  adjusts: nullable(Type.String({ description: 'The earned transaction that this one adjusts.' })),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type ShownTransaction = Static<typeof TransactionSchema>

export function presentTransaction(row: Transaction, publisherUserId: string): ShownTransaction {
  const money = (minor: bigint): number => toJsonNumber(minor, row.currency)
  return {
    transaction_uid: encodeId('txn', row.transactionId),
    publisher_user_id: publisherUserId,
    svc_user_id: encodeId('usr', row.userId),
    source: row.source,
    external_id: row.externalId,
    transaction_date_time: row.authorizedAt.toISOString(),
    status: row.status,
    status_reason: row.statusReason,
    brand_uid: row.brandUid,
    merchant_name: row.merchantName,
    merchant_descriptor: row.merchantDescriptor,
    order_id: row.orderId,
    account_id: row.accountId,
    amount: money(row.amount),
    refunded_amount: money(row.refunded),
    currency: row.currency,
    offer_uid: row.offerUid,
    offer_type: row.offerType,
    reward_type: row.rewardType,
    user_cashback: money(row.amounts.user),
    user_discount: money(row.amounts.discount),
    publisher_share: money(row.amounts.publisher),
    cleared_on: row.clearedOn,
    available_on: row.availableOn,
    adjusts: row.adjusts === null ? null : encodeId('txn', row.adjusts),
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** Shown in the API reference. */
export const transactionExample: ShownTransaction = {
  transaction_uid: 'txn_01kaj3x6qvf5q8m0c7d2r9t4wz',
  publisher_user_id: 'user-1',
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  source: 'CARD',
  external_id: 'pos-2026-000123',
  transaction_date_time: '2026-11-21T10:15:30.000Z',
  status: 'PENDING',
  status_reason: null,
  brand_uid: 'brd_7h2k',
  merchant_name: null,
  merchant_descriptor: 'WALMART #1700 AUSTIN TX',
  order_id: null,
  account_id: null,
  amount: 50,
  refunded_amount: 0,
  currency: 'USD',
  offer_uid: 'off_3k1n',
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  user_cashback: 2.5,
  user_discount: 0,
  publisher_share: 0,
  cleared_on: '2026-11-21',
  available_on: '2026-12-22',
  adjusts: null,
  version: 1,
  created_at: '2026-11-21T10:15:31.000Z',
  updated_at: '2026-11-21T10:15:31.000Z',
}
