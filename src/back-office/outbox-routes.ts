import Type from 'typebox'
import { instantField, patternField } from '../platform/http/index.ts'
import { listFailedFacts } from '../platform/queue/outbox.ts'
import { field, id, instant, integer, text } from '../platform/resource/fields.ts'
import { resource } from '../platform/resource/resource.ts'
import type { OperatorDeps, OperatorOperation } from '../tenants/access/index.ts'
import { retryFactsAs } from './outbox.ts'

export const FAILED_FACT = resource('FailedFact', {
  fact_id: field(
    Type.String({ description: 'ID of the fact.' }),
    { property: 'ordinal', example: '4711' },
    (ordinal: bigint) => String(ordinal),
  ),
  publisher_id: id('pub', { example: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'The publisher.' }),
  name: text({ example: 'sale.reported', description: 'What happened, in the form `thing.done`.' }),
  payload: field(
    Type.Object({}, { additionalProperties: Type.String(), description: 'Details of the fact.' }),
    { example: { postbackId: '019a9f4e-2d1b-7c3a-9a51-8f0d3f1c2b4e' } },
    (value: Readonly<Record<string, string>>) => value,
  ),
  attempts: integer({ example: 20, description: 'Number of attempts made.' }),
  error: text({ example: 'The offer of this sale is unknown.', description: 'Why the last attempt failed.' }),
  recorded_at: {
    ...instant({ example: '2026-11-21T01:15:30.000Z' }),
    schema: instantField('When it was recorded.'),
  },
  failed_at: {
    ...instant({ example: '2026-11-21T10:15:30.000Z' }),
    schema: instantField('When the last attempt failed.'),
  },
})

/** Registers the routes for listing and retrying failed facts. */
export function operatorFactRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/facts/failed', {
    config: { permission: 'facts:read' },
    id: 'listFailedFacts',
    summary: 'List facts that failed permanently, oldest first',
    description:
      'For example, a reported sale that could not be booked. Failed facts are not retried until an operator requests it. At most 500 are returned.',
    answer: Type.Object({ content: Type.Array(FAILED_FACT.schema) }),
    example: { content: [FAILED_FACT.example] },
    handler: async () => ({ content: (await listFailedFacts(deps.db.reader)).map(FAILED_FACT.present) }),
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
