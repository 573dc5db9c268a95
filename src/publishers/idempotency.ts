import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson } from '../platform/canonical-json.ts'
import type { Database, Tx } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Vault } from '../secrets/index.ts'
import { publisherOf } from './authenticate.ts'
import type { PublisherRefusal } from './errors.ts'
import type { Publisher } from './publisher.ts'

type Deps = { readonly db: Database; readonly vault: Vault }

/**
 * Runs a write in one transaction and returns its answer. With an Idempotency-Key the answer is stored in the same
 * commit, so a repeat, even a concurrent one, gets the first answer and has no effect: it waits on the unique key until
 * the first has committed. A refusal stores nothing and can be retried.
 * @throws Refusal idempotency_key_reused when the key came with other input.
 */
export async function answerOnce<T>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  verb: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = idempotencyKeyOf(request)
  return deps.db.transaction(async (tx) => {
    if (key === null) return verb(tx)
    const publisher = publisherOf(request)
    const repeated = await claimKey(deps, tx, publisher, request, key)
    if (repeated !== null) {
      reply.header('Idempotency-Replayed', 'true')
      return repeated.answer as T
    }
    const answer = await verb(tx)
    await storeAnswer(deps, tx, publisher, request, key, answer)
    return answer
  })
}

/** For verbs with a network call before their transaction: the stored answer of an earlier, finished request, or null. */
export async function repeatedAnswer(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly answer: unknown } | null> {
  const key = idempotencyKeyOf(request)
  if (key === null) return null
  const found = await findAnswer(deps, deps.db.reader as Tx, publisherOf(request), request, key)
  if (found !== null) reply.header('Idempotency-Replayed', 'true')
  return found
}

/** The counterpart of repeatedAnswer: stores the answer in the transaction that records the effect. */
export async function rememberAnswer(deps: Deps, tx: Tx, request: FastifyRequest, answer: unknown): Promise<void> {
  const key = idempotencyKeyOf(request)
  if (key === null) return
  const publisher = publisherOf(request)
  if ((await claimKey(deps, tx, publisher, request, key)) === null)
    await storeAnswer(deps, tx, publisher, request, key, answer)
}

/** The Idempotency-Key of a request, or null. @throws Refusal idempotency_key_invalid */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length === 0 || key.length > 255 || !/^[\x20-\x7e]+$/.test(key)) {
    throw new Refusal<PublisherRefusal>(
      'idempotency_key_invalid',
      'Idempotency-Key must be 1 to 255 printable characters.',
      { field: 'Idempotency-Key' },
    )
  }
  return key
}

/** Inserts the key, or waits for the transaction that holds it and returns its answer. */
async function claimKey(
  deps: Deps,
  tx: Tx,
  publisher: Publisher,
  request: FastifyRequest,
  key: string,
): Promise<{ answer: unknown } | null> {
  const claimed = await tx`
    insert into idempotency_keys (publisher_id, idempotency_key, route, input_hash)
    values (${publisher.id}, ${key}, ${routeOf(request)}, ${inputHash(request)})
    on conflict do nothing
    returning 1`
  return claimed.length === 1 ? null : findAnswer(deps, tx, publisher, request, key)
}

async function findAnswer(
  deps: Deps,
  tx: Tx,
  publisher: Publisher,
  request: FastifyRequest,
  key: string,
): Promise<{ answer: unknown } | null> {
  const [row] = await tx<{ inputHash: Buffer; sealedAnswer: Buffer | null }[]>`
    select input_hash, sealed_answer
    from idempotency_keys
    where publisher_id = ${publisher.id} and idempotency_key = ${key} and route = ${routeOf(request)}`
  if (row === undefined) return null
  if (!row.inputHash.equals(inputHash(request))) {
    throw new Refusal<PublisherRefusal>('idempotency_key_reused', 'This Idempotency-Key was used with other input.')
  }
  return row.sealedAnswer === null
    ? null
    : { answer: JSON.parse(deps.vault.open(row.sealedAnswer, sealContext(publisher, key))) }
}

async function storeAnswer(
  deps: Deps,
  tx: Tx,
  publisher: Publisher,
  request: FastifyRequest,
  key: string,
  answer: unknown,
): Promise<void> {
  await tx`
    update idempotency_keys set sealed_answer = ${deps.vault.seal(JSON.stringify(answer ?? null), sealContext(publisher, key))}
    where publisher_id = ${publisher.id} and idempotency_key = ${key} and route = ${routeOf(request)}`
}

/** The route's pattern: the same key on another route is another request. */
export function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? ''}`
}

/** The address counts as input too: the same key on another user's path is another request. */
export function inputHash(request: FastifyRequest): Buffer {
  return createHash('sha256').update(request.url).update('\n').update(canonicalJson(request.body)).digest()
}

function sealContext(publisher: Publisher, key: string): string {
  return `idempotency_keys:${publisher.id}:${key}`
}
