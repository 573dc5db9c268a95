import type { Format } from './format.ts'

/** Our own names, for networks that let us define their postbacks, and as the template for any other network. */
export const generic: Format = {
  fields: {
    sub_id: ['sub_id'],
    order_id: ['order_id'],
    transaction_id: ['transaction_id'],
    report_id: ['report_id'],
    amount: ['amount'],
    currency: ['currency'],
    commission: ['commission'],
    status: ['status'],
    date: ['date'],
    reported_at: ['reported_at'],
  },
  statuses: {},
  unstated: null,
  dates: ['day', 'instant'],
  adds: false,
  isLenient: false,
  notSales: null,
  wrapper: null,
  rows: '',
  partialAt: null,
}
