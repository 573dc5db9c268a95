import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { get, type Schemas } from '../../api/client.ts'
import { reports } from '../../api/people-queries.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ago, count, day, plural, words } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { ReportPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { useFilters, usePages } from '../../ui/list/use-list.ts'
import { OrderDialog } from './order.tsx'

type Report = Schemas['Report']
const route = getRouteApi('/guarded/publishers/$publisher/reports')

const formatPeriod = ({ from, to }: Report) => (from === to ? day(from) : `${day(from)} – ${day(to)}`)

/** Reports for a range of days, generated in the background. */
export default function Reports() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { search, turn } = useFilters(route)
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
      {...usePages(reports(publisherId, search.page ?? 0))}
      empty={
        <Empty title="No reports yet">
          Order one, or let the publisher order one for each day or month through the API.
        </Empty>
      }
      none="No reports"
      onPage={turn}
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
      { header: 'Report', cell: ({ kind }) => <span className="font-medium">{words(kind)}</span> },
      { header: 'Status', cell: ({ status }) => <ReportPill status={status} /> },
      {
        header: 'Days',
        cell: (report) => <span className="num whitespace-nowrap text-ink-2">{formatPeriod(report)}</span>,
      },
      { header: 'Rows', align: 'right', cell: ({ rows }) => (rows === null ? '–' : count(rows)) },
      { header: 'Format', wideOnly: true, quiet: true, cell: ({ format }) => format },
      {
        header: 'Ordered',
        cell: ({ created_at, schedule }) => (
          <span className="whitespace-nowrap text-ink-2">
            {schedule === null ? ago(created_at) : `Each ${schedule}, ${ago(created_at)}`}
          </span>
        ),
      },
      { header: 'Action', align: 'right', cell: download },
    ],
    card: (report) => (
      <>
        <div className="min-w-0 flex-1">
          <div className="font-medium text-sm">{words(report.kind)}</div>
          <div className="mt-0.5 truncate text-ink-3 text-xs">
            {formatPeriod(report)}
            {report.rows !== null && ` · ${plural(report.rows, 'row')}`}
          </div>
          <div className="mt-1">
            <ReportPill status={report.status} />
          </div>
        </div>
        {download(report)}
      </>
    ),
  }
}
