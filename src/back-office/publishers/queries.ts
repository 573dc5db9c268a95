import { selectListCount } from '../../platform/db/list-counts.ts'
import { enumField, textField } from '../../platform/http/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { equals, type OperatorList, unindexed } from '../../tenants/access/index.ts'
import { ENVIRONMENTS, type PublisherRow, publisherColumns } from '../../tenants/publishers/index.ts'

type ListedPublisher = PublisherRow & {
  readonly publisherId: PublisherId
  /** The number of users. */
  readonly users: string
}

/** All publishers, oldest first. */
export const PUBLISHER_LIST: OperatorList<ListedPublisher> = {
  table: 'publishers',
  id: 'publisherId',
  columns: (reader) => reader`
    publishers.publisher_id, ${publisherColumns(reader)},
    ${selectListCount(reader, 'publishers.publisher_id', 'users')} as users`,
  sorts: { created_at: 'instant', '-created_at': 'instant', name: 'text', '-name': 'text' },
  filters: {
    environment: equals('environment', enumField(ENVIRONMENTS, 'Only this environment.')),
    search_text: unindexed({
      parameter: textField(255, 'Part of the name.'),
      where: (reader, table, value: string) => reader`strpos(lower(${reader(table)}.name), lower(${value})) > 0`,
    }),
  },
}
