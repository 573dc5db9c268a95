import { encodeId } from '../platform/ids.ts'
import { toJsonNumber } from '../platform/money.ts'
import { type presentTransaction, TransactionSchema } from '../rewards/index.ts'
import type { Cell } from './csv.ts'
import { cellsOf } from './records.ts'

export type ShownTransaction = ReturnType<typeof presentTransaction>
type Field = keyof ShownTransaction

/** Shows what PostgreSQL writes for a value, in the currency of its row. */
type Show = (text: string, currency: string) => string | number
type Column = readonly [expression: string, show: Show]

const asItIs: Show = (text) => text
const money: Show = (minor, currency) => toJsonNumber(BigInt(minor), currency)
const idOf =
  (prefix: string): Show =>
  (uuid) =>
    encodeId(prefix, uuid)

/**
 * Where each field of a transaction comes from. A report shows it as `presentTransaction` does, but straight from the
 * text of the row: a million rows pass here, and making values of all their cells takes twice as long as all the rest.
 */
const SOURCES: Readonly<Record<Field, Column>> = {
  transaction_uid: ['t.transaction_id', idOf('txn')],
  publisher_user_id: ['u.publisher_user_id', asItIs],
  svc_user_id: ['t.user_id', idOf('usr')],
  source: ['t.source', asItIs],
  external_id: ['t.external_id', asItIs],
  transaction_date_time: ['t.authorized_at', instantOf],
  status: ['t.status', asItIs],
  status_reason: ['t.status_reason', asItIs],
  brand_uid: ['t.brand_uid', asItIs],
  merchant_name: ['t.merchant_name', asItIs],
  merchant_descriptor: ['t.merchant_descriptor', asItIs],
  order_id: ['t.order_id', asItIs],
  account_id: ['t.account_id', asItIs],
  amount: ['t.amount', money],
  refunded_amount: ['t.refunded', money],
  currency: ['t.currency', asItIs],
  offer_uid: ['t.offer_uid', asItIs],
  offer_type: ['t.offer_type', asItIs],
  reward_type: ['t.reward_type', asItIs],
  user_cashback: ['t.user_amount', money],
  user_discount: ['t.user_discount', money],
  publisher_share: ['t.publisher_amount', money],
  cleared_on: ['t.cleared_on', asItIs],
  available_on: ['t.available_on', asItIs],
  adjusts: ['t.adjusts', idOf('txn')],
  version: ['t.version', Number],
  created_at: ['t.created_at', instantOf],
  updated_at: ['t.updated_at', instantOf],
}

/** A row has the fields of a transaction as the interface shows it, in its order: a new field is a new last column. */
export const FIELDS = Object.keys(TransactionSchema.properties) as readonly Field[]
/** What a row is read from, of transactions t and their users u. */
export const EXPRESSIONS = FIELDS.map((field) => SOURCES[field][0]).join(', ')

const SHOWS = FIELDS.map((field) => SOURCES[field][1])
const CURRENCY = FIELDS.indexOf('currency')

/** The values of the fields, from the text of a row of the expressions. */
export function valuesOf(record: string): Cell[] {
  const cells = cellsOf(record)
  const currency = cells[CURRENCY] ?? ''
  return SHOWS.map((show, at) => {
    const text = cells[at] ?? null
    return text === null ? null : show(text, currency)
  })
}

// 2026-11-21 10:15:30.123456+00, decimals only as far as they are not zero.
function instantOf(text: string): string {
  const zone = text.length - 3
  if (text[4] !== '-' || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  const decimals = zone > 19 ? text.slice(20, Math.min(zone, 23)) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${decimals.padEnd(3, '0')}Z`
}
