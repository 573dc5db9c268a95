import Type, { type Static } from 'typebox'
import {
  emailField,
  enumField,
  namedObject,
  namedStrictObject,
  nullable,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type AccountId, ROLES } from './account.ts'
import type { AccountRefusal } from './errors.ts'
import { LENGTH_MAX } from './passwords.ts'
import type { Person } from './people-queries.ts'
import type { ListedSession } from './session-queries.ts'

const passwordField = (description: string) => Type.String({ minLength: 1, maxLength: LENGTH_MAX, description })
const tokenField = (description: string) => Type.String({ minLength: 20, maxLength: 100, description })
const codeField = (description: string) => Type.String({ minLength: 6, maxLength: 20, description })

export const SignInSchema = namedStrictObject('SignIn', {
  email: emailField(),
  password: passwordField('The password.'),
})
export const SignInStateSchema = namedObject('SignInState', {
  state: enumField(
    ['signed_in', 'second_factor'],
    'second_factor: a code from the authenticator app is also required.',
  ),
})
export const CodeSchema = namedStrictObject('SecondFactor', {
  code: codeField('A code from the authenticator app, or a backup code.'),
})
export const EntrySchema = namedStrictObject('Entry', { token: tokenField('The part of the link after the #.') })
export const InvitationSchema = namedStrictObject('InvitationAcceptance', {
  token: tokenField('The token from the link in the e-mail.'),
  name: textField(100, 'Name of the person.'),
  password: passwordField('Password of at least 12 characters.'),
})
export const ResetRequestSchema = namedStrictObject('PasswordResetRequest', { email: emailField() })
export const ResetSchema = namedStrictObject('PasswordReset', {
  token: tokenField('The token from the link in the e-mail.'),
  password: passwordField('New password, at least 12 characters.'),
})
export const PasswordSchema = namedStrictObject('PasswordChange', {
  current_password: Type.Optional(passwordField('Current password, if one is set.')),
  password: passwordField('New password, at least 12 characters.'),
})
export const DoneSchema = namedObject('Done', {
  done: Type.Literal(true, { description: 'Always true: the request succeeded.' }),
})

export const MeSchema = namedObject('SignedInPerson', {
  account_id: Type.String({ description: 'ID of the account.' }),
  session_id: Type.String({ description: 'ID of this session.' }),
  kind: enumField(
    ['operator', 'publisher'],
    'operator: belongs to the operating company. publisher: belongs to one publisher.',
  ),
  publisher_id: nullable(
    Type.String({ description: 'The publisher, or null if the person belongs to the operating company.' }),
  ),
  email: Type.String(),
  name: Type.String({ description: 'Name of the person.' }),
  role: enumField(ROLES, "The person's role."),
  has_password: Type.Boolean({ description: 'False if the person signed in with a link and should set a password.' }),
  has_totp: Type.Boolean({ description: 'Whether each sign-in requires an authenticator app.' }),
  backup_codes: Type.Integer({ description: 'Number of backup codes left.' }),
})

export const TotpSchema = namedObject('AuthenticatorSetup', {
  secret: Type.String({ description: 'Secret for the authenticator app, in base 32. Shown only once.' }),
  otpauth_uri: Type.String({ description: 'The same secret as a URI that authenticator apps can open.' }),
  qr_svg: Type.String({ description: 'The same secret as a QR code in SVG.' }),
})
export const BackupCodesSchema = namedObject('BackupCodes', {
  backup_codes: Type.Array(Type.String(), {
    description: 'Single-use codes, each accepted in place of a code from the app. Shown only once.',
  }),
})

export const SessionParams = strictObject({
  session_id: Type.String({ maxLength: 40, description: 'ID of the session.' }),
})
export const SessionsSchema = namedObject('SessionList', {
  content: Type.Array(
    namedObject('Session', {
      session_id: Type.String({ description: 'ID of the session.' }),
      is_present: Type.Boolean({ description: 'True if this is the session making the request.' }),
      created_at: Type.String(),
      last_used_at: Type.String({ description: 'Time of the last request, to the minute; RFC 3339.' }),
      expires_at: Type.String({ description: 'When the session ends, regardless of use; RFC 3339.' }),
      address: Type.String({ description: 'The address the session was opened from.' }),
      user_agent: Type.String({ description: 'The user agent that the browser reports.' }),
    }),
    { description: 'Sessions that have not ended, most recently used first.' },
  ),
})

export function presentSession(
  session: ListedSession,
  present: string,
): Static<typeof SessionsSchema>['content'][number] {
  return {
    session_id: encodeId('ses', session.sessionId),
    is_present: session.sessionId === present,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    address: session.address,
    user_agent: session.userAgent,
  }
}

export const AccountParams = strictObject({
  account_id: Type.String({ maxLength: 40, description: 'ID of the account.' }),
})
export const PersonSchema = namedObject('Person', {
  account_id: Type.String({ description: 'ID of the account.' }),
  publisher_id: nullable(
    Type.String({ description: 'The publisher, or null if the person belongs to the operating company.' }),
  ),
  email: Type.String(),
  name: Type.String({ description: 'Name of the person.' }),
  role: enumField(ROLES, "The person's role."),
  status: enumField(['invited', 'active', 'disabled'], 'invited: no password has been set yet.'),
  has_totp: Type.Boolean({ description: 'Whether each sign-in requires an authenticator app.' }),
  created_at: Type.String(),
  last_used_at: nullable(Type.String({ description: 'Last request of a session that has not ended; RFC 3339.' })),
})
export const PeopleSchema = namedObject('PersonList', {
  content: Type.Array(PersonSchema, { description: 'People, in the order they were invited.' }),
})

/**
 * Parses an account ID.
 * @throws Refusal account_not_found if it is malformed
 */
export function parseAccountId(uid: string): AccountId {
  const accountId = decodeId<'account'>('acc', uid)
  if (accountId === null) throw new Refusal<AccountRefusal>('account_not_found', 'There is no such account.')
  return accountId
}

export function presentPerson(person: Person): Static<typeof PersonSchema> {
  const { accountId, publisherId, email, name, role, hasPassword, hasTotp, createdAt, disabledAt, lastUsedAt } = person
  return {
    account_id: encodeId('acc', accountId),
    publisher_id: publisherId === null ? null : encodeId('pub', publisherId),
    email,
    name,
    role,
    status: disabledAt !== null ? 'disabled' : hasPassword ? 'active' : 'invited',
    has_totp: hasTotp,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}

export const personExample: Static<typeof PersonSchema> = {
  account_id: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_id: null,
  email: 'mara@example.com',
  name: 'Mara Rossi',
  role: 'support',
  status: 'active',
  has_totp: true,
  created_at: '2026-11-21T10:15:30.000Z',
  last_used_at: '2026-11-22T08:00:00.000Z',
}
