import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { page, query, rows } from '../../api/query.ts'
import { search } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const PUBLISHERS = operatorList('/operator/publishers', { search_text: search('Part of the name') })

export const publisherDetail = (publisher_id: string) =>
  query('/operator/publishers/{publisher_id}', { path: { publisher_id } })

/** Queries how a purchase would be split. If the settings are invalid, the previous example stays on screen. */
export function split(body: Schemas['CommissionSplitRequest']) {
  return queryOptions({
    queryKey: ['split', body],
    queryFn: () => post('/operator/publishers/preview', { body }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const keys = (publisher_id: string) =>
  rows('/operator/publishers/{publisher_id}/keys', { path: { publisher_id } })

export const assortment = (publisher_id: string) =>
  query('/operator/publishers/{publisher_id}/assortment', { path: { publisher_id } })

export const portalSettings = (publisher: string) => query('/portal/settings', { publisher })

export const portalTheme = (publisher: string, hue: number, chroma: number) => ({
  ...page('/portal/theme', { publisher, query: { hue, chroma } }),
  staleTime: Number.POSITIVE_INFINITY,
})
