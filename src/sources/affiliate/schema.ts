import Type, { type Static } from 'typebox'
import { enumOf, instantField, namedObject, nullable, strictObject } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { UnknownReport } from './sales/unmatched-queries.ts'

export const NetworkParams = Type.Object({
  network: Type.String({ minLength: 1, maxLength: 64, description: 'The network reporting the sale.' }),
})

const word = (description: string) =>
  Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number', 'null'], description }))

/**
 * The members read from a report in the generic format, whether sent in the query, a form or a JSON body. All others
 * are stored as received.
 */
export const ReportSchema = namedObject(
  'NetworkReport',
  {
    sub_id: word('Sub-id of the click, as passed on by the tracking link. Required.'),
    order_id: word(
      "The advertiser's order number. Either this or transaction_id is required. Without transaction_id, a rejection applies to all items of the order.",
    ),
    transaction_id: word(
      "The network's number for the sale or for one item of the order. Without order_id, the item belongs to the click's order that has an item with this number, if there is exactly one.",
    ),
    amount: word(
      'Amount of the purchase, in major units. Required unless rejected. For a rejected item that was not reported before, the amount to deduct from its order.',
    ),
    currency: word("ISO 4217 code. Defaults to the offer's currency."),
    status: word('pending, approved or rejected, or a common synonym; amended keeps the current state. Required.'),
    commission: word('Commission that the network pays, in major units. Visible only to operators.'),
    date: word(
      'Time of the purchase: yyyy-MM-dd or RFC 3339. Defaults to the time of receipt. Must not be in the future. If reports of the same sale carry different dates, the one with the latest date counts.',
    ),
    reported_at: word('When the report was made, RFC 3339. The latest report counts, whatever the order of arrival.'),
    report_id: word("The network's number for the report. Sending the same report again has no effect."),
    secret: word("The network's secret, if it cannot be sent as X-Postback-Secret."),
  },
  { additionalProperties: true },
)

export const ReceivedSchema = namedObject('Received', { received: Type.Boolean() })

const REPORTS_MAX = 500
const REASONS = ['no_sub_id', 'unknown_sub_id', 'other_network', 'outside_window', 'unknown_order'] as const

export const UnknownReportsQuery = strictObject({
  network: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only reports from this network.' })),
  before: Type.Optional(
    instantField('Only reports received before this time. For the next page, pass `received_at` of the last report.'),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REPORTS_MAX, description: 'Defaults to 100.' })),
})

export const UnknownReportsSchema = namedObject('UnknownPostbackList', {
  content: Type.Array(
    namedObject('UnknownPostback', {
      postback_id: Type.String({ description: 'ID of the report.' }),
      network: Type.String({ description: 'The network that sent the report.' }),
      sub_id: Type.String({ description: 'The sub-id in the report; empty if it has none.' }),
      sent_to: nullable(
        Type.String({
          description: 'The network that the click with this sub-id was sent to; null if there is no such click.',
        }),
      ),
      order_id: nullable(Type.String()),
      transaction_id: nullable(Type.String({ description: "The network's number for the sale." })),
      status: enumOf(
        ['pending', 'approved', 'rejected', 'amended'],
        'Status reported by the network; amended changes only the amount.',
      ),
      amount: nullable(
        Type.Number({ description: 'Amount of the sale, in major units; null for a rejection without an amount.' }),
      ),
      currency: Type.String(),
      commission: nullable(
        Type.Number({ description: 'Commission the network reports, in major units; null if it reports none.' }),
      ),
      reason: enumOf(REASONS, 'Why it earns nothing.'),
      content: Type.Object({}, { additionalProperties: true, description: 'The report as received, without secrets.' }),
      received_at: instantField('When it was received.'),
    }),
    { description: 'The reports, newest first.' },
  ),
})

export function presentReport(report: UnknownReport): Static<typeof UnknownReportsSchema>['content'][number] {
  return {
    postback_id: encodeId('pbk', report.postbackId),
    network: report.network,
    sub_id: report.subId,
    sent_to: report.sentTo,
    order_id: report.orderId,
    transaction_id: report.transactionId,
    status: report.status,
    amount: report.amount === null ? null : toJsonNumber(report.amount, report.currency),
    currency: report.currency,
    commission: report.commission === null ? null : toJsonNumber(report.commission, report.currency),
    reason: report.reason,
    content: report.content,
    received_at: report.receivedAt.toISOString(),
  }
}
