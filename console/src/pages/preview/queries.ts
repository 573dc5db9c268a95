import { search } from '../../lists/filters.ts'
import { publisherList } from '../../lists/list.ts'

// Smaller than in other lists, because each brand takes up at least one card, which is larger than a row.
const LISTED_SIZE = 12

/** A publisher's brands with their current offers for a user. */
export const LISTED_BRANDS = publisherList(
  '/publishers/brands',
  { publisher_user_id: search('The publisher’s id for the user'), search_text: search('Brand or offer') },
  LISTED_SIZE,
)
