import type { FormatName } from '../../src/sources/affiliate/index.ts'

/** A sale's status as a network reports it, and the change in its amount since the previous report, in cents. */
export type SaleState = {
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly amount: number
  readonly change: number
  /** The index of the amount change that this record reports, starting at 0. */
  readonly record: number
}
export type SaleNames = { readonly subId: string; readonly order: string; readonly soldAt: Date }
type Row = Readonly<Record<string, unknown>>

const major = (cents: number): string => (cents / 100).toFixed(2)
const withoutZone = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

/** Writers that format a sale's state as each network does, as a postback and as a report row. */
export const WRITERS: Readonly<
  Record<FormatName, Readonly<Record<'postback' | 'row', (names: SaleNames, state: SaleState) => Row>>>
> = {
  generic: {
    postback: genericRow,
    row: genericRow,
  },
  impact: {
    postback: ({ subId, order, soldAt }, { status, amount }) => ({
      action_id: `7.${order}`,
      status: impactState(status),
      amount: major(amount),
      currency: 'USD',
      payout: '1.00',
      oid: order,
      subid1: subId,
      event_date: soldAt.toISOString(),
    }),
    row: ({ subId, order, soldAt }, { status, amount }) => ({
      Id: `7.${order}`,
      State: impactState(status),
      Amount: major(amount),
      Currency: 'USD',
      Payout: '1.00',
      Oid: order,
      SubId1: subId,
      SubId2: '',
      EventDate: soldAt.toISOString().replace('Z', '+00:00'),
    }),
  },
  cj: { postback: cjRecord, row: cjRecord },
  awin: {
    postback: ({ subId, order, soldAt }, { status, amount }) => ({
      transactionId: `a${order}`,
      transactionDate: withoutZone(soldAt),
      transactionCurrency: 'USD',
      transactionAmount: major(amount),
      clickRef: subId,
      commission: '1.00',
      ...(status === 'pending' ? {} : { commissionStatus: awinStatus(status) }),
    }),
    row: ({ subId, order, soldAt }, { status, amount }) => ({
      id: `a${order}`,
      orderRef: order,
      clickRefs: { clickRef: subId },
      commissionStatus: awinStatus(status),
      saleAmount: { amount: amount / 100, currency: 'USD' },
      commissionAmount: { amount: 1, currency: 'USD' },
      transactionDate: withoutZone(soldAt).replace(' ', 'T'),
    }),
  },
  rakuten: {
    postback: rakutenRecord,
    row: (names, state) => ({ ...rakutenRecord(names, state), transaction_date: printed(names.soldAt) }),
  },
}

function genericRow({ subId, order, soldAt }: SaleNames, { status, amount }: SaleState): Row {
  return { sub_id: subId, order_id: order, status, amount: major(amount), currency: 'USD', date: soldAt.toISOString() }
}

function impactState(status: SaleState['status']): string {
  return status === 'rejected' ? 'REVERSED' : status.toUpperCase()
}

function awinStatus(status: SaleState['status']): string {
  return status === 'rejected' ? 'declined' : status
}

function cjRecord({ subId, order, soldAt }: SaleNames, { status, change, record }: SaleState): Row {
  return {
    commissionId: `c${order}-${record}`,
    orderId: order,
    actionTrackerId: 41,
    shopperId: subId,
    original: record === 0,
    actionStatus: status === 'pending' ? 'new' : 'locked',
    saleAmountUsd: (change / 100).toFixed(3),
    pubCommissionAmountUsd: '1.004',
    eventDate: soldAt.toISOString(),
  }
}

function rakutenRecord({ subId, order, soldAt }: SaleNames, { status, change, record }: SaleState): Row {
  return {
    etransaction_id: `r${order}-${record}`,
    order_id: order,
    sku_number: 'S1',
    u1: subId,
    currency: 'USD',
    sale_amount: change / 100,
    transaction_date: soldAt.toISOString(),
    commissions: 1,
    ...(status === 'pending' ? {} : { status: 'locked' }),
  }
}

/** Formats the date as JavaScript prints it: Wed Apr 30 2014 02:18:36 GMT+0000 (UTC) */
function printed(at: Date): string {
  const [, day = '', month = '', year = '', time = ''] = at.toUTCString().replace(',', '').split(' ')
  return `${at.toUTCString().slice(0, 3)} ${month} ${day} ${year} ${time} GMT+0000 (UTC)`
}
