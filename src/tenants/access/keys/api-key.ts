import Type from 'typebox'
import { enumField, nullable } from '../../../platform/http/index.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { day, field, id, instant, text } from '../../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { SCOPES, type Scope } from '../../publishers/index.ts'

const KEY = {
  key_id: id('key', { example: 'key_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the key.' }),
  scopes: field(
    Type.Array(enumField(SCOPES), { description: 'Scopes granted to the key.' }),
    { example: ['users:read'] },
    (scopes: readonly Scope[]) => scopes,
  ),
}
/** The fields of `KeyLimits`. */
const LIMIT_FIELDS = {
  expires_at: instant({
    nullable: true,
    example: null,
    description: 'When the key expires, or null if it never does.',
  }),
  addresses: field(
    nullable(
      Type.Array(Type.String(), {
        description: 'Addresses and CIDR ranges the key works from, or null if unrestricted.',
      }),
    ),
    { property: 'addressRanges', example: ['203.0.113.0/24'] },
    (ranges: readonly string[]) => (ranges.length === 0 ? null : ranges),
  ),
}

/** A publisher's key. */
export const API_KEY = resource(
  'ApiKey',
  {
    key_id: KEY.key_id,
    prefix: text({ example: 'lrl_sandbox_', description: 'Prefix of the key.' }),
    last_four: text({ example: 'x7Qa', description: 'Last four characters of the key.' }),
    scopes: KEY.scopes,
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    revoked_at: instant({
      nullable: true,
      example: null,
      description: 'When it was revoked, or null if it has not been.',
    }),
    last_used_on: day({
      nullable: true,
      example: '2026-11-22',
      description: 'Last day the key was used, yyyy-MM-dd.',
    }),
    ...LIMIT_FIELDS,
  },
  { publisherId: column<PublisherId>() },
)
export type ApiKey = ResourceRow<typeof API_KEY>

/** A new key with its secret. */
export const CREATED_KEY = resource('CreatedApiKey', {
  key_id: KEY.key_id,
  api_key: text({ example: 'lrl_sandbox_…', description: 'The API key. It is only shown once.' }),
  scopes: KEY.scopes,
  ...LIMIT_FIELDS,
})
