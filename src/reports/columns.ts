import { type presentTransaction, TransactionSchema } from '../rewards/index.ts'
import { idWriter, type Write, writeDay, writeInstant, writeInteger, writeMoney } from './values.ts'

export type ShownTransaction = ReturnType<typeof presentTransaction>
export type Field = keyof ShownTransaction

/** How a value is shown; every kind but text writes characters of its own, which need no escaping. */
export type Kind = { readonly is: 'text' } | { readonly is: 'number' | 'word'; readonly write: Write }
type Column = readonly [expression: string, kind: Kind]

const text: Kind = { is: 'text' }
const money: Kind = { is: 'number', write: writeMoney }
const integer: Kind = { is: 'number', write: writeInteger }
const instant: Kind = { is: 'word', write: writeInstant }
const day: Kind = { is: 'word', write: writeDay }
const idOf = (prefix: string): Kind => ({ is: 'word', write: idWriter(prefix) })

/**
 * Where each field of a transaction comes from. A report shows it as `presentTransaction` does, but straight from the
 * bytes of the row: a million rows pass here, and making values of all their cells takes far longer than all the rest.
 */
const SOURCES: Readonly<Record<Field, Column>> = {
  transaction_uid: ['t.transaction_id', idOf('txn')],
  publisher_user_id: ['u.publisher_user_id', text],
  svc_user_id: ['t.user_id', idOf('usr')],
  source: ['t.source', text],
  external_id: ['t.external_id', text],
  transaction_date_time: ['t.authorized_at', instant],
  status: ['t.status', text],
  status_reason: ['t.status_reason', text],
  brand_uid: ['t.brand_uid', text],
  merchant_name: ['t.merchant_name', text],
  merchant_descriptor: ['t.merchant_descriptor', text],
  order_id: ['t.order_id', text],
  account_id: ['t.account_id', text],
  amount: ['t.amount', money],
  refunded_amount: ['t.refunded', money],
  currency: ['t.currency', text],
  offer_uid: ['t.offer_uid', text],
  offer_type: ['t.offer_type', text],
  reward_type: ['t.reward_type', text],
  user_cashback: ['t.user_amount', money],
  user_discount: ['t.user_discount', money],
  publisher_share: ['t.publisher_amount', money],
  cleared_on: ['t.cleared_on', day],
  available_on: ['t.available_on', day],
  adjusts: ['t.adjusts', idOf('txn')],
  version: ['t.version', integer],
  created_at: ['t.created_at', instant],
  updated_at: ['t.updated_at', instant],
}

/** A row has the fields of a transaction as the interface shows it, in its order: a new field is a new last column. */
export const FIELDS = Object.keys(TransactionSchema.properties) as readonly Field[]
/** What a row is read from, of transactions t and their users u. */
export const EXPRESSIONS = FIELDS.map((field) => SOURCES[field][0]).join(', ')
export const KINDS = FIELDS.map((field) => SOURCES[field][1])
export const CURRENCY = FIELDS.indexOf('currency')
