import Type, { type Static } from 'typebox'
import { idField, instantField, namedObject, nullable, strictObject, textField } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { OperatorDeps, OperatorOperation } from '../../tenants/access/index.ts'
import { acknowledgeContradictionAs } from './acknowledge.ts'
import { type Contradiction, listContradictions } from './queries.ts'

const ContradictionSchema = namedObject('Contradiction', {
  contradiction_id: Type.String({ description: 'ID of the contradiction.' }),
  publisher_id: Type.String({ description: 'The publisher.' }),
  subject: Type.String({ description: 'Subject of the report: a redemption (rdm_…) or a gift card order (gco_…).' }),
  known: Type.String({ description: 'Current status.' }),
  reported: Type.String({ description: 'Reported status, which cannot follow the current one.' }),
  reported_by: Type.String({
    description: '`bank`, `supplier` or `publisher`, or the operator who submitted a response from the bank.',
  }),
  code: nullable(Type.String({ description: "The reporter's own code." })),
  text: nullable(Type.String({ description: "The reporter's own words." })),
  reference: nullable(Type.String({ description: "The reporter's reference for the payment or order." })),
  recorded_at: instantField('When it was first reported.'),
})

const example: Static<typeof ContradictionSchema> = {
  contradiction_id: 'ctr_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  subject: 'rdm_01kbjyt5v3f4nvj5yq5yfypr9v',
  known: 'failed',
  reported: 'paid',
  reported_by: 'bank',
  code: null,
  text: null,
  reference: 'pay-4711',
  recorded_at: '2026-11-21T10:15:30.000Z',
}

/** Registers the routes for listing and acknowledging contradictions. */
export function contradictionRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/contradictions', {
    config: { permission: 'contradictions:read' },
    id: 'listContradictions',
    summary: 'List reports that contradict what is already recorded, oldest first',
    description:
      'For example, a payout reported as paid after it had failed. The books are left unchanged. At most 500.',
    answer: Type.Object({ content: Type.Array(ContradictionSchema) }),
    example: { content: [example] },
    handler: async () => ({ content: (await listContradictions(deps.db.reader)).map(presentContradiction) }),
  })

  operation('POST /operator/contradictions/:contradiction_id/acknowledge', {
    config: { permission: 'contradictions:acknowledge' },
    id: 'acknowledgeContradiction',
    summary: 'Acknowledge a contradiction',
    description: 'Removes it from the list without moving any money. 404 if it was already acknowledged.',
    params: Type.Object({ contradiction_id: idField('The contradiction.') }),
    body: strictObject({ note: textField(500, 'Findings, recorded in the audit log.') }),
    bodyExample: { note: 'The bank has corrected its answer: it has not paid.' },
    answer: ContradictionSchema,
    example,
    refusals: ['contradiction_not_found'],
    handler: ({ params, body: { note }, actor: by, once }) =>
      once(async (tx) => {
        const named = { contradictionUid: params.contradiction_id, note, by }
        return presentContradiction(await acknowledgeContradictionAs(tx, named, deps.clock.now()))
      }),
  })
}

function presentContradiction(row: Contradiction): Static<typeof ContradictionSchema> {
  const { subject, known, reported, code, text, reference } = row
  return {
    contradiction_id: encodeId('ctr', row.contradictionId),
    publisher_id: encodeId('pub', row.publisherId),
    subject,
    known,
    reported,
    reported_by: row.reportedBy,
    code,
    text,
    reference,
    recorded_at: row.recordedAt.toISOString(),
  }
}
