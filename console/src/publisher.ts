import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type NamedPublisher, publishers } from './api/queries.ts'

const KEY = 'laurel-publisher'

/** Remembers which publisher was looked at, for the links to what belongs to one. */
export function keepPublisher(publisherId: string): void {
  localStorage.setItem(KEY, publisherId)
}

/** The publisher that is wanted, else the one that was looked at last, else the oldest; null: there is none. */
export function publisherOf(known: readonly NamedPublisher[], wanted: string | undefined): NamedPublisher | null {
  const id = wanted ?? localStorage.getItem(KEY)
  return known.find(({ publisher_id }) => publisher_id === id) ?? known[0] ?? null
}

/** The publisher of the address, as `publisherOf` says. */
export function usePublisher() {
  const { data } = useSuspenseQuery(publishers)
  const { publisher } = useParams({ strict: false })
  return publisherOf(data, publisher)
}
