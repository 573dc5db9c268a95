import { type ShownTransaction, TransactionSchema } from '../rewards/index.ts'
import { idWriter, type WriteCell, writeDay, writeInstant, writeInteger, writeMoney, writeText } from './cells.ts'

type Field = keyof ShownTransaction

/**
 * Where each field comes from, of transactions t and their users u, and how it is written: as `presentTransaction`
 * shows it, but straight from the text that PostgreSQL prints, because a report may have millions of rows.
 */
const SOURCES: Readonly<Record<Field, readonly [expression: string, write: WriteCell]>> = {
  transaction_uid: ['t.transaction_id', idWriter('txn')],
  publisher_user_id: ['u.publisher_user_id', writeText],
  svc_user_id: ['t.user_id', idWriter('usr')],
  source: ['t.source', writeText],
  external_id: ['t.external_id', writeText],
  transaction_date_time: ['t.authorized_at', writeInstant],
  status: ['t.status', writeText],
  status_reason: ['t.status_reason', writeText],
  brand_uid: ['t.brand_uid', writeText],
  merchant_name: ['t.merchant_name', writeText],
  merchant_descriptor: ['t.merchant_descriptor', writeText],
  order_id: ['t.order_id', writeText],
  account_id: ['t.account_id', writeText],
  amount: ['t.amount', writeMoney],
  refunded_amount: ['t.refunded', writeMoney],
  currency: ['t.currency', writeText],
  offer_uid: ['t.offer_uid', writeText],
  offer_type: ['t.offer_type', writeText],
  reward_type: ['t.reward_type', writeText],
  user_cashback: ['t.user_amount', writeMoney],
  user_discount: ['t.user_discount', writeMoney],
  publisher_share: ['t.publisher_amount', writeMoney],
  cleared_on: ['t.cleared_on', writeDay],
  available_on: ['t.available_on', writeDay],
  adjusts: ['t.adjusts', idWriter('txn')],
  version: ['t.version', writeInteger],
  created_at: ['t.created_at', writeInstant],
  updated_at: ['t.updated_at', writeInstant],
}

/** A row has the fields of a transaction as the interface shows it, in its order: a new field is a new last column. */
export const FIELDS = Object.keys(TransactionSchema.properties) as readonly Field[]
export const EXPRESSIONS = FIELDS.map((field) => SOURCES[field][0]).join(', ')
export const WRITERS = FIELDS.map((field) => SOURCES[field][1])
export const CURRENCY = FIELDS.indexOf('currency')
