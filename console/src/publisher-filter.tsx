import { useSuspenseQuery } from '@tanstack/react-query'
import { publishers } from './api/queries.ts'
import { SelectFilter } from './ui/list/filters.tsx'
import type { Column } from './ui/list/table.tsx'

/** Returns the name of a publisher, or its id if it is not in the list. */
export function usePublisherName(): (publisherId: string) => string {
  const { data } = useSuspenseQuery(publishers)
  return (publisherId) => data.find(({ publisher_id }) => publisher_id === publisherId)?.name ?? publisherId
}

export function PublisherName({ id }: { readonly id: string }) {
  return usePublisherName()(id)
}

/** The publisher column, for lists that span publishers. */
export const PUBLISHER_COLUMN: Column<{ readonly publisher_id: string }> = {
  header: 'Publisher',
  wideOnly: true,
  quiet: true,
  cell: ({ publisher_id }) => <PublisherName id={publisher_id} />,
}

type Props = {
  readonly value: string | undefined
  /** The label for all publishers; null if the list always shows a single publisher. */
  readonly all?: string | null
  readonly onChange: (publisherId: string | undefined) => void
}

/** Filters a list by publisher. */
export function PublisherFilter({ value, all = 'All publishers', onChange }: Props) {
  const { data } = useSuspenseQuery(publishers)
  return (
    <SelectFilter
      label="Publisher"
      value={value}
      {...(all === null ? {} : { all })}
      options={data.map(({ publisher_id, name }) => [publisher_id, name])}
      onChange={onChange}
    />
  )
}
