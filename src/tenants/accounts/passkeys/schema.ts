import Type, { type Static } from 'typebox'
import {
  enumField,
  namedObject,
  namedStrictObject,
  nullable,
  patternField,
  strictObject,
  textField,
} from '../../../platform/http/index.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { AccountRefusal } from '../errors.ts'
import type { Passkey, PasskeyId } from './queries.ts'

// Devices respond with a few hundred bytes. The specification limits only the identifier, to 1,023 bytes.
const ID_LENGTH_MAX = 1_364
const PART_LENGTH_MAX = 8_192

// The transports defined in WebAuthn, level 3. Clients drop any others that a browser reports.
export const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const base64url = (maxLength: number, description: string) =>
  patternField('^[A-Za-z0-9_-]+$', 'base64url without padding', {
    minLength: 1,
    maxLength,
    description: `${description} In base64url.`,
  })
const credential = {
  credential_id: base64url(ID_LENGTH_MAX, 'The `id` of the credential.'),
  client_data: base64url(PART_LENGTH_MAX, 'Its `response.clientDataJSON`.'),
}
const nameField = textField(100, "The person's name for the device.")

export const OptionsSchema = namedObject('PasskeyOptions', {
  options: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Options for the browser's request to a device, in the form that `PublicKeyCredential.parse…OptionsFromJSON` accepts.",
    },
  ),
})
export const NewPasskeySchema = namedStrictObject('NewPasskey', {
  name: nameField,
  ...credential,
  attestation_object: base64url(PART_LENGTH_MAX, 'Its `response.attestationObject`.'),
  transports: Type.Array(enumField(TRANSPORTS), {
    maxItems: 10,
    description: 'How the browser reaches the device, as returned by `response.getTransports()`.',
  }),
})
export const PasskeySignInSchema = namedStrictObject('PasskeySignIn', {
  ...credential,
  authenticator_data: base64url(PART_LENGTH_MAX, 'Its `response.authenticatorData`.'),
  signature: base64url(PART_LENGTH_MAX, 'Its `response.signature`.'),
})
export const PasskeyNameSchema = namedStrictObject('PasskeyName', { name: nameField })
export const PasskeyParams = strictObject({
  passkey_id: Type.String({ maxLength: 40, description: 'ID of the passkey.' }),
})
export const PasskeySchema = namedObject('Passkey', {
  passkey_id: Type.String({ description: 'ID of the passkey.' }),
  name: Type.String({ description: "The person's name for the device." }),
  created_at: Type.String(),
  last_used_at: nullable(
    Type.String({
      description: 'When the passkey was last used to sign in, or null if it has not been used yet. RFC 3339.',
    }),
  ),
})
export const PasskeysSchema = namedObject('PasskeyList', {
  origin: Type.String({ description: 'Origin where passkeys are created and used: scheme, host and port.' }),
  content: Type.Array(PasskeySchema, {
    description: 'Passkeys of the account, in the order they were added.',
  }),
})

/**
 * Parses a passkey ID.
 * @throws Refusal passkey_not_found if it is malformed
 */
export function parsePasskeyId(uid: string): PasskeyId {
  const passkeyId = decodeId<'passkey'>('psk', uid)
  if (passkeyId === null) throw new Refusal<AccountRefusal>('passkey_not_found', 'You have no such passkey.')
  return passkeyId
}

export function presentPasskey({ passkeyId, name, createdAt, lastUsedAt }: Passkey): Static<typeof PasskeySchema> {
  return {
    passkey_id: encodeId('psk', passkeyId),
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}

export const passkeyExample: Static<typeof PasskeySchema> = {
  passkey_id: 'psk_01kbjyt5v3f4nvj5yq5yfypr9v',
  name: 'Phone',
  created_at: '2026-11-21T10:15:30.000Z',
  last_used_at: '2026-11-22T08:00:00.000Z',
}
const credentialExample = {
  credential_id: 'q6ZyKqpDf3Jb2P1tTnWb8w',
  client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
}
export const newPasskeyExample = {
  name: 'Phone',
  ...credentialExample,
  attestation_object: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
  transports: ['internal'],
}
export const signedExample = {
  ...credentialExample,
  authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  signature: 'MEUCIQDl0Q',
}
