import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { runInSlices } from '../../platform/slices.ts'
import { yieldCanonicalPieces } from '../../platform/text/canonical-json.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { PublisherRefusal } from '../publishers/index.ts'
import { type AnswerStore, createPublisherAnswers, type KeyedRequest, type StoredAnswer } from './answer-queries.ts'
import { auditRequest } from './audit-request.ts'
import { getCallingPublisher } from './authenticate-publishers.ts'

type Deps = { readonly db: Database; readonly vault: Vault }

/**
 * Runs a write in one transaction and returns its response. With an Idempotency-Key, the response is stored in the same
 * transaction. A repeated request has no effect and gets the stored response. A concurrent repeat waits on the unique
 * key until the first request commits. A rejected request stores nothing and can be retried.
 * @throws Refusal idempotency_key_reused if the key came with different input
 */
export async function answerOnce<T>(
  db: Database,
  kept: AnswerStore,
  request: FastifyRequest,
  reply: FastifyReply,
  verb: (tx: Tx) => Promise<T>,
): Promise<T> {
  const asked = await readKeyedRequest(request)
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
 * Returns the stored response of an earlier, finished request; null if there is none. Intended for verbs that make a
 * network call before their transaction.
 */
export async function findRepeatedAnswer(
  { db, vault }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StoredAnswer | null> {
  const asked = await readKeyedRequest(request)
  return asked && findAnswer(db.reader, createPublisherAnswers(getCallingPublisher(request).id, vault), asked, reply)
}

/**
 * Stores the response for `findRepeatedAnswer` in the transaction that records the effect. If a person made the
 * request, also writes its audit entry.
 */
export async function rememberAnswer(
  { vault, clock }: Deps & { readonly clock: Clock },
  tx: Tx,
  request: FastifyRequest,
  answer: unknown,
): Promise<void> {
  await auditRequest(tx, request, { before: null, answer }, clock.now())
  const asked = await readKeyedRequest(request)
  const kept = createPublisherAnswers(getCallingPublisher(request).id, vault)
  if (asked !== null && (await kept.claim(tx, asked))) await kept.store(tx, asked, answer)
}

async function findAnswer(
  reader: Reader,
  kept: AnswerStore,
  asked: KeyedRequest,
  reply: FastifyReply,
): Promise<StoredAnswer | null> {
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
 * Reads a request's Idempotency-Key and hashes its input; null if there is no key.
 * @throws Refusal idempotency_key_invalid
 */
async function readKeyedRequest(request: FastifyRequest): Promise<KeyedRequest | null> {
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
    inputHash: await runInSlices(hashInput(request)),
  }
}

/**
 * Hashes the request's input, including the URL, so that the same key on another user's path counts as a different
 * request.
 */
function* hashInput({ url, body }: FastifyRequest): Generator<undefined, Buffer> {
  const hash = createHash('sha256').update(url).update('\n')
  for (const piece of yieldCanonicalPieces(body)) {
    hash.update(piece)
    yield
  }
  return hash.digest()
}
