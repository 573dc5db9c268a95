import Type from 'typebox'
import { dayOf } from '../platform/calendar.ts'
import { createConcurrencyLimit } from '../platform/concurrency-limit.ts'
import type { Database } from '../platform/database.ts'
import { type App, invalidInput, type Problem } from '../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../publishers/index.ts'
import { reportedExample } from './examples.ts'
import { FORMATS, lineOf } from './formats.ts'
import { type PeriodFault, periodOf } from './rules.ts'
import { ReportQuery } from './schema.ts'
import { streamTransactions } from './service.ts'
import { statementRoutes } from './statement-routes.ts'

export function reportRoutes(
  app: App,
  deps: OperationDeps & { readonly reports: Database; readonly checks: Database },
): void {
  const operation = publisherOperations(app, deps, 'Reports')
  statementRoutes(operation, deps)
  const limit = createConcurrencyLimit(
    'Only one report of a publisher runs at a time; read the running one to its end first.',
  )
  operation('GET /reports/transactions', {
    config: { scope: 'reports:read' },
    id: 'exportTransactions',
    summary: 'Export transactions with their rewards',
    description:
      'Streamed, the oldest purchase first, with your own user identifiers. CSV is RFC 4180 with a header row; a text cell ' +
      'that a spreadsheet would read as a formula begins with an apostrophe. NDJSON is one transaction a line, exactly as ' +
      '`GET /transactions` shows it. A connection that breaks off carries half a report: ask again. It breaks off when you read less than 1 MiB in a minute, and after ten ' +
      'minutes. One of your reports runs at a time.',
    query: ReportQuery,
    content: Object.fromEntries(
      Object.values(FORMATS).map((format) => [
        format.mediaType.replace(/;.*/, ''),
        { schema: Type.String(), example: format.head + lineOf(format, reportedExample) },
      ]),
    ),
    refusals: [503],
    handler: async ({ query, publisher, now, reply }) => {
      const { format = 'csv', ...asked } = query
      const answer = periodOf(asked, dayOf(now, publisher.timeZone))
      if ('fault' in answer) throw invalidPeriod(answer.fault)
      const { from, to } = answer.period
      const end = limit.start(publisher.id)
      const { stream, begun, ended } = streamTransactions(
        { ...deps, givingWay: app.givingWay },
        publisher,
        answer.period,
        FORMATS[format],
      )
      ended.then(end)
      // Until then it can still be refused.
      await begun
      reply.header('Content-Type', FORMATS[format].mediaType)
      reply.header('Content-Disposition', `attachment; filename="transactions_${from}_${to}.${format}"`)
      return reply.send(stream)
    },
  })
}

function invalidPeriod(fault: PeriodFault): Problem {
  return invalidInput([{ ...fault, code: 'out_of_range' }])
}
