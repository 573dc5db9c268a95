import type { Format } from './format.ts'

/**
 * Rakuten Advertising, for publishers.
 *
 * - "Events API Common Questions" (https://pubhelp.rakutenadvertising.com/hc/en-us/articles/5949935515149): a record for
 *   each item of an order, with etransaction_id (unique), order_id, sku_number, sale_amount, commissions, currency, u1 and
 *   transaction_date. "Postback API" (…/5949881570317) sends the same by GET, in parameters that the publisher names.
 * - "Tracking Methods and Transaction Reports" (…/4403182382861): a record with is_event is a media optimization event,
 *   which pays no commission; the order is reported later as a record of its own. So events are no sales.
 * - "Events API Technical Documentation", March 2019: dates are written as `Wed Apr 30 2014 02:18:36 GMT+0000 (UTC)`.
 *
 * Records have no state, and these pages say that they are no basis for payment, so they are pending. What is locked or
 * paid is stated by a report in the column status or Commission Status, whose words are those of "Invoices Overview"
 * (…/24066965345293) and https://docs.adverity.com/reference/connectors/connector-rakuten-advertiser.html; an
 * uncollectible invoice is for a person to decide, so the word is refused. The pages say nothing of corrections: a
 * negative record takes off its order, and one with the number of a sale counts beside the sale. A discount on an order
 * may be such a record, with a SKU of its own or none, so the records of an order add up, not those of each SKU. No
 * signature is documented: the secret is a parameter of the address.
 */
export const rakuten: Format = {
  fields: {
    sub_id: ['u1', 'Member ID'],
    order_id: ['order_id'],
    report_id: ['etransaction_id', 'Transaction ID'],
    amount: ['sale_amount', 'Sales'],
    currency: ['currency'],
    commission: ['commissions'],
    status: ['Commission Status', 'status'],
    date: ['transaction_date'],
  },
  statuses: { pending: ['unlocked', 'awaiting_payment', 'awaiting_approval'] },
  unstated: 'pending',
  dates: ['day', 'instant', 'utc', 'javascript'],
  adds: true,
  isLenient: true,
  notSales: { name: 'is_event', words: ['y', 'yes', 'true', '1'] },
  wrapper: null,
  rows: '',
  partialAt: null,
}
