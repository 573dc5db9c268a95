import Type from 'typebox'
import { idField, invalidInput } from '../../platform/http/index.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import type { OperationDeps, PublisherOperation } from '../../tenants/access/index.ts'
import { resolveCurrency } from '../../tenants/publishers/index.ts'
import { readStatementPage } from './statement.ts'
import { formatStatementCsv } from './statement-csv.ts'
import { LINES_DEFAULT, StatementQuery, StatementSchema, statementExample } from './statement-schema.ts'

/** Registers the routes for a user's statement. */
export function statementRoutes(operation: PublisherOperation, { db }: Pick<OperationDeps, 'db'>): void {
  operation('GET /users/:publisher_user_id/statement', {
    config: { scope: 'rewards:read' },
    id: 'getUserStatement',
    summary: "Get a user's statement: every balance change in booking order",
    description:
      'A line belongs to the period when it was booked, not when it took effect, so later bookings never change the statement of a past period; bookings in progress as the period ends appear seconds later. Booking uses real time, even in a sandbox. `opening` and `closing` are the balances of the whole period and differ by the sum of all its changes. For the next page, repeat the request with `after=next_after`. CSV has only the lines, with a header row; for its next page, set `after` to the `journal_id` of the last row, until a page has fewer than `size` rows. A user whose identifier is `status` cannot be requested, because that path belongs to another operation.',
    params: Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") }),
    query: StatementQuery,
    content: {
      'application/json': { schema: StatementSchema, example: statementExample },
      'text/csv': { schema: Type.String(), example: formatStatementCsv(statementExample) },
    },
    refusals: ['currency_unknown', 'user_not_found'],
    handler: async ({ params, query, publisher, reply }) => {
      const { start_date = null, end_date = null, size = LINES_DEFAULT, after = null, format = 'json' } = query
      if (start_date !== null && end_date !== null && start_date > end_date)
        throw atFault('start_date', `must not be after ${end_date}, the last day`)
      const currency = resolveCurrency(publisher, query.currency)
      const asked = { currency, startDate: start_date, endDate: end_date, after, limit: size }
      const user = params.publisher_user_id
      const statement = await readStatementPage(db, publisher, user, asked)
      if (statement === null)
        throw atFault('after', 'must be the `next_after` from a statement of this user in this currency')
      if (format === 'json') return statement
      const name = `statement_${encodeId('usr', toUserId(publisher.id, user))}.csv`
      reply.header('Content-Type', 'text/csv; charset=utf-8')
      reply.header('Content-Disposition', `attachment; filename="${name}"`)
      return reply.send(formatStatementCsv(statement))
    },
  })
}

function atFault(field: string, message: string) {
  return invalidInput([{ field, code: 'out_of_range', message }])
}
