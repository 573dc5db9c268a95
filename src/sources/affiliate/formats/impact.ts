import type { Format } from './format.ts'

/**
 * impact.com, for partners.
 *
 * - Actions: Partner API v16, "List Actions" and its Action object
 *   (https://integrations.impact.com/impact-publisher/reference). An action has Id, Oid, SubId1, State, Amount, Payout,
 *   Currency and EventDate. States are PENDING, APPROVED and REVERSED. A modified action is PENDING. Amount is the
 *   total, and DeltaAmount only the change. A query spans at most 45 days.
 * - Postbacks: "Enable Action Clearing Events Notifications" and "Enable Event Notification Postbacks"
 *   (https://help.impact.com/en/support/solutions/articles/155000000882). The account's owner chooses the parameter
 *   names, so we accept both the names in the help page's example and the names in the API.
 *
 * No signature is documented for postbacks, so the secret is a URL parameter. Whether a reversed action keeps its
 * amount is also undocumented, but that does not matter for a rejection.
 */
export const impact: Format = {
  fields: {
    sub_id: ['SubId1', 'sub_id'],
    order_id: ['Oid', 'order_id'],
    transaction_id: ['ActionId', 'Id'],
    amount: ['Amount'],
    currency: ['Currency'],
    commission: ['Payout'],
    status: ['State', 'Status'],
    date: ['EventDate'],
  },
  statuses: {},
  unstated: null,
  dates: ['day', 'instant'],
  adds: false,
  isLenient: true,
  notSales: null,
  wrapper: null,
  rows: 'Actions',
  partialAt: '@nextpageuri',
}
