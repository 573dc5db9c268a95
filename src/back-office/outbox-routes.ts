import Type from 'typebox'
import { instantField, namedObject, patternField } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { type FailedFact, listFailedFacts } from '../platform/queue/outbox.ts'
import type { OperatorDeps, OperatorOperation } from '../tenants/access/index.ts'
import { retryFactsAs } from './outbox.ts'

const FailedFactSchema = namedObject('FailedFact', {
  fact_id: Type.String({ description: 'ID of the fact.' }),
  publisher_id: Type.String({ description: 'The publisher.' }),
  name: Type.String({ description: 'What happened, in the form `thing.done`.' }),
  payload: Type.Object({}, { additionalProperties: Type.String(), description: 'Details of the fact.' }),
  attempts: Type.Integer({ description: 'Number of attempts made.' }),
  error: Type.String({ description: 'Why the last attempt failed.' }),
  recorded_at: instantField('When it was recorded.'),
  failed_at: instantField('When the last attempt failed.'),
})

/** Registers the routes for listing and retrying failed facts. */
export function operatorFactRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/facts/failed', {
    config: { permission: 'facts:read' },
    id: 'listFailedFacts',
    summary: 'List facts that failed permanently, oldest first',
    description:
      'For example, a reported sale that could not be booked. Failed facts are not retried until an operator requests it. At most 500 are returned.',
    answer: Type.Object({ content: Type.Array(FailedFactSchema) }),
    example: {
      content: [
        {
          fact_id: '4711',
          publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
          name: 'sale.reported',
          payload: { postbackId: '019a9f4e-2d1b-7c3a-9a51-8f0d3f1c2b4e' },
          attempts: 20,
          error: 'The offer of this sale is unknown.',
          recorded_at: '2026-11-21T01:15:30.000Z',
          failed_at: '2026-11-21T10:15:30.000Z',
        },
      ],
    },
    handler: async () => ({ content: (await listFailedFacts(deps.db.reader)).map(presentFailedFact) }),
  })

  operation('POST /operator/facts/:fact_id/retry', {
    config: { permission: 'facts:retry' },
    id: 'retryFailedFact',
    summary: 'Retry a failed fact immediately',
    description:
      'The fact gets its full number of attempts again. Returns 404 if the fact is done or is still being retried automatically.',
    params: Type.Object({
      fact_id: patternField('^[1-9][0-9]{0,17}$', 'the number of a fact', {
        description: 'The fact, as returned by the list.',
      }),
    }),
    answer: Type.Object({ fact_id: Type.String({ description: 'ID of the fact.' }) }),
    example: { fact_id: '4711' },
    refusals: ['fact_not_found'],
    handler: async ({ params, actor, once }) =>
      once(async (tx) => {
        await retryFactsAs(tx, { ordinal: BigInt(params.fact_id), by: actor }, deps.clock.now())
        return { fact_id: params.fact_id }
      }),
  })
}

export function presentFailedFact(fact: FailedFact) {
  return {
    fact_id: String(fact.ordinal),
    publisher_id: encodeId('pub', fact.publisherId),
    name: fact.name,
    payload: fact.payload,
    attempts: fact.attempts,
    error: fact.error,
    recorded_at: fact.recordedAt.toISOString(),
    failed_at: fact.failedAt.toISOString(),
  }
}
