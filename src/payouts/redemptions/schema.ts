import Type, { type Static } from 'typebox'
import {
  amountField,
  currencyField,
  dayField,
  emailField,
  enumField,
  idField,
  named,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  patternField,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { PAYOUT_METHODS } from '../../tenants/publishers/index.ts'
import type { Destination } from './destination.ts'
import type { RedemptionStep } from './queries.ts'
import { METHOD_DESCRIPTION, REDEMPTION } from './redemption.ts'
import { STATUSES } from './rules.ts'

export const RedemptionParams = Type.Object({ redemption_id: idField('The redemption.') })
export const UserParams = Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") })

export const NewRedemptionSchema = namedStrictObject('NewRedemption', {
  publisher_user_id: idField("The publisher's ID for the user."),
  amount: Type.Optional(amountField('Amount to redeem.')),
  all: Type.Optional(
    Type.Literal(true, { description: 'Redeems everything available in the currency, instead of an amount.' }),
  ),
  currency: Type.Optional(currencyField('Selects the balance to redeem from; defaults to your default currency.')),
  method: named('PayoutMethod', enumField(PAYOUT_METHODS, METHOD_DESCRIPTION)),
  offer_uid: Type.Optional(
    idField('For gift_card: the offer of the card. The amount must be one of its denominations.'),
  ),
  external_ref: Type.Optional(
    idField('Your reference for the request, unique per user. A repeat returns the outcome of the first request.'),
  ),
})

export const RedemptionQuery = strictObject({
  publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
  status: Type.Optional(enumField(STATUSES, 'Only redemptions with this status.')),
  method: Type.Optional(enumField(PAYOUT_METHODS, 'Only redemptions with this method.')),
  external_ref: Type.Optional(idField('Your reference for the request.')),
  start_date: Type.Optional(dayField('First day of the request, inclusive.')),
  end_date: Type.Optional(dayField('Last day of the request, inclusive.')),
  ...pageQuery,
})

export const OutcomeSchema = namedStrictObject('RedemptionOutcome', {
  status: enumField(['paid', 'failed', 'returned'], 'failed: never paid. returned: paid, but the money came back.'),
  reason: Type.Optional(
    enumField(
      ['destination_invalid', 'not_paid'],
      'Why it was not paid; defaults to not_paid. destination_invalid also removes the destination.',
    ),
  ),
  message: Type.Optional(textField(500, 'Additional human-readable details.')),
  payout_reference: Type.Optional(textField(255, 'Your reference for the payment.')),
})

/**
 * A webhook response that reports an outcome. It must include the redemption's ID, so that a receiver's own status is
 * not mistaken for an outcome.
 */
export const OutcomeAnswerSchema = strictObject({
  redemption_id: idField('The redemption.'),
  ...OutcomeSchema.properties,
})

export const RedemptionWithStepsSchema = namedObject('RedemptionWithSteps', {
  ...REDEMPTION.schema.properties,
  destination: nullable(Type.String()),
  steps: Type.Array(
    namedObject('RedemptionStep', {
      status: enumField(STATUSES),
      at: Type.String({ description: 'When the redemption entered this status; RFC 3339.' }),
      by: Type.String({ description: 'Who caused the change: publisher, laurel, bank, or operator.' }),
    }),
    { description: 'All statuses so far, oldest first.' },
  ),
})

const ACTORS: readonly string[] = ['publisher', 'laurel', 'bank']

/** Publishers never see which operator approved a redemption. */
export function presentSteps(steps: readonly RedemptionStep[]) {
  return steps.map(({ status, at, actor }) => ({
    status,
    at: at.toISOString(),
    by: ACTORS.includes(actor) ? actor : 'operator',
  }))
}

const holderName = textField(140, 'Name of the account holder.')

/** The kinds of destination. Required members for each kind are checked after the shape. */
export const NewDestinationSchema = namedStrictObject('NewPayoutDestination', {
  type: enumField(['us_bank_account', 'iban', 'email'], 'email: for publishers that pay to an email address.'),
  holder_name: Type.Optional(holderName),
  routing_number: Type.Optional(
    patternField('^\\d{9}$', 'an ABA routing number of nine digits', {
      examples: ['021000021'],
      description: 'ABA routing number, for us_bank_account.',
    }),
  ),
  account_number: Type.Optional(
    patternField('^\\d{4,17}$', 'an account number of 4 to 17 digits', {
      description: 'Account number, for us_bank_account.',
    }),
  ),
  account_type: Type.Optional(enumField(['checking', 'savings'], 'For us_bank_account. Defaults to checking.')),
  iban: Type.Optional(textField(42, 'For iban. Spaces are ignored.')),
  bic: Type.Optional(textField(11, 'For iban; required by some banks.')),
  email: Type.Optional(emailField()),
})
type NewDestination = Static<typeof NewDestinationSchema>

const NEEDED = {
  us_bank_account: ['holder_name', 'routing_number', 'account_number'],
  iban: ['holder_name', 'iban'],
  email: ['email'],
} as const
const ALLOWED: Readonly<Record<NewDestination['type'], readonly string[]>> = {
  us_bank_account: [...NEEDED.us_bank_account, 'account_type'],
  iban: [...NEEDED.iban, 'bic'],
  email: NEEDED.email,
}

/** Returns the first member that is missing or not allowed for the kind of destination; null if there is none. */
export function findDestinationFault(
  body: NewDestination,
): { readonly field: string; readonly message: string } | null {
  const given = Object.keys(body).filter((name) => name !== 'type')
  const missing = NEEDED[body.type].find((name) => !given.includes(name))
  if (missing !== undefined) return { field: missing, message: `is required for a destination of type ${body.type}` }
  const strange = given.find((name) => !ALLOWED[body.type].includes(name))
  return strange === undefined
    ? null
    : { field: strange, message: `is not allowed for a destination of type ${body.type}` }
}

/** Converts a body for which `findDestinationFault` returns null. */
export function toDestination(body: NewDestination): Destination {
  const { type, holder_name: name = '', iban = '', bic = null, email = '' } = body
  if (type === 'email') return { type, email }
  if (type === 'iban')
    return { type, holderName: name, iban: iban.replaceAll(' ', '').toUpperCase(), bic: bic?.toUpperCase() ?? null }
  const { routing_number: routingNumber = '', account_number: accountNumber = '', account_type = 'checking' } = body
  return { type, holderName: name, routingNumber, accountNumber, accountType: account_type }
}
