import { instantField } from '../../../platform/http/index.ts'
import type { Id } from '../../../platform/ids.ts'
import { day, id, instant, money, oneOf, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../../../tenants/access/index.ts'

export type PaymentId = Id<'payment'>

/** The direction from the service's point of view. */
export const DIRECTIONS = ['received', 'paid'] as const
export type Direction = (typeof DIRECTIONS)[number]

/**
 * The kinds of counterparty, which determine what a payment settles: what an advertiser owes for a publisher's users, a
 * publisher's earnings, payouts to users by one method, or the service's own fees.
 */
export const PAYMENT_PARTIES = ['advertiser', 'publisher', 'payouts', 'service'] as const
export type PaymentParty = (typeof PAYMENT_PARTIES)[number]

export const DIRECTION_DESCRIPTION = 'received: money came in. paid: money went out.'
export const PARTY_DESCRIPTION =
  "The party whose account it settles: what an advertiser owes, what a publisher has earned, what was paid out to users by a method, or the service's fees."

/**
 * Builds the API field for the owner of the settled account: a brand or a payout method. Null unless the payment's
 * party is of the given kind.
 */
const ownerAs = (party: PaymentParty, example: string | null, description: string) => ({
  ...text({ property: 'owner', nullable: true, example, description }),
  serialize: (owner: string, row: object) => ((row as { readonly party: PaymentParty }).party === party ? owner : null),
})

export const PAYMENT = resource('Payment', {
  payment_id: id('pay', { example: 'pay_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the payment.' }),
  publisher_id: PUBLISHER_FIELD,
  direction: oneOf(DIRECTIONS, { example: 'received', description: DIRECTION_DESCRIPTION }),
  party: oneOf(PAYMENT_PARTIES, { example: 'advertiser', description: PARTY_DESCRIPTION }),
  brand_uid: ownerAs('advertiser', 'brand-market', 'The brand, if the party is an advertiser.'),
  method: ownerAs('payouts', null, 'The payout method, if the party is payouts.'),
  amount: money({ example: 1250, description: 'Amount in major units.' }),
  currency: text({ example: 'USD' }),
  external_ref: text({
    example: 'wire-2026-0117',
    description: "Your own or the bank's reference for the payment.",
  }),
  value_date: day({ example: '2026-12-15', description: 'Value date of the payment.' }),
  note: text({ nullable: true, example: null, description: 'Additional human-readable details.' }),
  reverses: id('pay', { nullable: true, example: null, description: 'The payment that this one reverses.' }),
  reversed_by: id('pay', {
    joined: true,
    nullable: true,
    example: null,
    description: 'The payment that reversed this one.',
  }),
  created_at: {
    ...instant({ example: '2026-12-15T10:15:30.000Z' }),
    schema: instantField('When it was recorded.'),
  },
  created_by: text({
    example: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
    description: 'The operator or account that recorded the payment.',
  }),
})

export type Payment = ResourceRow<typeof PAYMENT>

/** The counterparty, direction and amount of a payment. */
export type PaymentTerms = Pick<Payment, 'direction' | 'party' | 'owner' | 'currency' | 'amount'>
