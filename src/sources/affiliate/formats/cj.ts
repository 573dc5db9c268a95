import type { Format } from './format.ts'

/**
 * CJ, for publishers.
 *
 * - "Commission Detail API" (https://docs.cj.com/docs/graphql-api): the GraphQL query publisherCommissions returns
 *   records and payloadComplete, which is false if there are more. Amounts may have three decimals.
 * - Record fields and action statuses, as listed by connectors: "CJ Commission Detail"
 *   (https://fivetran.com/docs/connectors/applications/cj-commission-detail/connector-schema) and
 *   https://windsor.ai/data-field/cj/. Statuses are new, extended, locked and closed. The sid of a link is returned as
 *   shopperId (https://docs.swaarm.com/en/articles/8922231-cj-integration).
 * - "Item-based Details Report" (http://help.cj.com/en/web_services/Item-based_Details_Report.htm): a correction is a
 *   separate transaction in addition to the original one.
 *
 * None of these pages states that the amount of a correction is the difference, or that it is negative for a return,
 * but reports show both, so records are treated as additive. An order is counted once per action tracker. CJ does not
 * push to publishers, and no signature is documented. Postbacks from a relay that forwards records are accepted under
 * the same names. We read the amount in US dollars, because the record does not state the currency of the other
 * amounts. A record without an order number is an order by itself. The effect of a declined validation is undocumented,
 * so only a record's action status is considered.
 */
export const cj: Format = {
  fields: {
    sub_id: ['shopperId', 'sid'],
    order_id: ['orderId', 'commissionId'],
    transaction_id: ['actionTrackerId'],
    report_id: ['commissionId'],
    amount: ['saleAmountUsd'],
    currency: ['=USD'],
    commission: ['pubCommissionAmountUsd'],
    status: ['actionStatus'],
    date: ['eventDate'],
  },
  statuses: {},
  unstated: null,
  dates: ['day', 'instant'],
  adds: true,
  isLenient: true,
  notSales: null,
  wrapper: null,
  rows: 'data.publisherCommissions.records',
  partialAt: 'data.publisherCommissions.payloadComplete',
}
