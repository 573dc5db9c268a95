import Type from 'typebox'
import { namedObject } from '../../platform/http/index.ts'
import { field, id, instant, money, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import type { Content } from './rules.ts'

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
    reported_at: word(
      'When the report was made, RFC 3339. The latest report counts, regardless of the order of arrival.',
    ),
    report_id: word("The network's number for the report. Sending the same report again has no effect."),
    secret: word("The network's secret, if it cannot be sent as X-Postback-Secret."),
  },
  { additionalProperties: true },
)

export const ReceivedSchema = namedObject('Received', { received: Type.Boolean() })

const REASONS = ['no_sub_id', 'unknown_sub_id', 'other_network', 'outside_window', 'unknown_order'] as const

/** A reported sale that earns nothing, for operators to decide on. */
export const UNKNOWN_POSTBACK = resource('UnknownPostback', {
  postback_id: id('pbk', { example: 'pbk_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the report.' }),
  network: text({ example: 'awin', description: 'The network that sent the report.' }),
  sub_id: text({
    example: '0b1f6c2e8a6d4f0b9a3c5d7e9f1a2b3c',
    description: 'The sub-id in the report; empty if it has none.',
  }),
  sent_to: text({
    joined: true,
    nullable: true,
    example: null,
    description: 'The network that the click with this sub-id was sent to; null if there is no such click.',
  }),
  order_id: text({ nullable: true, example: '1001' }),
  transaction_id: text({ nullable: true, example: null, description: "The network's number for the sale." }),
  status: oneOf(['pending', 'approved', 'rejected', 'amended'], {
    example: 'approved',
    description: 'Status reported by the network; amended changes only the amount.',
  }),
  amount: money({
    nullable: true,
    example: 84.5,
    description: 'Amount of the sale, in major units; null for a rejection without an amount.',
  }),
  currency: text({ example: 'USD' }),
  commission: money({
    nullable: true,
    example: 4.2,
    description: 'Commission the network reports, in major units; null if it reports none.',
  }),
  reason: oneOf(REASONS, { joined: true, example: 'unknown_sub_id', description: 'Why it earns nothing.' }),
  content: field(
    Type.Object({}, { additionalProperties: true, description: 'The report as received, without secrets.' }),
    {
      example: {
        sub_id: '0b1f6c2e8a6d4f0b9a3c5d7e9f1a2b3c',
        order_id: '1001',
        amount: '84.50',
        status: 'approved',
      },
    },
    (content: Content) => content,
  ),
  received_at: instant({ example: '2026-11-21T10:15:30.000Z', description: 'When it was received.' }),
})
export type UnknownPostback = ResourceRow<typeof UNKNOWN_POSTBACK>
