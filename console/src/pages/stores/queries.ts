import { page } from '../../api/query.ts'

export type StoreSearch = {
  readonly text?: string | undefined
  readonly state?: string | undefined
  readonly place?: string | undefined
}

/** Queries the matching stores: how many there are, where they are, and the first of them. */
export const catalogStores = ({ text, ...where }: StoreSearch) =>
  page('/operator/stores', { query: { search_text: text, ...where } })
