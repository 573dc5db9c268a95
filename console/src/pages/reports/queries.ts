import { queryOptions } from '@tanstack/react-query'
import { PAGE_SIZE } from '../../api/query.ts'
import { publisherList } from '../../lists/list.ts'

const LIST = publisherList('/reports', {}, PAGE_SIZE)
// The polling interval for the list while a report is being generated.
const REPORTS_MS = 3_000

export const REPORTS = {
  ...LIST,
  read: (...asked: Parameters<typeof LIST.read>) =>
    queryOptions({
      ...LIST.read(...asked),
      refetchInterval: ({ state }) =>
        state.data?.content.some(({ status }) => status === 'queued' || status === 'running') ? REPORTS_MS : false,
    }),
}
