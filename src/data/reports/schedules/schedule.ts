import { instantField } from '../../../platform/http/index.ts'
import { day, instant, oneOf } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { REPORT_FORMATS } from '../formats.ts'
import { EVERY, REPORT } from '../orders/order.ts'

export const SCHEDULE = resource('ReportSchedule', {
  kind: { ...REPORT.fields.kind, example: 'transactions' as const },
  every: oneOf(EVERY, {
    title: 'ReportInterval',
    example: 'day',
    description: "Interval, in the publisher's time zone.",
  }),
  format: oneOf(REPORT_FORMATS, { example: 'parquet', description: 'Format of the files.' }),
  next_period: day({
    property: 'nextDay',
    example: '2026-11-21',
    description: 'First day of the next period to report, yyyy-MM-dd.',
  }),
  next_at: {
    ...instant({ property: 'dueAt', example: '2026-11-22T05:00:00.000Z' }),
    schema: instantField('When that period ends and its report is ordered.'),
  },
  created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
})

export type ReportSchedule = ResourceRow<typeof SCHEDULE>
