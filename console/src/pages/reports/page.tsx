import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { get, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ago, count, day, plural, words } from '../../format.ts'
import { usePagedList } from '../../lists/use-list.tsx'
import { usePublisher } from '../../publisher.ts'
import { ReportPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { OrderDialog } from './order.tsx'
import { REPORTS } from './queries.ts'

type Report = Schemas['Report']
const route = getRouteApi('/guarded/publishers/$publisher/reports')

const formatPeriod = ({ from, to }: Report) => (from === to ? day(from) : `${day(from)} – ${day(to)}`)

/** Reports for a range of days, generated in the background. */
export default function Reports() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const mayOrder = useScopeRefusal(publisherId)('reports:write')
  const [isOrdering, setOrdering] = useState(false)
  const fetchFile = useMutation({
    mutationFn: async ({ report_id }: Report) => {
      const params = { path: { report_id } }
      const { url } = await get('/reports/{report_id}', { ...params, publisher: publisherId })
      if (url !== null) location.assign(url)
    },
  })
  const download = (report: Report) => (
    <Button
      busy={fetchFile.isPending}
      refusal={report.status === 'ready' ? null : `The file is ${words(report.status).toLowerCase()}.`}
      onClick={() => fetchFile.mutate(report)}
    >
      Download
    </Button>
  )
  return (
    <ListPage
      title="Reports"
      lead={`Records of ${publisher?.name ?? 'the publisher'} for a range of days, as files.`}
      actions={
        <Button tone="primary" refusal={mayOrder} onClick={() => setOrdering(true)}>
          Order a report
        </Button>
      }
      {...buildTable(download)}
      {...usePagedList(REPORTS, publisherId).list}
      empty={
        <Empty title="No reports yet">
          Order one, or let the publisher order one for each day or month through the API.
        </Empty>
      }
      none="No reports"
    >
      {isOrdering && <OrderDialog publisher={publisherId} onClose={() => setOrdering(false)} />}
    </ListPage>
  )
}

function buildTable(download: (report: Report) => ReactNode): Table<Report> {
  return {
    caption: 'Reports, newest first',
    toKey: ({ report_id }) => report_id,
    columns: [
      { header: 'Report', phone: 'title', cell: ({ kind }) => words(kind) },
      { header: 'Status', phone: 'aside', cell: ({ status }) => <ReportPill status={status} /> },
      { header: 'Days', isTime: true, cell: formatPeriod },
      { header: 'Rows', align: 'right', cell: ({ rows }) => (rows === null ? '–' : count(rows)) },
      { header: 'Format', wideOnly: true, quiet: true, cell: ({ format }) => format },
      {
        header: 'Ordered',
        isTime: true,
        cell: ({ created_at, schedule }) => (schedule === null ? '' : `Each ${schedule}, `) + ago(created_at),
      },
      { header: 'Action', align: 'right', phone: 'actions', cell: download },
    ],
    note: (report) => formatPeriod(report) + (report.rows === null ? '' : ` · ${plural(report.rows, 'row')}`),
  }
}
