import type { Format } from './format.ts'

/**
 * Rakuten Advertising, for publishers.
 *
 * - "Events API Common Questions" (https://pubhelp.rakutenadvertising.com/hc/en-us/articles/5949935515149): a record
 *   for each item of an order, with etransaction_id (unique), order_id, sku_number, sale_amount, commissions, currency,
 *   u1 and transaction_date. "Postback API" (…/5949881570317) sends the same by GET, in parameters named by the
 *   publisher.
 * - "Tracking Methods and Transaction Reports" (…/4403182382861): a record with is_event is a media optimization event,
 *   which pays no commission. The order is reported later as a separate record, so events are not sales.
 * - "Events API Technical Documentation", March 2019: dates are written as `Wed Apr 30 2014 02:18:36 GMT+0000 (UTC)`.
 *
 * Records have no state, and according to these pages they are not a basis for payment, so they are pending. A report
 * states what is locked or paid in the column status or Commission Status, in the words of "Invoices Overview"
 * (…/24066965345293) and https://docs.adverity.com/reference/connectors/connector-rakuten-advertiser.html. An
 * uncollectible invoice needs a person's decision, so that word is rejected. The pages do not mention corrections. A
 * negative record reduces its order, and a record with a sale's number is added to the sale. A discount on an order may
 * be a negative record, with a separate SKU or none, so records are summed per order rather than per SKU. No signature
 * is documented, so the secret is a URL parameter.
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
