import { createHash } from 'node:crypto'
import { encodeId, type Id, type PublisherId, type UserId } from '../../platform/ids.ts'
import { toCanonicalJson } from '../../platform/text/canonical-json.ts'

export type ErasureId = Id<'erasure'>

export type Erasure = {
  readonly erasureId: ErasureId
  readonly userId: UserId
  readonly publisherId: PublisherId
  readonly pseudonym: string
  readonly requestedAt: Date
  /** The API key or the person that requested it. */
  readonly requestedBy: string
  readonly recordedAt: Date
  /** The salt for the references that replace identifiers; null until they are replaced. */
  readonly salt: Buffer | null
  /** Number of rows changed or deleted, by table. */
  readonly counts: Readonly<Record<string, number>>
  readonly doneAt: Date | null
  readonly sha256: Buffer | null
}

/**
 * An erasure usually takes seconds. The limit allows for an unreachable provider: its tokens are destroyed shortly
 * before the limit is reached.
 */
export const BOUND_HOURS = 24

/** Computes the hash that proves an erasure. Anyone can recompute it from the API response. */
export function computeProof(erasure: Omit<Erasure, 'sha256' | 'salt' | 'recordedAt'>): Buffer {
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
