/** Statuses and titles are in src/refusals-users.ts. */
export type ReportRefusal =
  | 'report_not_found'
  | 'report_expired'
  | 'report_link_expired'
  | 'report_queue_full'
  | 'report_schedule_not_found'
