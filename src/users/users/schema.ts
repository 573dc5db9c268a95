import Type, { type Static } from 'typebox'
import { noBalances, type Wallet } from '../../ledger/index.ts'
import {
  emailField,
  enumField,
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  postalCodeField,
  strictObject,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { getCurrencies, type Publisher } from '../../tenants/publishers/index.ts'
import type { User } from './queries.ts'
import type { AccountStatus } from './rules.ts'

/** A user and their status at the time of the request. */
export type UserWithStatus = { readonly user: User; readonly status: AccountStatus }

const publisherUserId = idField("The publisher's ID for the user.")
/** Attributes are sent either as an object or as JSON text. */
const attributes = Type.Unsafe<Record<string, unknown> | string>({
  type: ['object', 'string'],
  description: 'Free-form JSON object (or its JSON text), at most 16 KiB and 5 levels deep.',
})

export const UserParams = Type.Object({ publisher_user_id: publisherUserId })

export const DeleteQuery = strictObject({
  pending: Type.Optional(enumField(['true', 'false'], 'If true, a PENDING user is also deactivated.')),
})

export const NewUserSchema = namedStrictObject('NewUser', {
  publisher_user_id: publisherUserId,
  email: Type.Optional(emailField()),
  primary_zip_code: Type.Optional(postalCodeField('Home postal code, used to find local offers.')),
  attributes: Type.Optional(attributes),
})

export const UserChangesSchema = namedStrictObject(
  'UserChanges',
  {
    email: Type.Optional(nullable(emailField())),
    primary_zip_code: Type.Optional(nullable(postalCodeField('Home postal code, used to find local offers.'))),
    attributes: Type.Optional(
      Type.Unsafe<Record<string, unknown> | string | null>({ type: ['object', 'string', 'null'] }),
    ),
  },
  { minProperties: 1 },
)

const status = enumField(['ACTIVE', 'INACTIVE', 'PENDING'])

// The API's own format has a colon before Z. RFC 3339 has none.
const TIMESTAMP = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d:?Z$'
const FORMAT =
  'UTC, such as 2026-11-21T10:15:30:Z; with the publisher setting timestamp_format rfc3339, 2026-11-21T10:15:30Z.'

export const UserSchema = namedObject('User', {
  svc_user_id: Type.String(),
  publisher_user_id: Type.String(),
  email: nullable(Type.String()),
  primary_zip_code: nullable(Type.String()),
  // INVALID appears only in the response that deletes the user.
  account_status: enumField(['ACTIVE', 'INACTIVE', 'PENDING', 'INVALID']),
  attributes: nullable(Type.String({ description: 'The attributes as JSON text.' })),
  created_at: Type.String({ pattern: TIMESTAMP, description: `When the user was created. ${FORMAT}` }),
  updated_at: Type.String({ pattern: TIMESTAMP, description: `When the user was last changed. ${FORMAT}` }),
})

/** A user as represented in events. */
export const UserOfEventSchema = namedObject('VersionedUser', { ...UserSchema.properties, version: Type.Integer() })

/** A user's balances in one currency. */
export const AccountSchema = namedObject('Account', {
  currency: Type.String(),
  pending_cashback: Type.Number(),
  available_cashback: Type.Number(),
  total_earned_cashback: Type.Number({
    description: 'All rewards ever earned, including pending ones, minus reversals.',
  }),
  debt: Type.Number({ description: 'Cashback reversed after it was spent. Future rewards repay it first.' }),
  redeemed_cashback: Type.Number(),
})
export const accountExample: Static<typeof AccountSchema> = {
  currency: 'USD',
  pending_cashback: 3.5,
  available_cashback: 12,
  total_earned_cashback: 15.5,
  debt: 0,
  redeemed_cashback: 0,
}
export const AccountsSchema = Type.Array(AccountSchema, {
  description:
    "The user's account in each of your currencies, starting with the default. Amounts are never converted between them.",
})

export const UserStatusSchema = namedObject('UserStatus', {
  publisher_user_id: Type.String(),
  email: nullable(Type.String()),
  account_status: status,
  pending_cashback: Type.Number({ description: 'In your first currency.' }),
  available_cashback: Type.Number({ description: 'In your first currency.' }),
  total_earned_cashback: Type.Number({ description: 'In your first currency.' }),
  accounts: AccountsSchema,
})

export const AcceptedTermsSchema = namedObject('AcceptedTerms', {
  tnc_id: Type.Integer(),
  url: Type.String({ description: 'URL of the document.' }),
  revision: Type.String({ description: 'Version of the document.' }),
  accepted_at: Type.String({ description: 'When it was accepted, in RFC 3339 format.' }),
})
export const acceptedTermsExample: Static<typeof AcceptedTermsSchema> = {
  tnc_id: 1,
  url: 'https://example.com/terms',
  revision: '2026-11',
  accepted_at: '2026-11-21T10:15:30.000Z',
}

export const AcceptedSchema = namedObject('TermsAcceptance', {
  publisher_user_id: Type.String(),
  email: nullable(Type.String()),
  account_status: status,
})

export function presentUser(
  publisher: Publisher,
  { user, status }: { readonly user: User; readonly status: AccountStatus | 'INVALID' },
): Static<typeof UserSchema> {
  return {
    svc_user_id: encodeId('usr', user.userId),
    publisher_user_id: user.publisherUserId,
    email: user.email,
    primary_zip_code: user.primaryZipCode,
    account_status: status,
    attributes: user.attributes,
    created_at: timestamp(publisher, user.createdAt),
    updated_at: timestamp(publisher, user.updatedAt),
  }
}

export function presentStatus(
  publisher: Publisher,
  { user, status }: UserWithStatus,
  wallet?: Wallet,
): Static<typeof UserStatusSchema> {
  const accounts = presentAccounts(publisher, wallet)
  const [{ pending_cashback, available_cashback, total_earned_cashback }] = accounts
  return {
    publisher_user_id: user.publisherUserId,
    email: user.email,
    account_status: status,
    pending_cashback,
    available_cashback,
    total_earned_cashback,
    accounts,
  }
}

type PresentedAccount = Static<typeof AccountSchema>

/** Returns a user's accounts, starting with the publisher's default currency. */
export function presentAccounts(publisher: Publisher, wallet?: Wallet): [PresentedAccount, ...PresentedAccount[]] {
  const shown = getCurrencies(publisher).map((currency): PresentedAccount => {
    const balances = wallet?.get(currency) ?? noBalances
    const amount = (minor: bigint): number => toJsonNumber(minor, currency)
    return {
      currency,
      pending_cashback: amount(balances.pending),
      available_cashback: amount(balances.available),
      total_earned_cashback: amount(balances.earnedTotal),
      debt: amount(balances.debt),
      redeemed_cashback: amount(balances.redeemedTotal),
    }
  })
  return shown as [PresentedAccount, ...PresentedAccount[]]
}

/**
 * Formats an instant in UTC, in the API's own format (yyyy-MM-dd'T'HH:mm:ss:z with z written Z), or in RFC 3339 if the
 * publisher chose that.
 */
function timestamp(publisher: Publisher, instant: Date): string {
  const seconds = instant.toISOString().slice(0, 19)
  return publisher.timestampFormat === 'rfc3339' ? `${seconds}Z` : `${seconds}:Z`
}
