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
import { field, instant, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { getCurrencies, type Publisher } from '../../tenants/publishers/index.ts'
import { STATUSES } from './rules.ts'
import { USER, type UserWithStatus } from './user.ts'

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

/** A user as represented in events. */
export const UserOfEventSchema = namedObject('VersionedUser', {
  ...USER.schema.properties,
  version: Type.Integer(),
})

/** A user's balances in one currency. */
export const ACCOUNT = resource('Account', {
  currency: text({ example: 'USD' }),
  pending_cashback: money({ property: 'pending', example: 3.5 }),
  available_cashback: money({ property: 'available', example: 12 }),
  total_earned_cashback: money({
    property: 'earnedTotal',
    example: 15.5,
    description: 'All rewards ever earned, including pending ones, minus reversals.',
  }),
  debt: money({ example: 0, description: 'Cashback reversed after it was spent. Future rewards repay it first.' }),
  redeemed_cashback: money({ property: 'redeemedTotal', example: 0 }),
})
export const AccountsSchema = Type.Array(ACCOUNT.schema, {
  description:
    "The user's account in each of your currencies, starting with the default. Amounts are never converted between them.",
})

const description = 'In your first currency.'
const USER_STATUS = resource('UserStatus', {
  publisher_user_id: text({ example: 'user-1' }),
  email: text({ nullable: true, example: 'ada@example.com' }),
  account_status: oneOf(STATUSES, { property: 'status', example: 'ACTIVE' }),
  pending_cashback: money({ property: 'pending', example: 3.5, description }),
  available_cashback: money({ property: 'available', example: 12, description }),
  total_earned_cashback: money({ property: 'earnedTotal', example: 15.5, description }),
  accounts: field(
    AccountsSchema,
    { example: [ACCOUNT.example] },
    (accounts: Static<typeof AccountsSchema>) => accounts,
  ),
})
export const { schema: UserStatusSchema, example: statusExample } = USER_STATUS

export const ACCEPTED_TERMS = resource('AcceptedTerms', {
  tnc_id: integer({ property: 'documentId', example: 1 }),
  url: text({ example: 'https://example.com/terms', description: 'URL of the document.' }),
  revision: text({ example: '2026-11', description: 'Version of the document.' }),
  accepted_at: instant({
    example: '2026-11-21T10:15:30.000Z',
    description: 'When it was accepted, in RFC 3339 format.',
  }),
})

export const AcceptedSchema = namedObject('TermsAcceptance', {
  publisher_user_id: Type.String(),
  email: nullable(Type.String()),
  account_status: enumField(STATUSES),
})

export function presentStatus(
  publisher: Publisher,
  { user, status }: UserWithStatus,
  wallet?: Wallet,
): Static<typeof UserStatusSchema> {
  const { currency } = publisher
  const row = { ...user, ...getBalances(currency, wallet), currency, status }
  return USER_STATUS.present({ ...row, accounts: presentAccounts(publisher, wallet) })
}

type PresentedAccount = Static<typeof ACCOUNT.schema>

/** Returns a user's accounts, starting with the publisher's default currency. */
export function presentAccounts(publisher: Publisher, wallet?: Wallet): [PresentedAccount, ...PresentedAccount[]] {
  const shown = getCurrencies(publisher).map((currency) =>
    ACCOUNT.present({ currency, ...getBalances(currency, wallet) }),
  )
  return shown as [PresentedAccount, ...PresentedAccount[]]
}

const getBalances = (currency: string, wallet?: Wallet) => wallet?.get(currency) ?? noBalances
