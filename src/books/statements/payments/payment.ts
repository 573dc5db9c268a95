import { instantField } from '../../../platform/http/index.ts'
import type { Id } from '../../../platform/ids.ts'
import { day, from, id, instant, joined, money, oneOf, orNull, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'

export type PaymentId = Id<'payment'>

/** From the service's point of view: money coming in or going out. */
export const DIRECTIONS = ['received', 'paid'] as const
export type Direction = (typeof DIRECTIONS)[number]

/**
 * The counterparty determines what a payment settles: an advertiser's debt for a publisher's users, a publisher's
 * earnings, payouts to users by one method, or the service's own fees.
 */
export const PAYMENT_PARTIES = ['advertiser', 'publisher', 'payouts', 'service'] as const
export type PaymentParty = (typeof PAYMENT_PARTIES)[number]

export const DIRECTION = 'received: money came in. paid: money went out.'
export const PARTY =
  "The party whose account it settles: what an advertiser owes, what a publisher has earned, what was paid out to users by a method, or the service's fees."

/** The owner of the account that a payment settles, for one kind of party: a brand or a payout method. */
const ownerAs = (party: PaymentParty, example: string | null, description: string) => ({
  ...orNull(from('owner', text(example, description))),
  show: (owner: string, row: object) => ((row as { readonly party: PaymentParty }).party === party ? owner : null),
})

export const PAYMENT = resource('Payment', {
  payment_id: id<'payment'>('pay', 'pay_01kbjyt5v3f4nvj5yq5yfypr9v', 'ID of the payment.'),
  publisher_id: id<'publisher'>('pub', 'pub_01kbjyt5v3f4nvj5yq5yfypr9v'),
  direction: oneOf(DIRECTIONS, 'received', DIRECTION),
  party: oneOf(PAYMENT_PARTIES, 'advertiser', PARTY),
  brand_uid: ownerAs('advertiser', 'brand-market', 'The brand, if the party is an advertiser.'),
  method: ownerAs('payouts', null, 'The payout method, if the party is payouts.'),
  amount: money(1250, 'Amount in major units.'),
  currency: text('USD'),
  external_ref: text('wire-2026-0117', "Your own or the bank's reference for the payment."),
  value_date: day('2026-12-15', 'Value date of the payment.'),
  note: orNull(text(null, 'Additional human-readable details.')),
  reverses: orNull(id<'payment'>('pay', null, 'The payment that this one reverses.')),
  reversed_by: joined(orNull(id<'payment'>('pay', null, 'The payment that reversed this one.'))),
  created_at: { ...instant('2026-12-15T10:15:30.000Z'), schema: instantField('When it was recorded.') },
  created_by: text('opr_01kbjyt5v3f4nvj5yq5yfypr9v', 'The operator or account that recorded the payment.'),
})

export type Payment = ResourceRow<typeof PAYMENT>

/** The counterparty, direction and amount of a payment. */
export type PaymentTerms = Pick<Payment, 'direction' | 'party' | 'owner' | 'currency' | 'amount'>
