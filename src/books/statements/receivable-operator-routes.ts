import { listOperation, type OperatorDeps, type OperatorOperation } from '../../tenants/access/index.ts'
import { RECEIVABLE } from './receivable.ts'
import { addAges } from './receivables.ts'
import { RECEIVABLE_LIST } from './receivables-queries.ts'

/** Registers the route that lists what advertisers owe. */
export function operatorReceivableRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/receivables',
    permission: 'ledger:read',
    id: 'listReceivables',
    summary: 'List what advertisers owe, by age, largest amounts first',
    description:
      "For production, or for one publisher. Ages are taken from the last statement, plus anything booked since; reductions since then are deducted from the oldest month. Advertisers of a production publisher owe for all publishers together, so a single publisher's part has no age.",
    list: RECEIVABLE_LIST,
    resource: { schema: RECEIVABLE.schema, example: RECEIVABLE.example },
    present: async (rows) => (await addAges(db.reader, rows, clock)).map(RECEIVABLE.present),
    refusals: ['publisher_not_found'],
  })
}
