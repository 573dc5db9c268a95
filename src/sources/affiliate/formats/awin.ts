import type { Format } from './format.ts'

/**
 * Awin, for publishers.
 *
 * - "Transaction notifications" (https://help.awin.com/developers/docs/transaction-notifications): a POST sends a form
 *   whose member AwinTransactionPush contains JSON. A GET sends the parameters that the publisher defines with
 *   `!!!name!!!`. Members are transactionId, transactionDate (UTC, no zone), transactionCurrency, transactionAmount,
 *   commission and clickRef. A notification is sent when a transaction is recorded and has no status, so we treat it as
 *   pending.
 * - "Get List of Transactions" (https://help.awin.com/apidocs/returns-a-list-of-transactions-for-a-given-publisher):
 *   id, orderRef, clickRefs.clickRef, saleAmount and commissionAmount with amount and currency, commissionStatus
 *   (pending, approved, declined, deleted), and transactionDate in the requested time zone. An amended transaction has
 *   its new saleAmount. A query spans at most 31 days.
 *
 * No signature is documented for notifications, so the secret is a URL parameter. Notifications of later changes are
 * not documented either, so approvals come from reports.
 */
export const awin: Format = {
  fields: {
    sub_id: ['clickRef', 'clickRefs.clickRef'],
    order_id: ['orderRef'],
    transaction_id: ['transactionId', 'id'],
    amount: ['transactionAmount', 'saleAmount.amount'],
    currency: ['transactionCurrency', 'saleAmount.currency'],
    commission: ['commissionAmount.amount', 'commission'],
    status: ['commissionStatus', 'status'],
    date: ['transactionDate'],
  },
  statuses: { rejected: ['deleted'] },
  unstated: 'pending',
  dates: ['day', 'instant', 'utc'],
  adds: false,
  isLenient: true,
  notSales: null,
  wrapper: 'AwinTransactionPush',
  rows: '',
  partialAt: null,
}
