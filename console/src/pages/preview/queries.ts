import { page } from '../../api/query.ts'

/** Smaller than in other lists, because each brand takes up at least one card, which is larger than a row. */
const LISTED_SIZE = 12

type ListedSearch = { readonly user: string; readonly text: string; readonly page: number }

/** Queries a publisher's brands with their current offers for a user. */
export const listedBrands = (publisher: string, { user, text, page: number }: ListedSearch) =>
  page('/publishers/brands', {
    publisher,
    query: { publisher_user_id: user, search_text: text || undefined, page: number, size: LISTED_SIZE },
  })
