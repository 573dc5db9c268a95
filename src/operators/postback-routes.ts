import { listUnknownReports, presentReport, UnknownReportsQuery, UnknownReportsSchema } from '../affiliate/index.ts'
import type { OperatorDeps } from './deps.ts'
import type { OperatorOperation } from './operations.ts'

const LIMIT = 100

/** Reported sales that earn nothing, so that operators can ask the network about them. */
export function operatorPostbackRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/postbacks/unknown', {
    config: { roles: ['catalog', 'support'] },
    id: 'listUnknownPostbacks',
    summary: 'List reported sales whose sub-id belongs to no click of the network, newest first',
    description:
      'They are kept and earn nothing: the sub-id was altered or truncated on its way, or its click was deleted after its retention, or had been sent to another network.',
    query: UnknownReportsQuery,
    answer: UnknownReportsSchema,
    example: {
      content: [
        {
          postback_id: 'pbk_01kbjyt5v3f4nvj5yq5yfypr9v',
          network: 'awin',
          sub_id: '0b1f6c2e8a6d4f0b9a3c5d7e9f1a2b3c',
          sent_to: null,
          order_id: '1001',
          transaction_id: null,
          status: 'approved',
          amount: 84.5,
          currency: 'USD',
          received_at: '2026-11-21T10:15:30.000Z',
        },
      ],
    },
    handler: async ({ query }) => {
      const { network = null, before, limit = LIMIT } = query
      const filter = { network, before: before === undefined ? null : new Date(before), limit }
      return { content: (await listUnknownReports(deps.db.reader, filter)).map(presentReport) }
    },
  })
}
