import { createHash } from 'node:crypto'
import { canonicalJson } from '../platform/canonical-json.ts'
import { encodeId, type Id, type PublisherId, type UserId } from '../platform/ids.ts'

export type ErasureId = Id<'erasure'>

export type Erasure = {
  readonly erasureId: ErasureId
  readonly userId: UserId
  readonly publisherId: PublisherId
  readonly pseudonym: string
  readonly requestedAt: Date
  /** The key with which it was asked for, or the person. */
  readonly requestedBy: string
  readonly recordedAt: Date
  /** Null until references are replaced. */
  readonly salt: Buffer | null
  /** How many rows were changed or deleted, by table. */
  readonly counts: Readonly<Record<string, number>>
  readonly doneAt: Date | null
  readonly sha256: Buffer | null
}

/** Usually it takes seconds: the bound is for a provider that cannot be reached, whose tokens are then destroyed. */
export const BOUND_HOURS = 24

/** What the hash of an erasure is made over: it can be recomputed from the answer. */
export function proofOf(erasure: Omit<Erasure, 'sha256' | 'salt' | 'recordedAt'>): Buffer {
  const proof = {
    erasure_id: encodeId('era', erasure.erasureId),
    svc_user_id: encodeId('usr', erasure.userId),
    pseudonym: erasure.pseudonym,
    requested_at: erasure.requestedAt.toISOString(),
    requested_by: erasure.requestedBy,
    done_at: erasure.doneAt?.toISOString() ?? null,
    counts: erasure.counts,
  }
  return createHash('sha256').update(canonicalJson(proof)).digest()
}
