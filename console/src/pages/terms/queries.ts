import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { FRESH_MS, rows } from '../../api/query.ts'

export const terms = rows('/operator/terms')

/** Queries the number of users that a revision would affect. */
export function termsPlan(body: Schemas['TermsPlanRequest']) {
  return queryOptions({
    queryKey: ['terms-plan', body],
    queryFn: () => post('/operator/terms/preview', { body }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}
