import { query } from '../../api/query.ts'
import { choice, month, publisher } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const STATEMENTS = operatorList('/operator/statements', {
  publisher_id: publisher(),
  month: month('Month'),
  kind: choice('Kind', { advertiser: 'Advertisers', publisher: 'Publishers', service: 'Service' }),
})

/** Queries a statement, which never changes. */
export const monthlyStatement = (statement_id: string) => ({
  ...query('/operator/statements/{statement_id}', { path: { statement_id } }),
  staleTime: Number.POSITIVE_INFINITY,
})
