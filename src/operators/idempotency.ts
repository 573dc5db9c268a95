import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Tx } from '../platform/database.ts'
import { answerOnceFrom } from '../publishers/index.ts'
import { operatorOf } from './authenticate.ts'
import { keptAnswersOf } from './queries.ts'

/** Runs an operator's write once per Idempotency-Key (publishers/idempotency.ts). */
export async function answerOperatorOnce<T>(
  { db }: { readonly db: Database },
  request: FastifyRequest,
  reply: FastifyReply,
  verb: (tx: Tx) => Promise<T>,
): Promise<T> {
  return answerOnceFrom(db, keptAnswersOf(operatorOf(request).id), request, reply, verb)
}
