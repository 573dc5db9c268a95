import { id, instant, text } from '../../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import type { AccountId } from '../account.ts'

export const PASSKEY = resource(
  'Passkey',
  {
    passkey_id: id('psk', { example: 'psk_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the passkey.' }),
    name: text({ example: 'Phone', description: "The person's name for the device." }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    last_used_at: instant({
      nullable: true,
      example: '2026-11-22T08:00:00.000Z',
      description: 'When the passkey was last used to sign in, or null if it has not been used yet. RFC 3339.',
    }),
  },
  {
    accountId: column<AccountId>(),
    /** Base64url, like `publicKey`. */
    credentialId: column<string>(),
    publicKey: column<string>(),
    transports: column<readonly string[]>(),
  },
)

export type Passkey = ResourceRow<typeof PASSKEY> & { readonly signCount: number }
export type PasskeyId = Passkey['passkeyId']
