import { createHash } from 'node:crypto'
import Type from 'typebox'
import { namedObject } from '../../platform/http/index.ts'
import { encodeId, type Id, type PublisherId } from '../../platform/ids.ts'
import { field, hash, id, instant, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { toCanonicalJson } from '../../platform/text/canonical-json.ts'
import { ACCOUNT, AccountsSchema, USER_FIELDS } from '../../users/users/index.ts'

export type ErasureId = Id<'erasure'>

/**
 * An erasure usually takes seconds. The limit allows for an unreachable provider: its tokens are destroyed shortly
 * before the limit is reached.
 */
export const BOUND_HOURS = 24

export const ERASURE = resource(
  'Erasure',
  {
    erasure_id: id('era', { example: 'era_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    svc_user_id: USER_FIELDS.svc_user_id,
    pseudonym: text({
      example: 'erased-019a6c7d-8f00-7c3e-9f2b-6d1a4b8e2c55',
      description: "Pseudonym that replaces the publisher's identifier.",
    }),
    status: oneOf(['under_way', 'done'], { joined: true, example: 'done' }),
    requested_at: instant({ example: '2026-11-21T10:15:30.000Z', description: 'When the erasure was requested.' }),
    requested_by: text({
      example: 'key_01kbjyt5v3f4nvj5yq5yfypr9v',
      description: 'ID of the API key or person that requested the erasure.',
    }),
    due_by: instant({
      joined: true,
      example: '2026-11-22T10:15:30.000Z',
      description: 'Latest time by which the erasure will be completed, in real time. It usually takes seconds.',
    }),
    done_at: instant({
      nullable: true,
      example: '2026-11-21T10:15:32.000Z',
      description: 'When the erasure was completed, or null while it is in progress.',
    }),
    counts: field(
      Type.Record(Type.String(), Type.Integer(), { description: 'Number of rows changed or deleted, by table.' }),
      { example: { cards: 1, events: 14, source_events: 6, transactions: 4, users: 1 } },
      (counts: Readonly<Record<string, number>>) => counts,
    ),
    sha256: hash({
      nullable: true,
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      description:
        'SHA-256 hash of the proof as canonical JSON (RFC 8785), in hexadecimal. The proof consists of erasure_id, svc_user_id, pseudonym, requested_at, requested_by, done_at and counts.',
    }),
    remaining: field(
      namedObject(
        'RemainingBalance',
        { ...ACCOUNT.schema.properties, accounts: AccountsSchema },
        { description: 'Balance that remains in the ledger under the pseudonym. Nobody can redeem it.' },
      ),
      { joined: true, example: { ...ACCOUNT.example, accounts: [ACCOUNT.example] } },
      (remaining: object) => remaining,
    ),
  },
  {
    publisherId: column<PublisherId>(),
    recordedAt: column<Date>(),
    /** The salt for the references that replace identifiers; null until they are replaced. */
    salt: column<Buffer | null>(),
  },
)

export type Erasure = Omit<ResourceRow<typeof ERASURE>, 'remaining'>

/** Computes the hash that proves an erasure. Anyone can recompute it from the API response. */
export function computeProof(erasure: Erasure): Buffer {
  const proof = {
    erasure_id: encodeId('era', erasure.erasureId),
    svc_user_id: encodeId('usr', erasure.userId),
    pseudonym: erasure.pseudonym,
    requested_at: erasure.requestedAt.toISOString(),
    requested_by: erasure.requestedBy,
    done_at: erasure.doneAt?.toISOString() ?? null,
    counts: erasure.counts,
  }
  return createHash('sha256').update(toCanonicalJson(proof)).digest()
}
