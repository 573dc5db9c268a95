import Type from 'typebox'

export const LinkParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

export const NetworkParams = Type.Object({
  network: Type.String({ minLength: 1, maxLength: 64, description: 'The network that reports.' }),
})

const word = (description: string) =>
  Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number', 'null'], description }))

/** The members of a report that are read, from the query, a form or a JSON body. All others are kept as they came. */
export const ReportSchema = Type.Object(
  {
    sub_id: word('The sub-id of the click, as the tracking link passed it on. Required.'),
    order_id: word("The advertiser's number of the order. This or transaction_id is required."),
    transaction_id: word("The network's number of the sale or of one item of the order."),
    amount: word('What was bought for, in major units. Required unless rejected.'),
    currency: word("ISO 4217 code; the offer's currency when left out."),
    status: word('pending, approved or rejected, or a usual word for one of them. Required.'),
    date: word(
      'When it was bought: yyyy-MM-dd or RFC 3339; the time of receipt when left out. Not in the future. Of reports of one sale that carry different dates, the one with the latest date counts.',
    ),
    reported_at: word('When the report was made, RFC 3339: the latest one counts, in any order of arrival.'),
    report_id: word("The network's number of the report: the same report again changes nothing."),
    secret: word("The network's secret, where it cannot be sent as X-Postback-Secret."),
  },
  { additionalProperties: true },
)

export const ReceivedSchema = Type.Object({ received: Type.Boolean() })
