import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type NamedPublisher, publishers } from './api/queries.ts'

const KEY = 'laurel-publisher'

/** Remembers the last viewed publisher, for links to its pages. */
export function keepPublisher(publisherId: string): void {
  localStorage.setItem(KEY, publisherId)
}

/**
 * Returns the requested publisher, falling back to the last viewed one and then to the oldest; null if there are none.
 */
export function pickPublisher(known: readonly NamedPublisher[], wanted: string | undefined): NamedPublisher | null {
  const id = wanted ?? localStorage.getItem(KEY)
  return known.find(({ publisher_id }) => publisher_id === id) ?? known[0] ?? null
}

/** Returns the publisher in the URL, with the fallbacks of `pickPublisher`. */
export function usePublisher() {
  const { data } = useSuspenseQuery(publishers)
  const { publisher } = useParams({ strict: false })
  return pickPublisher(data, publisher)
}
