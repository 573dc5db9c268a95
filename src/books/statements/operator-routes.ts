import {
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  parsePublisherId,
} from '../../tenants/access/index.ts'
import { closeDryRun, openCut } from './closing/close.ts'
import { closeMonthAs, presentClosed } from './operators.ts'
import { STATEMENT_CONTENT } from './routes.ts'
import { writeStatement } from './statements/answer.ts'
import { HEADING } from './statements/heading.ts'
import { STATEMENT_LIST } from './statements/queries.ts'
import { ClosedSchema, CloseQuery, CloseSchema, StatementFormatQuery, StatementParams } from './statements/schema.ts'

// Longer than any SQL statement of an API call may take, and much shorter than a caller's timeout.
const CUT_WAIT_MAX_MS = 15_000

/** Registers the routes for monthly statements of advertisers, publishers and the service. */
export function operatorStatementRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  closingRoutes(operation, deps)
  listOperation(operation, deps.db, {
    route: 'GET /operator/statements',
    permission: 'statements:read',
    id: 'listAllStatements',
    summary: 'List the statements of all parties',
    description: 'Newest month first.',
    list: STATEMENT_LIST,
    resource: HEADING,
    refusals: ['publisher_not_found'],
  })

  operation('GET /operator/statements/:statement_id', {
    config: { permission: 'statements:read' },
    id: 'getAnyStatement',
    summary: 'Get a statement of any party as JSON, CSV or PDF',
    description:
      'The JSON is byte for byte what its SHA-256 was computed from; `Content-Digest` carries the same hash. Amounts are decimal strings.',
    params: StatementParams,
    query: StatementFormatQuery,
    content: STATEMENT_CONTENT,
    refusals: ['statement_not_found'],
    handler: async ({ params, query, reply }) => {
      const written = await writeStatement(deps.db.reader, null, params.statement_id, query.format)
      return reply.headers(written.headers).send(written.content)
    },
  })
}

function closingRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/statements/close', {
    config: { permission: 'statements:close' },
    id: 'closeMonth',
    summary: 'Close a month and issue its final statements',
    description:
      'Without a publisher, closes all of production: its publishers, in their time zones, and its advertisers and the service, in UTC. Each sandbox is closed separately, on its own clock, with its advertisers. Months are closed in order, once they are over; the first can be any month and includes everything before it. Anything booked later for a closed month is in the next statement. Repeating the request returns the same response.',
    query: CloseQuery,
    body: CloseSchema,
    bodyExample: { month: '2026-11' },
    answer: ClosedSchema,
    example: {
      month: '2026-11',
      dry_run: false,
      totals: [
        {
          kind: 'advertiser',
          currency: 'USD',
          account: 'advertiser_receivable',
          statements: 38,
          opening: '1200.00',
          closing: '1710.50',
        },
      ],
      content: [
        {
          books: 'production',
          ends_at: HEADING.example.ends_at,
          cut_at: HEADING.example.cut_at,
          statements: 41,
        },
      ],
    },
    refusals: ['publisher_not_found', 'month_not_over', 'month_out_of_order', 'bookings_open'],
    handler: async ({ query, body: { month, publisher_id }, actor, once }) => {
      const publisherId = publisher_id === undefined ? null : parsePublisherId(publisher_id)
      const cut = await openCut(deps.db, CUT_WAIT_MAX_MS)
      const asked = { month, publisherId }
      const realNow = deps.clock.now()
      if (query.dry_run === 'true') {
        const trial = { cut, by: actor.id, realNow }
        return presentClosed(month, await deps.db.transaction((tx) => closeDryRun(tx, asked, trial)), true)
      }
      return once(async (tx) => presentClosed(month, await closeMonthAs(tx, asked, { cut, by: actor }, realNow)))
    },
  })
}
