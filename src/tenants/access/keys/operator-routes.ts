import Type, { type Static } from 'typebox'
import { isInstant } from '../../../platform/calendar.ts'
import { parseRange } from '../../../platform/http/callers/caller-address.ts'
import type { KeyLimits } from '../../../platform/http/callers/key-limits.ts'
import { enumField, idField, instantField, namedStrictObject, textField } from '../../../platform/http/index.ts'
import { getPublisher, SCOPES } from '../../publishers/index.ts'
import { faultAt, PublisherParams, parsePublisherId } from '../ids.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import type { OperatorOperation } from '../operator-operations.ts'
import { API_KEY, CREATED_KEY } from './api-key.ts'
import { createKeyAs, revokeKeyAs } from './audited-keys.ts'
import { listApiKeys } from './queries.ts'

const RANGES_MAX = 50

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

/** Registers the routes for publishers' API keys, equivalent to `laurel keys`. */
export function keyRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  operation('GET /operator/publishers/:publisher_id/keys', {
    config: { permission: 'keys:read' },
    id: 'listKeys',
    summary: "List a publisher's keys, oldest first",
    description: 'Includes revoked keys. Only the prefix and last four characters of a key are stored.',
    params: PublisherParams,
    answer: Type.Object({ content: Type.Array(API_KEY.schema) }),
    example: { content: [API_KEY.example] },
    refusals: ['publisher_not_found'],
    handler: async ({ params }) => {
      const { id } = await getPublisher(db.reader, parsePublisherId(params.publisher_id))
      return { content: (await listApiKeys(db.reader, id)).map(API_KEY.present) }
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
    answer: CREATED_KEY.schema,
    example: { ...CREATED_KEY.example, addresses: null },
    refusals: ['publisher_not_found'],
    handler: async ({ params, body, actor }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      const asked = { publisherId, scopes: body.scopes ?? null, limits: limitsIn(body, clock.now()) }
      return CREATED_KEY.present(await db.transaction((tx) => createKeyAs(tx, asked, actor, clock.now())))
    },
  })

  operation('DELETE /operator/publishers/:publisher_id/keys/:key_id', {
    config: { permission: 'keys:change' },
    id: 'revokeKey',
    summary: 'Revoke a key immediately and permanently',
    description: 'Requests in progress complete; all later ones are refused.',
    params: Type.Object({ ...PublisherParams.properties, key_id: idField('The key (key_…).') }),
    answer: API_KEY.schema,
    example: { ...API_KEY.example, revoked_at: '2026-11-22T08:00:00.000Z' },
    refusals: ['publisher_not_found', 'key_not_found'],
    handler: async ({ params, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      return once(async (tx) =>
        API_KEY.present(await revokeKeyAs(tx, { keyUid: params.key_id, publisherId }, actor, clock.now())),
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
