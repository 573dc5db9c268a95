import Type, { type Static } from 'typebox'
import type { Day } from '../../../platform/calendar.ts'
import {
  amountField,
  currencyField,
  dayField,
  enumOf,
  type FieldCode,
  idField,
  instantField,
  invalidInput,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  strictObject,
  textField,
} from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import { toJsonNumber, toMinor } from '../../../platform/money.ts'
import { currencyNamed, PAYOUT_METHODS, type Publisher } from '../../../tenants/publishers/index.ts'
import { DIRECTIONS, PAYMENT_PARTIES, type Payment, type PaymentTerms } from './payment.ts'
import type { PaymentRequest } from './payments.ts'

const DIRECTION = 'received: money came in. paid: money went out.'
const PARTY =
  "The party whose account it settles: what an advertiser owes, what a publisher has earned, what was paid out to users by a method, or the service's fees."

export const NewPaymentSchema = namedStrictObject('NewPayment', {
  publisher_id: idField('The publisher (pub_…) whose books contain the payment.'),
  direction: Type.Optional(enumOf(DIRECTIONS, DIRECTION)),
  party: Type.Optional(enumOf(PAYMENT_PARTIES, PARTY)),
  brand_uid: Type.Optional(idField('The brand, if the party is an advertiser.')),
  method: Type.Optional(enumOf(PAYOUT_METHODS, 'The payout method, if the party is payouts.')),
  amount: Type.Optional(amountField('Amount of the payment.')),
  currency: Type.Optional(currencyField()),
  external_ref: idField('Your own or the bank’s reference for the payment, unique per publisher.'),
  value_date: dayField('Value date of the payment.'),
  note: Type.Optional(textField(500, 'Additional human-readable details.')),
  reverses: Type.Optional(
    idField('The payment (pay_…) that this one reverses. It determines direction, party and amount.'),
  ),
})
type NewPayment = Static<typeof NewPaymentSchema>

export const PaymentQuery = strictObject({
  publisher_id: Type.Optional(idField('Only results for this publisher.')),
  party: Type.Optional(enumOf(PAYMENT_PARTIES, 'Only payments with this party.')),
  brand_uid: Type.Optional(idField('Only payments with this advertiser.')),
  external_ref: Type.Optional(idField('Only the payment with this reference.')),
  ...pageQuery,
})

export const PaymentSchema = namedObject('Payment', {
  payment_id: Type.String({ description: 'ID of the payment.' }),
  publisher_id: Type.String(),
  direction: enumOf(DIRECTIONS, DIRECTION),
  party: enumOf(PAYMENT_PARTIES, PARTY),
  brand_uid: nullable(Type.String({ description: 'The brand, if the party is an advertiser.' })),
  method: nullable(Type.String({ description: 'The payout method, if the party is payouts.' })),
  amount: Type.Number({ description: 'Amount in major units.' }),
  currency: Type.String(),
  external_ref: Type.String({ description: "Your own or the bank's reference for the payment." }),
  value_date: Type.String({ description: 'Value date of the payment.' }),
  note: nullable(Type.String({ description: 'Additional human-readable details.' })),
  reverses: nullable(Type.String({ description: 'The payment that this one reverses.' })),
  reversed_by: nullable(Type.String({ description: 'The payment that reversed this one.' })),
  created_at: instantField('When it was recorded.'),
  created_by: Type.String({ description: 'The operator or account that recorded the payment.' }),
})
type ShownPayment = Static<typeof PaymentSchema>

const TERMS = ['direction', 'party', 'brand_uid', 'method', 'amount', 'currency'] as const

/**
 * Parses the payment in a request body.
 * @throws Problem invalid_input
 */
export function paymentOf(body: NewPayment, publisher: Publisher, today: Day): PaymentRequest {
  const { external_ref: externalRef, value_date: valueDate, note = null, reverses } = body
  if (valueDate > today)
    throw atFault('value_date', 'out_of_range', `must not be after ${today}, the publisher's today`)
  const request = { externalRef, valueDate, note }
  if (reverses === undefined) return { ...request, terms: termsOf(body, publisher) }
  const stray = TERMS.find((name) => body[name] !== undefined)
  if (stray !== undefined) throw atFault(stray, 'not_allowed', 'must be left out: it follows from the reversed payment')
  return { ...request, terms: { reverses } }
}

function termsOf(body: NewPayment, publisher: Publisher): PaymentTerms {
  const { direction, party, amount } = body
  if (direction === undefined) throw missing('direction')
  if (party === undefined) throw missing('party')
  if (amount === undefined) throw missing('amount')
  if (body.currency === undefined) throw missing('currency')
  const currency = currencyNamed(publisher, body.currency)
  const minor = toMinor(amount, currency)
  if (minor === null) throw atFault('amount', 'out_of_range', `must have no more decimals than ${currency} has`)
  const owners = { advertiser: 'brand_uid', payouts: 'method', publisher: null, service: null } as const
  const needed = owners[party]
  for (const name of ['brand_uid', 'method'] as const)
    if (name !== needed && body[name] !== undefined)
      throw atFault(name, 'not_allowed', `must be left out for the party ${party}`)
  const owner = needed === null ? '' : body[needed]
  if (owner === undefined) throw missing(needed ?? '')
  return { direction, party, owner, currency, amount: minor }
}

const missing = (field: string) => atFault(field, 'required', 'is required unless the payment reverses another one')
const atFault = (field: string, code: FieldCode, message: string) => invalidInput([{ field, code, message }])

export function presentPayment(payment: Payment): ShownPayment {
  const { party, owner, reverses, reversedBy } = payment
  return {
    payment_id: encodeId('pay', payment.paymentId),
    publisher_id: encodeId('pub', payment.publisherId),
    direction: payment.direction,
    party,
    brand_uid: party === 'advertiser' ? owner : null,
    method: party === 'payouts' ? owner : null,
    amount: toJsonNumber(payment.amount, payment.currency),
    currency: payment.currency,
    external_ref: payment.externalRef,
    value_date: payment.valueDate,
    note: payment.note,
    reverses: reverses === null ? null : encodeId('pay', reverses),
    reversed_by: reversedBy === null ? null : encodeId('pay', reversedBy),
    created_at: payment.createdAt.toISOString(),
    created_by: payment.createdBy,
  }
}

/** Example for the API reference. */
export const paymentExample: ShownPayment = {
  payment_id: 'pay_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  direction: 'received',
  party: 'advertiser',
  brand_uid: 'brand-market',
  method: null,
  amount: 1250,
  currency: 'USD',
  external_ref: 'wire-2026-0117',
  value_date: '2026-12-15',
  note: null,
  reverses: null,
  reversed_by: null,
  created_at: '2026-12-15T10:15:30.000Z',
  created_by: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
}
