import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Tx } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { idempotencyKeyOf, inputHash, type PublisherRefusal, routeOf } from '../publishers/index.ts'
import { operatorOf } from './authenticate.ts'
import * as queries from './queries.ts'

/**
 * Runs a write in one transaction and returns its answer. With an Idempotency-Key the answer is stored in the same commit,
 * so a repeat, even a concurrent one, gets the first answer and has no effect. A refusal stores nothing and can be retried.
 * Operators' answers contain no secrets, so they are not sealed.
 * @throws Refusal idempotency_key_reused when the key came with other input.
 */
export async function answerOperatorOnce<T>(
  { db }: { readonly db: Database },
  request: FastifyRequest,
  reply: FastifyReply,
  verb: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = idempotencyKeyOf(request)
  return db.transaction(async (tx) => {
    if (key === null) return verb(tx)
    const kept = { operatorId: operatorOf(request).id, key, route: routeOf(request) }
    const hash = inputHash(request)
    if (await queries.claimAnswer(tx, kept, hash)) {
      const answer = await verb(tx)
      await queries.storeAnswer(tx, kept, answer ?? null)
      return answer
    }
    const found = await queries.findAnswer(tx, kept)
    if (found === null) throw new Error('a stored answer has disappeared')
    if (!found.inputHash.equals(hash))
      throw new Refusal<PublisherRefusal>('idempotency_key_reused', 'This Idempotency-Key was used with other input.')
    reply.header('Idempotency-Replayed', 'true')
    return found.answer as T
  })
}
