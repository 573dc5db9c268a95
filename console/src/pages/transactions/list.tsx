import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { PAGE_SIZE, type TransactionSearch, transactions } from '../../api/queries.ts'
import { usePublisher } from '../../publisher.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar, SearchBox } from '../../ui/list/filters.tsx'
import { Pager } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ExportDialog } from './export.tsx'
import { TransactionTable } from './table.tsx'
import { Views } from './views.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/transactions')
const STATUSES = [
  [undefined, 'All'],
  ['PENDING', 'Pending'],
  ['EARNED', 'Earned'],
  ['CANCELLED', 'Cancelled'],
] as const

export default function Transactions() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isExporting, setExporting] = useState(false)
  const { data, isPlaceholderData } = useQuery(transactions(publisherId, search))
  const change = (changed: TransactionSearch) =>
    navigate({
      search: (old) => {
        const next = { ...old, page: undefined, ...changed }
        return Object.fromEntries(Object.entries(next).filter(([, value]) => value)) as typeof old
      },
      replace: true,
    })
  const total = data?.total_elements ?? 0
  const page = search.page ?? 0
  const rows = data?.content ?? []
  const isFiltered = Boolean(search.text ?? search.user ?? search.status)
  return (
    <>
      <PageHeader
        title="Transactions"
        lead={`Every purchase at ${publisher?.name ?? 'the publisher'}, with its outcome.`}
        actions={
          <Button refusal={total === 0 ? 'There is nothing to export.' : null} onClick={() => setExporting(true)}>
            <Download aria-hidden="true" className="size-4" /> Export
          </Button>
        }
      />
      <Card>
        <FilterBar>
          <SearchBox
            label="Merchant, order or transaction"
            value={search.text ?? ''}
            onChange={(text) => change({ text })}
          />
          {search.user !== undefined && (
            <button type="button" onClick={() => change({ user: undefined })} className={buttonClass('plain')}>
              User {search.user}
              <X aria-hidden="true" className="size-3.5" />
              <span className="sr-only">: show all users</span>
            </button>
          )}
          <Choice label="Status" value={search.status} options={STATUSES} onChange={(status) => change({ status })} />
        </FilterBar>
        <Views search={search} onOpen={({ status, text, user }) => change({ status, text, user })} />
        <TransactionTable
          publisherId={publisherId}
          rows={rows}
          stale={isPlaceholderData}
          empty={
            isFiltered ? (
              <NothingFits publisherId={publisherId} />
            ) : publisher?.environment === 'sandbox' ? (
              <NothingYet publisherId={publisherId} />
            ) : undefined
          }
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={total}
          none="No purchases"
          onPage={(next) => change({ page: next === 0 ? undefined : next })}
        />
      </Card>
      {isExporting && (
        <ExportDialog publisherId={publisherId} search={search} total={total} onClose={() => setExporting(false)} />
      )}
    </>
  )
}

function NothingFits({ publisherId }: { readonly publisherId: string }) {
  const all = (
    <Link to="/publishers/$publisher/transactions" params={{ publisher: publisherId }} className={buttonClass()}>
      Show all purchases
    </Link>
  )
  return (
    <Empty title="No purchases match this filter" action={all}>
      Try fewer letters, or another status.
    </Empty>
  )
}

function NothingYet({ publisherId }: { readonly publisherId: string }) {
  const buy = (
    <Link to="/publishers/$publisher/sandbox" params={{ publisher: publisherId }} className={buttonClass()}>
      Buy something in the sandbox
    </Link>
  )
  return (
    <Empty title="No purchases yet" action={buy}>
      Purchases appear here as soon as a linked card, a network or the publisher reports them.
    </Empty>
  )
}
