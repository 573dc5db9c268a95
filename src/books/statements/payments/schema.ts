import Type, { type Static } from 'typebox'
import type { Day } from '../../../platform/calendar.ts'
import {
  amountField,
  currencyField,
  dayField,
  enumField,
  type FieldCode,
  idField,
  invalidInput,
  namedStrictObject,
  textField,
} from '../../../platform/http/index.ts'
import { toMinor } from '../../../platform/money.ts'
import { PAYOUT_METHODS, type Publisher, resolveCurrency } from '../../../tenants/publishers/index.ts'
import { DIRECTION_DESCRIPTION, DIRECTIONS, PARTY_DESCRIPTION, PAYMENT_PARTIES, type PaymentTerms } from './payment.ts'
import type { PaymentRequest } from './payments.ts'

export const NewPaymentSchema = namedStrictObject('NewPayment', {
  publisher_id: idField('The publisher (pub_…) whose books contain the payment.'),
  direction: Type.Optional(enumField(DIRECTIONS, DIRECTION_DESCRIPTION)),
  party: Type.Optional(enumField(PAYMENT_PARTIES, PARTY_DESCRIPTION)),
  brand_uid: Type.Optional(idField('The brand, if the party is an advertiser.')),
  method: Type.Optional(enumField(PAYOUT_METHODS, 'The payout method, if the party is payouts.')),
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

const TERMS = ['direction', 'party', 'brand_uid', 'method', 'amount', 'currency'] as const

/**
 * Parses the payment in a request body.
 * @throws Problem invalid_input, Refusal currency_unknown
 */
export function parsePayment(body: NewPayment, publisher: Publisher, today: Day): PaymentRequest {
  const { external_ref: externalRef, value_date: valueDate, note = null, reverses } = body
  if (valueDate > today)
    throw atFault('value_date', 'out_of_range', `must not be after ${today}, today's date for the publisher`)
  const request = { externalRef, valueDate, note }
  if (reverses === undefined) return { ...request, terms: parseTerms(body, publisher) }
  const stray = TERMS.find((name) => body[name] !== undefined)
  if (stray !== undefined) throw atFault(stray, 'not_allowed', 'must be omitted: it is taken from the reversed payment')
  return { ...request, terms: { reverses } }
}

function parseTerms(body: NewPayment, publisher: Publisher): PaymentTerms {
  const { direction, party, amount } = body
  if (direction === undefined) throw missing('direction')
  if (party === undefined) throw missing('party')
  if (amount === undefined) throw missing('amount')
  if (body.currency === undefined) throw missing('currency')
  const currency = resolveCurrency(publisher, body.currency)
  const minor = toMinor(amount, currency)
  if (minor === null)
    throw atFault('amount', 'out_of_range', `must have no more decimal places than ${currency} allows`)
  const owners = { advertiser: 'brand_uid', payouts: 'method', publisher: null, service: null } as const
  const needed = owners[party]
  for (const name of ['brand_uid', 'method'] as const)
    if (name !== needed && body[name] !== undefined)
      throw atFault(name, 'not_allowed', `must be omitted for the party ${party}`)
  const owner = needed === null ? '' : body[needed]
  if (owner === undefined) throw missing(needed ?? '')
  return { direction, party, owner, currency, amount: minor }
}

const missing = (field: string) => atFault(field, 'required', 'is required unless the payment reverses another one')
const atFault = (field: string, code: FieldCode, message: string) => invalidInput([{ field, code, message }])
