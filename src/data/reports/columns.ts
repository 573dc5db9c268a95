import type { DELIVERY as DELIVERY_RESOURCE } from '../../events/index.ts'
import { REDEMPTION } from '../../payouts/redemptions/index.ts'
import { TRANSACTION } from '../../purchases/transactions/index.ts'
import {
  type CellType,
  createIdWriter,
  type WriteCell,
  writeDay,
  writeInstant,
  writeInteger,
  writeMoney,
  writeText,
} from './cells.ts'

export const REPORT_KINDS = ['transactions', 'users', 'rewards', 'redemptions', 'deliveries'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

/** A column: its name, its SQL expression over the rows selected in queries.ts, and the type of its cells. */
export type ReportColumn = { readonly name: string; readonly expression: string; readonly type: CellType }

type CellSource = readonly [expression: string, type: CellType]
type Sources<Name extends string> = Readonly<Record<Name, CellSource>>

const user: Sources<'publisher_user_id' | 'svc_user_id'> = {
  publisher_user_id: ['u.publisher_user_id', 'text'],
  svc_user_id: ['u.user_id', { id: 'usr' }],
}

/**
 * The same fields as `presentTransaction`, but taken straight from PostgreSQL's output, because a report can have
 * millions of rows.
 */
const TRANSACTION_SOURCES: Sources<keyof typeof TRANSACTION.schema.properties> = {
  ...user,
  transaction_uid: ['t.transaction_id', { id: 'txn' }],
  source: ['t.source', 'text'],
  external_id: ['t.external_id', 'text'],
  transaction_date_time: ['t.authorized_at', 'instant'],
  status: ['t.status', 'text'],
  status_reason: ['t.status_reason', 'text'],
  brand_uid: ['t.brand_uid', 'text'],
  merchant_name: ['t.merchant_name', 'text'],
  merchant_descriptor: ['t.merchant_descriptor', 'text'],
  order_id: ['t.order_id', 'text'],
  account_id: ['t.account_id', 'text'],
  amount: ['t.amount', 'money'],
  refunded_amount: ['t.refunded', 'money'],
  currency: ['t.currency', 'text'],
  offer_uid: ['t.offer_uid', 'text'],
  offer_type: ['t.offer_type', 'text'],
  reward_type: ['t.reward_type', 'text'],
  user_cashback: ['t.user_amount', 'money'],
  user_discount: ['t.user_discount', 'money'],
  publisher_share: ['t.publisher_amount', 'money'],
  cleared_on: ['t.cleared_on', 'day'],
  available_on: ['t.available_on', 'day'],
  adjusts: ['t.adjusts', { id: 'txn' }],
  version: ['t.version', 'integer'],
  created_at: ['t.created_at', 'instant'],
  updated_at: ['t.updated_at', 'instant'],
}

const USER = {
  ...user,
  email: ['u.email', 'text'],
  primary_zip_code: ['u.primary_zip_code', 'text'],
  account_status: ['s.account_status', 'text'],
  attributes: ['u.attributes', 'text'],
  created_at: ['u.created_at', 'instant'],
  updated_at: ['u.updated_at', 'instant'],
} as const satisfies Sources<string>

/** A ledger journal and its changes to the user's balances. */
const REWARD = {
  journal_id: ['j.journal_id', { id: 'jnl' }],
  booked_at: ['j.created_at', 'instant'],
  effective_at: ['j.effective_at', 'instant'],
  kind: ['j.kind', 'text'],
  transaction_uid: ["case when j.kind in ('accrual', 'maturity', 'clawback') then j.cause_id end", { id: 'txn' }],
  adjustment_id: ["case when j.kind in ('adjustment', 'write_off') then j.cause_id end", { id: 'adj' }],
  ...user,
  currency: ['j.currency', 'text'],
  pending_change: ['s.pending', 'money'],
  available_change: ['s.available', 'money'],
  debt_change: ['s.debt', 'money'],
  publisher_pending_change: ['s.publisher_pending', 'money'],
  publisher_payable_change: ['s.publisher_payable', 'money'],
} as const satisfies Sources<string>

const REDEMPTIONS: Sources<keyof typeof REDEMPTION.schema.properties> = {
  ...user,
  redemption_id: ['r.redemption_id', { id: 'rdm' }],
  external_ref: ['r.external_ref', 'text'],
  method: ['r.method', 'text'],
  offer_uid: ['r.offer_uid', 'text'],
  amount: ['r.amount', 'money'],
  currency: ['r.currency', 'text'],
  status: ['r.status', 'text'],
  approvals_needed: ['r.approvals_needed', 'integer'],
  reason: ['r.reason', 'text'],
  reason_code: ['r.reason_code', 'text'],
  reason_text: ['r.reason_text', 'text'],
  payout_reference: ['r.payout_reference', 'text'],
  version: ['r.version', 'integer'],
  created_at: ['r.created_at', 'instant'],
  updated_at: ['r.updated_at', 'instant'],
}

/** Omits `waits_for`, which is accurate only at the time of the response. */
const DELIVERY: Sources<Exclude<keyof typeof DELIVERY_RESOURCE.schema.properties, 'waits_for'>> = {
  delivery_id: ['d.delivery_id', { id: 'dlv' }],
  endpoint_id: ['d.endpoint_id', { id: 'whe' }],
  event_id: ['d.event_id', { id: 'evt' }],
  event_type: ['d.type', 'text'],
  sequence: ['d.sequence', 'integer'],
  status: ['d.status', 'text'],
  attempts: ['d.attempts', 'integer'],
  last_attempt_at: ['d.last_attempt_at', 'instant'],
  next_attempt_at: ['d.next_attempt_at', 'instant'],
  response_status: ['d.response_status', 'integer'],
  error: ['d.error', 'text'],
}

/** The API's fields in API order, and any report-specific ones. New fields become the last columns. */
export const COLUMNS: Readonly<Record<ReportKind, readonly ReportColumn[]>> = {
  transactions: buildColumns(Object.keys(TRANSACTION.schema.properties), TRANSACTION_SOURCES),
  users: buildColumns(Object.keys(USER), USER),
  rewards: buildColumns(Object.keys(REWARD), REWARD),
  redemptions: buildColumns(Object.keys(REDEMPTION.schema.properties), REDEMPTIONS),
  deliveries: buildColumns([...Object.keys(DELIVERY), 'created_at'], {
    ...DELIVERY,
    created_at: ['d.created_at', 'instant'],
  }),
}

function buildColumns(names: readonly string[], sources: Sources<string>): ReportColumn[] {
  return names.map((name) => {
    const source = sources[name]
    if (source === undefined) throw new Error(`no source is defined for the column ${name}`)
    return { name, expression: source[0], type: source[1] }
  })
}

export function getWriter({ type }: ReportColumn): WriteCell {
  return typeof type === 'object' ? createIdWriter(type.id) : WRITERS[type]
}

const WRITERS: Readonly<Record<Exclude<CellType, object>, WriteCell>> = {
  text: writeText,
  integer: writeInteger,
  money: writeMoney,
  day: writeDay,
  instant: writeInstant,
}

/** Returns the index of the column with the currency of the row's amounts, or -1 if there is none. */
export function findCurrencyIndex(columns: readonly ReportColumn[]): number {
  return columns.findIndex(({ name }) => name === 'currency')
}
