import Type from 'typebox'
import { toDay } from '../../platform/calendar.ts'
import type { Database } from '../../platform/db/database.ts'
import { createConcurrencyLimit } from '../../platform/http/concurrency-limit.ts'
import { type App, invalidInput, type Problem } from '../../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../../tenants/access/index.ts'
import { COLUMNS } from './columns.ts'
import { reportedExample } from './examples.ts'
import { buildLineFormat, formatLine, LINE_FORMATS, MEDIA_TYPES } from './formats.ts'
import type { ReportLinks } from './orders/links.ts'
import { orderRoutes } from './orders/routes.ts'
import { createRowWriter } from './row-writer.ts'
import { type PeriodFault, resolvePeriod } from './rules.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { ReportQuery } from './schema.ts'
import { streamReport } from './service.ts'
import { statementRoutes } from './statement-routes.ts'
import type { ReportStorage } from './storage/storage.ts'

export function reportRoutes(
  app: App,
  deps: OperationDeps & {
    readonly reports: Database
    readonly checks: Database
    readonly reportLinks: ReportLinks
    readonly reportStorage: ReportStorage
  },
): void {
  const operation = publisherOperations(app, deps, 'Reports')
  statementRoutes(operation, deps)
  orderRoutes(operation, deps)
  scheduleRoutes(operation, deps)
  const limit = createConcurrencyLimit(
    'Each publisher can run only one report at a time; finish reading the current one first.',
  )
  operation('GET /reports/transactions', {
    config: { scope: 'reports:read' },
    id: 'exportTransactions',
    summary: 'Export transactions with their rewards',
    description:
      'Streamed, oldest purchase first, with your own user identifiers. CSV is RFC 4180 with a header row; a text cell that a spreadsheet would read as a formula begins with an apostrophe. NDJSON has one transaction per line, exactly as in `GET /transactions`. If the connection is interrupted, the report is incomplete: request it again. It is cut off if less than 1 MiB is read in a minute, and in any case after ten minutes. Only one of your reports runs at a time.',
    query: ReportQuery,
    content: Object.fromEntries(
      LINE_FORMATS.map((name) => {
        const format = buildLineFormat(COLUMNS.transactions, name)
        const example = format.head + formatLine(format, reportedExample)
        return [MEDIA_TYPES[name].replace(/;.*/, ''), { schema: Type.String(), example }]
      }),
    ),
    handler: async ({ query, publisher, now, reply }) => {
      const { format = 'csv', ...asked } = query
      const answer = resolvePeriod(asked, toDay(now, publisher.timeZone))
      if ('fault' in answer) throw invalidPeriod(answer.fault)
      const { from, to } = answer.period
      const end = limit.start(publisher.id)
      const { stream, begun, ended } = streamReport(
        { ...deps, givingWay: app.givingWay },
        { publisher, kind: 'transactions', period: answer.period, now },
        createRowWriter(COLUMNS.transactions, format),
      )
      ended.then(end)
      // Until the stream has begun, the request can still be refused.
      await begun
      reply.header('Content-Type', MEDIA_TYPES[format])
      reply.header('Content-Disposition', `attachment; filename="transactions_${from}_${to}.${format}"`)
      return reply.send(stream)
    },
  })
}

function invalidPeriod(fault: PeriodFault): Problem {
  return invalidInput([{ ...fault, code: 'out_of_range' }])
}
