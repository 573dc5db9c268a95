import Type from 'typebox'
import { idField, strictObject, textField } from '../../platform/http/index.ts'
import type { OperatorDeps, OperatorOperation } from '../../tenants/access/index.ts'
import { acknowledgeContradictionAs } from './acknowledge.ts'
import { CONTRADICTION } from './contradiction.ts'
import { listContradictions } from './queries.ts'

/** Registers the routes for listing and acknowledging contradictions. */
export function contradictionRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/contradictions', {
    config: { permission: 'contradictions:read' },
    id: 'listContradictions',
    summary: 'List reports that contradict what is already recorded, oldest first',
    description:
      'For example, a payout reported as paid after it had failed. The books are left unchanged. At most 500.',
    answer: Type.Object({ content: Type.Array(CONTRADICTION.schema) }),
    example: { content: [CONTRADICTION.example] },
    handler: async () => ({ content: (await listContradictions(deps.db.reader)).map(CONTRADICTION.present) }),
  })

  operation('POST /operator/contradictions/:contradiction_id/acknowledge', {
    config: { permission: 'contradictions:acknowledge' },
    id: 'acknowledgeContradiction',
    summary: 'Acknowledge a contradiction',
    description: 'Removes it from the list without moving any money. 404 if it was already acknowledged.',
    params: Type.Object({ contradiction_id: idField('The contradiction.') }),
    body: strictObject({ note: textField(500, 'Findings, recorded in the audit log.') }),
    bodyExample: { note: 'The bank has corrected its answer: it has not paid.' },
    answer: CONTRADICTION.schema,
    example: CONTRADICTION.example,
    refusals: ['contradiction_not_found'],
    handler: ({ params, body: { note }, actor: by, once }) =>
      once(async (tx) => {
        const named = { contradictionUid: params.contradiction_id, note, by }
        return CONTRADICTION.present(await acknowledgeContradictionAs(tx, named, deps.clock.now()))
      }),
  })
}
