import Type from 'typebox'
import {
  enumField,
  namedObject,
  namedStrictObject,
  patternField,
  strictObject,
  textField,
} from '../../../platform/http/index.ts'
import { decodeId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { AccountRefusal } from '../errors.ts'
import { PASSKEY, type PasskeyId } from './passkey.ts'

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
export const PasskeysSchema = namedObject('PasskeyList', {
  origin: Type.String({ description: 'Origin where passkeys are created and used: scheme, host and port.' }),
  content: Type.Array(PASSKEY.schema, {
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
