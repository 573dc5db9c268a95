import Type, { type Static } from 'typebox'
import { enumField, instantField, named, namedObject, namedStrictObject } from '../../../platform/http/index.ts'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import { EVERY } from '../orders/order.ts'
import { formatField, kindField } from '../orders/schema.ts'
import { listSchedules, type ReportSchedule } from './queries.ts'
import { endSchedule, setSchedule } from './service.ts'

const everyField = () => named('ReportInterval', enumField(EVERY, "Interval, in the publisher's time zone."))

const ScheduleParams = Type.Object({ kind: kindField(), every: everyField() })
const ScheduleBody = namedStrictObject('NewReportSchedule', {
  format: Type.Optional(formatField('Defaults to csv.')),
})
const ScheduleSchema = namedObject('ReportSchedule', {
  kind: kindField(),
  every: everyField(),
  format: formatField('Format of the files.'),
  next_period: Type.String({ description: 'First day of the next period to report, yyyy-MM-dd.' }),
  next_at: instantField('When that period ends and its report is ordered.'),
  created_at: Type.String(),
})
type ShownSchedule = Static<typeof ScheduleSchema>

const scheduleExample: ShownSchedule = {
  kind: 'transactions',
  every: 'day',
  format: 'parquet',
  next_period: '2026-11-21',
  next_at: '2026-11-22T05:00:00.000Z',
  created_at: '2026-11-21T10:15:30.000Z',
}

function present({ kind, every, format, nextDay, dueAt, createdAt }: ReportSchedule): ShownSchedule {
  return {
    kind,
    every,
    format,
    next_period: nextDay,
    next_at: dueAt.toISOString(),
    created_at: createdAt.toISOString(),
  }
}

export function scheduleRoutes(operation: PublisherOperation, { db }: Pick<OperationDeps, 'db'>): void {
  operation('GET /reports/schedules', {
    config: { scope: 'reports:read' },
    id: 'listReportSchedules',
    summary: 'List report schedules',
    description: 'At most one daily and one monthly schedule for each kind of report.',
    answer: Type.Object({ content: Type.Array(ScheduleSchema) }),
    example: { content: [scheduleExample] },
    handler: async ({ publisher }) => ({ content: (await listSchedules(db.reader, publisher.id)).map(present) }),
  })

  operation('PUT /reports/schedules/:kind/:every', {
    config: { scope: 'reports:write' },
    id: 'setReportSchedule',
    summary: 'Schedule a daily or monthly report',
    description:
      'Starts with the current period. Days and months are in your time zone; each is ordered once, soon after its end, and omits anything reported later. After an outage, up to 31 missed days and 12 missed months are ordered. Repeating the request changes the format.',
    params: ScheduleParams,
    body: ScheduleBody,
    answer: ScheduleSchema,
    example: scheduleExample,
    bodyExample: { format: 'parquet' },
    handler: ({ params, body: { format = 'csv' }, publisher, now, once }) =>
      once(async (tx) => present(await setSchedule(tx, publisher, { ...params, format }, now))),
  })

  operation('DELETE /reports/schedules/:kind/:every', {
    config: { scope: 'reports:write' },
    id: 'endReportSchedule',
    summary: 'Stop a scheduled report',
    description: 'Reports already ordered are kept.',
    params: ScheduleParams,
    answer: ScheduleSchema,
    example: scheduleExample,
    refusals: ['report_schedule_not_found'],
    handler: ({ params, publisher, once }) => once(async (tx) => present(await endSchedule(tx, publisher, params))),
  })
}
