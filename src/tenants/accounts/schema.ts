import Type, { type Static } from 'typebox'
import {
  emailField,
  enumField,
  namedObject,
  namedStrictObject,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { boolean, id, integer, oneOf } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { LENGTH_MAX } from './passwords.ts'
import { PERSON } from './people-queries.ts'
import type { ListedSession } from './session-queries.ts'

const passwordField = (description: string) => Type.String({ minLength: 1, maxLength: LENGTH_MAX, description })
const tokenField = (description: string) => Type.String({ minLength: 20, maxLength: 100, description })
const codeField = (description: string) => Type.String({ minLength: 6, maxLength: 20, description })

export const SignInSchema = namedStrictObject('SignIn', {
  email: emailField(),
  password: passwordField('The password.'),
})
/** Shared by the operations that sign in or take a step toward it. */
export const SIGN_IN = {
  open: true,
  answer: namedObject('SignInState', {
    state: enumField(
      ['signed_in', 'second_factor'],
      'second_factor: a code from the authenticator app is also required.',
    ),
  }),
  example: { state: 'signed_in' },
} as const
export const CodeSchema = namedStrictObject('SecondFactor', {
  code: codeField('A code from the authenticator app, or a backup code.'),
})
export const EntrySchema = namedStrictObject('Entry', { token: tokenField('The part of the link after the #.') })
export const InvitationSchema = namedStrictObject('InvitationAcceptance', {
  token: tokenField('The token from the link in the email.'),
  name: textField(100, 'Name of the person.'),
  password: passwordField('Password of at least 12 characters.'),
})
export const ResetRequestSchema = namedStrictObject('PasswordResetRequest', { email: emailField() })
export const ResetSchema = namedStrictObject('PasswordReset', {
  token: tokenField('The token from the link in the email.'),
  password: passwordField('New password, at least 12 characters.'),
})
export const PasswordSchema = namedStrictObject('PasswordChange', {
  current_password: Type.Optional(passwordField('Current password, if one is set.')),
  password: passwordField('New password, at least 12 characters.'),
})
/** Shared by the operations whose response says only that they succeeded. */
export const DONE = {
  answer: namedObject('Done', { done: Type.Literal(true, { description: 'Always true: the request succeeded.' }) }),
  example: { done: true },
} as const

const { account_id, publisher_id, email, name, role, has_totp } = PERSON.fields

export const ME = resource('SignedInPerson', {
  account_id,
  session_id: id('ses', { example: 'ses_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of this session.' }),
  kind: oneOf(['operator', 'publisher'], {
    example: 'operator',
    description: 'operator: belongs to the operating company. publisher: belongs to one publisher.',
  }),
  publisher_id,
  email,
  name,
  role,
  has_password: boolean({
    example: true,
    description: 'False if the person signed in with a link and should set a password.',
  }),
  has_totp,
  backup_codes: integer({ example: 10, description: 'Number of backup codes left.' }),
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
