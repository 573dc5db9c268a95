import Type, { type Static } from 'typebox'
import { isInstant } from '../../platform/calendar.ts'
import { parseRange } from '../../platform/http/callers/caller-address.ts'
import { type KeyLimits, presentLimits } from '../../platform/http/callers/key-limits.ts'
import {
  enumField,
  idField,
  instantField,
  namedObject,
  namedStrictObject,
  nullable,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { type ApiKey, faultAt, getPublisher, listApiKeys, PublisherParams, SCOPES } from '../publishers/index.ts'
import { createKeyAs, revokeKeyAs } from './api-keys.ts'
import { parsePublisherId } from './ids.ts'
import type { OperatorDeps } from './operator-deps.ts'
import type { OperatorOperation } from './operator-operations.ts'

const RANGES_MAX = 50

const limitMembers = {
  expires_at: nullable(Type.String({ description: 'When the key expires, or null if it never does.' })),
  addresses: nullable(
    Type.Array(Type.String(), {
      description: 'Addresses and CIDR ranges the key works from, or null if unrestricted.',
    }),
  ),
}
const KeySchema = namedObject('ApiKey', {
  key_id: Type.String({ description: 'ID of the key.' }),
  prefix: Type.String({ description: 'Prefix of the key.' }),
  last_four: Type.String({ description: 'Last four characters of the key.' }),
  scopes: Type.Array(enumField(SCOPES), { description: 'Scopes granted to the key.' }),
  created_at: Type.String(),
  revoked_at: nullable(Type.String({ description: 'When it was revoked, or null if it has not been.' })),
  last_used_on: nullable(Type.String({ description: 'Last day the key was used, yyyy-MM-dd.' })),
  ...limitMembers,
})
const CreatedKeySchema = namedObject('CreatedApiKey', {
  key_id: Type.String({ description: 'ID of the key.' }),
  api_key: Type.String({ description: 'The API key. It is only shown once.' }),
  scopes: Type.Array(enumField(SCOPES), { description: 'Scopes granted to the key.' }),
  ...limitMembers,
})
const NewKeySchema = namedStrictObject('NewApiKey', {
  scopes: Type.Optional(
    Type.Array(enumField(SCOPES), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'Scopes of the key. Defaults to all scopes.',
    }),
  ),
  expires_at: Type.Optional(instantField('When the key expires.')),
  addresses: Type.Optional(
    Type.Array(textField(64, 'An address or a CIDR range.'), {
      minItems: 1,
      maxItems: RANGES_MAX,
      description: 'Addresses and CIDR ranges the key can be used from. Defaults to all.',
    }),
  ),
})

const example: Static<typeof KeySchema> = {
  key_id: 'key_01kbjyt5v3f4nvj5yq5yfypr9v',
  prefix: 'lrl_sandbox_',
  last_four: 'x7Qa',
  scopes: ['users:read'],
  created_at: '2026-11-21T10:15:30.000Z',
  revoked_at: null,
  last_used_on: '2026-11-22',
  expires_at: null,
  addresses: ['203.0.113.0/24'],
}

/** Registers the routes for publishers' API keys, equivalent to `laurel keys`. */
export function keyRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  operation('GET /operator/publishers/:publisher_id/keys', {
    config: { permission: 'keys:read' },
    id: 'listKeys',
    summary: "List a publisher's keys, oldest first",
    description: 'Includes revoked keys. Only the prefix and last four characters of a key are stored.',
    params: PublisherParams,
    answer: Type.Object({ content: Type.Array(KeySchema) }),
    example: { content: [example] },
    refusals: ['publisher_not_found'],
    handler: async ({ params }) => {
      const { id } = await getPublisher(db.reader, parsePublisherId(params.publisher_id))
      return { content: (await listApiKeys(db.reader, id)).map(presentKey) }
    },
  })

  operation('POST /operator/publishers/:publisher_id/keys', {
    config: { permission: 'keys:change' },
    id: 'createKey',
    summary: 'Create a key for a publisher',
    description:
      'The key is returned only in this response; only its hash is stored. The response is therefore not stored either, and a repeated request creates another key.',
    params: PublisherParams,
    body: NewKeySchema,
    bodyExample: { scopes: ['users:read', 'transactions:read'] },
    answer: CreatedKeySchema,
    example: {
      key_id: example.key_id,
      api_key: 'lrl_sandbox_…',
      scopes: example.scopes,
      expires_at: null,
      addresses: null,
    },
    refusals: ['publisher_not_found'],
    handler: async ({ params, body, actor }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      const limits = limitsIn(body, clock.now())
      const asked = { publisherId, scopes: body.scopes ?? null, limits }
      const key = await db.transaction((tx) => createKeyAs(tx, asked, actor, clock.now()))
      const { expires_at, addresses } = presentLimits(limits)
      return {
        key_id: encodeId('key', key.keyId),
        api_key: key.apiKey,
        scopes: [...key.scopes],
        expires_at,
        addresses: addresses === null ? null : [...addresses],
      }
    },
  })

  operation('DELETE /operator/publishers/:publisher_id/keys/:key_id', {
    config: { permission: 'keys:change' },
    id: 'revokeKey',
    summary: 'Revoke a key immediately and permanently',
    description: 'Requests in progress complete; all later ones are refused.',
    params: Type.Object({ ...PublisherParams.properties, key_id: idField('The key (key_…).') }),
    answer: KeySchema,
    example: { ...example, revoked_at: '2026-11-22T08:00:00.000Z' },
    refusals: ['publisher_not_found', 'key_not_found'],
    handler: async ({ params, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      return once(async (tx) =>
        presentKey(await revokeKeyAs(tx, { keyUid: params.key_id, publisherId }, actor, clock.now())),
      )
    },
  })
}

function limitsIn({ expires_at, addresses = [] }: Static<typeof NewKeySchema>, now: Date): KeyLimits {
  const expiresAt = expires_at === undefined || !isInstant(expires_at) ? null : new Date(expires_at)
  if (expiresAt !== null && expiresAt <= now) throw faultAt('expires_at', 'must be in the future')
  const addressRanges = addresses.map((text, index) => {
    const range = parseRange(text)
    if (range === null)
      throw faultAt(`addresses.${index}`, 'must be an address or a CIDR range, such as 203.0.113.0/24')
    return range
  })
  return { expiresAt, addressRanges }
}

function presentKey(key: ApiKey): Static<typeof KeySchema> {
  const { expires_at, addresses } = presentLimits(key)
  return {
    key_id: encodeId('key', key.keyId),
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_on: key.lastUsedOn,
    expires_at,
    addresses: addresses === null ? null : [...addresses],
  }
}
