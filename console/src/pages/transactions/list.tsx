import { getRouteApi, Link } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { transactions } from '../../api/queries.ts'
import { usePublisher } from '../../publisher.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, SearchBox } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { useFilters, usePages } from '../../ui/list/use-list.ts'
import { ExportDialog } from './export.tsx'
import { buildTransactionTable, NoPurchases } from './table.tsx'
import { Views } from './views.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/transactions')
const STATUSES = [
  [undefined, 'All'],
  ['PENDING', 'Pending'],
  ['EARNED', 'Earned'],
  ['CANCELLED', 'Canceled'],
] as const

export default function Transactions() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { search, change, turn } = useFilters(route)
  const [isExporting, setExporting] = useState(false)
  const list = usePages(transactions(publisherId, search))
  const total = list.paging?.total_elements ?? 0
  const isFiltered = Boolean(search.text ?? search.user ?? search.status)
  return (
    <ListPage
      title="Transactions"
      lead={`Every purchase at ${publisher?.name ?? 'the publisher'}, with its outcome.`}
      actions={
        <Button refusal={total === 0 ? 'There is nothing to export.' : null} onClick={() => setExporting(true)}>
          <Download aria-hidden="true" className="size-4" /> Export
        </Button>
      }
      filters={
        <>
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
        </>
      }
      above={<Views search={search} onOpen={({ status, text, user }) => change({ status, text, user })} />}
      {...buildTransactionTable(publisherId)}
      {...list}
      empty={isFiltered ? <NothingFits publisherId={publisherId} /> : <NothingYet />}
      none="No purchases"
      onPage={turn}
    >
      {isExporting && (
        <ExportDialog publisherId={publisherId} search={search} total={total} onClose={() => setExporting(false)} />
      )}
    </ListPage>
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

/** Replaces an empty list. In a sandbox, offers a way to fill it. */
function NothingYet() {
  const publisher = usePublisher()
  if (publisher?.environment !== 'sandbox') return <NoPurchases />
  const buy = (
    <Link to="/publishers/$publisher/sandbox" params={{ publisher: publisher.publisher_id }} className={buttonClass()}>
      Buy something in the sandbox
    </Link>
  )
  return <NoPurchases action={buy} />
}
