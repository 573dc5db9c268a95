import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { runInSlices } from '../../platform/slices.ts'
import { canonicalPieces } from '../../platform/text/canonical-json.ts'
import type { Vault } from '../../platform/vault/index.ts'
import {
  type KeptAnswer,
  type KeptAnswers,
  type KeyedRequest,
  keptAnswersOf,
  type PublisherRefusal,
} from '../publishers/index.ts'
import { auditRequest } from './audit-request.ts'
import { publisherOf } from './authenticate-publishers.ts'

type Deps = { readonly db: Database; readonly vault: Vault }

/**
 * Runs a write in one transaction and returns its response. With an Idempotency-Key, the response is stored in the same
 * transaction. A repeat has no effect and gets the stored response. A concurrent repeat waits on the unique key until
 * the first request commits. A refusal stores nothing and can be retried.
 * @throws Refusal idempotency_key_reused if the key came with different input
 */
export async function answerOnce<T>(
  db: Database,
  kept: KeptAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  verb: (tx: Tx) => Promise<T>,
): Promise<T> {
  const asked = await keyedRequestOf(request)
  return db.transaction(async (tx) => {
    if (asked === null) return verb(tx)
    if (await kept.claim(tx, asked)) {
      const answer = await verb(tx)
      await kept.store(tx, asked, answer ?? null)
      return answer
    }
    const found = await findAnswer(tx, kept, asked, reply)
    if (found === null) throw new Error('a stored response has disappeared')
    return found.answer as T
  })
}

/**
 * Returns the stored response of an earlier, finished request; null if there is none. For verbs that make a network
 * call before their transaction.
 */
export async function repeatedAnswer(
  { db, vault }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeptAnswer | null> {
  const asked = await keyedRequestOf(request)
  return asked && findAnswer(db.reader, keptAnswersOf(publisherOf(request).id, vault), asked, reply)
}

/**
 * Stores the response for `repeatedAnswer` in the transaction that records the effect, and audits the request if a
 * person made it.
 */
export async function rememberAnswer(
  { vault, clock }: Deps & { readonly clock: Clock },
  tx: Tx,
  request: FastifyRequest,
  answer: unknown,
): Promise<void> {
  await auditRequest(tx, request, { before: null, answer }, clock.now())
  const asked = await keyedRequestOf(request)
  const kept = keptAnswersOf(publisherOf(request).id, vault)
  if (asked !== null && (await kept.claim(tx, asked))) await kept.store(tx, asked, answer)
}

async function findAnswer(
  reader: Reader,
  kept: KeptAnswers,
  asked: KeyedRequest,
  reply: FastifyReply,
): Promise<KeptAnswer | null> {
  const found = await kept.find(reader, asked)
  if (found === null) return null
  if (!found.inputHash.equals(asked.inputHash))
    throw new Refusal<PublisherRefusal>(
      'idempotency_key_reused',
      'This Idempotency-Key was already used with a different request.',
    )
  reply.header('Idempotency-Replayed', 'true')
  return found
}

/**
 * Returns null if there is no Idempotency-Key.
 * @throws Refusal idempotency_key_invalid
 */
async function keyedRequestOf(request: FastifyRequest): Promise<KeyedRequest | null> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length === 0 || key.length > 255 || !/^[\x20-\x7e]+$/.test(key)) {
    throw new Refusal<PublisherRefusal>(
      'idempotency_key_invalid',
      'Idempotency-Key must be 1 to 255 printable characters.',
      { field: 'Idempotency-Key' },
    )
  }
  return {
    key,
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
    inputHash: await runInSlices(hashOf(request)),
  }
}

/** Hashes the request's input. The URL is part of it, so the same key on another user's path is a different request. */
function* hashOf({ url, body }: FastifyRequest): Generator<undefined, Buffer> {
  const hash = createHash('sha256').update(url).update('\n')
  for (const piece of canonicalPieces(body)) {
    hash.update(piece)
    yield
  }
  return hash.digest()
}
