import { getRouteApi } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { usePagedList } from '../../lists/use-list.tsx'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ButtonLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { ExportDialog } from './export.tsx'
import { TRANSACTIONS, type TransactionSearch } from './queries.ts'
import { buildTransactionTable, NoPurchases } from './table.tsx'
import { Views } from './views.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/transactions')

export default function Transactions() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { filtered, isFiltered, change, list } = usePagedList(TRANSACTIONS, publisherId)
  const [isExporting, setExporting] = useState(false)
  const open = ({ search_text, publisher_user_id, status }: TransactionSearch) =>
    change({ search_text, publisher_user_id, status })
  const total = list.paging?.total_elements ?? 0
  return (
    <ListPage
      title="Transactions"
      lead={`Every purchase at ${publisher?.name ?? 'the publisher'}, with its outcome.`}
      actions={
        <Button refusal={total === 0 ? 'There is nothing to export.' : null} onClick={() => setExporting(true)}>
          <Download aria-hidden="true" className="size-4" /> Export
        </Button>
      }
      above={<Views search={filtered} isFiltered={isFiltered} onOpen={open} />}
      {...buildTransactionTable(publisherId)}
      {...list}
      empty={isFiltered ? <NothingFits publisherId={publisherId} /> : <NothingYet />}
      none="No purchases"
    >
      {isExporting && (
        <ExportDialog publisherId={publisherId} search={filtered} total={total} onClose={() => setExporting(false)} />
      )}
    </ListPage>
  )
}

function NothingFits({ publisherId }: { readonly publisherId: string }) {
  const all = (
    <ButtonLink to="/publishers/$publisher/transactions" params={{ publisher: publisherId }}>
      Show all purchases
    </ButtonLink>
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
    <ButtonLink to="/publishers/$publisher/sandbox" params={{ publisher: publisher.publisher_id }}>
      Buy something in the sandbox
    </ButtonLink>
  )
  return <NoPurchases action={buy} />
}
