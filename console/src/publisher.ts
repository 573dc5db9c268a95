import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { publishers } from './api/queries.ts'

const KEY = 'laurel-publisher'

/** Remembers which publisher was looked at, for the links to what belongs to one. */
export function keepPublisher(publisherId: string): void {
  localStorage.setItem(KEY, publisherId)
}

/** The publisher of the address, else the one that was looked at last, else the oldest; null: there is none. */
export function usePublisher() {
  const { data } = useSuspenseQuery(publishers)
  const { publisher } = useParams({ strict: false })
  const wanted = publisher ?? localStorage.getItem(KEY)
  return data.find(({ publisher_id }) => publisher_id === wanted) ?? data[0] ?? null
}
