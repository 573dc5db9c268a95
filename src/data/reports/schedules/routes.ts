import Type from 'typebox'
import { enumField, namedStrictObject } from '../../../platform/http/index.ts'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import { REPORT_FORMATS } from '../formats.ts'
import { listSchedules } from './queries.ts'
import { SCHEDULE } from './schedule.ts'
import { endSchedule, setSchedule } from './service.ts'

const { kind, every } = SCHEDULE.schema.properties
const ScheduleParams = Type.Object({ kind, every })
const ScheduleBody = namedStrictObject('NewReportSchedule', {
  format: Type.Optional(enumField(REPORT_FORMATS, 'Defaults to csv.')),
})

export function scheduleRoutes(operation: PublisherOperation, { db }: Pick<OperationDeps, 'db'>): void {
  operation('GET /reports/schedules', {
    config: { scope: 'reports:read' },
    id: 'listReportSchedules',
    summary: 'List report schedules',
    description: 'At most one daily and one monthly schedule for each kind of report.',
    answer: Type.Object({ content: Type.Array(SCHEDULE.schema) }),
    example: { content: [SCHEDULE.example] },
    handler: async ({ publisher }) => ({
      content: (await listSchedules(db.reader, publisher.id)).map(SCHEDULE.present),
    }),
  })

  operation('PUT /reports/schedules/:kind/:every', {
    config: { scope: 'reports:write' },
    id: 'setReportSchedule',
    summary: 'Schedule a daily or monthly report',
    description:
      'Starts with the current period. Days and months are in your time zone; each is ordered once, soon after its end, and omits anything reported later. After an outage, up to 31 missed days and 12 missed months are ordered. Repeating the request changes the format.',
    params: ScheduleParams,
    body: ScheduleBody,
    answer: SCHEDULE.schema,
    example: SCHEDULE.example,
    bodyExample: { format: 'parquet' },
    handler: ({ params, body: { format = 'csv' }, publisher, now, once }) =>
      once(async (tx) => SCHEDULE.present(await setSchedule(tx, publisher, { ...params, format }, now))),
  })

  operation('DELETE /reports/schedules/:kind/:every', {
    config: { scope: 'reports:write' },
    id: 'endReportSchedule',
    summary: 'Stop a scheduled report',
    description: 'Reports already ordered are kept.',
    params: ScheduleParams,
    answer: SCHEDULE.schema,
    example: SCHEDULE.example,
    refusals: ['report_schedule_not_found'],
    handler: ({ params, publisher, once }) =>
      once(async (tx) => SCHEDULE.present(await endSchedule(tx, publisher, params))),
  })
}
