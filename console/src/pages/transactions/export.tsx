import { useRef, useState } from 'react'
import { get, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { csvCell } from '../../csv.ts'
import { saveFile } from '../../files.ts'
import { count } from '../../format.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TRANSACTIONS, type TransactionSearch } from './queries.ts'

type Transaction = Schemas['Transaction']
const COLUMNS = [
  ...(['transaction_uid', 'publisher_user_id', 'transaction_date_time', 'status', 'status_reason'] as const),
  ...(['merchant_name', 'merchant_descriptor', 'brand_uid', 'source', 'external_id', 'order_id'] as const),
  ...(['currency', 'amount', 'refunded_amount', 'user_cashback', 'user_discount', 'publisher_share'] as const),
  ...(['offer_uid', 'cleared_on', 'available_on', 'created_at', 'updated_at'] as const),
] satisfies readonly (keyof Transaction)[]

// The largest page that the service returns.
const AT_ONCE = 100

type Props = {
  readonly publisherId: string
  readonly search: TransactionSearch
  readonly total: number
  readonly onClose: () => void
}

/** Exports all pages of the list as a file. Closing the dialog stops the export. */
export function ExportDialog({ publisherId, search, total, onClose }: Props) {
  const [read, setRead] = useState(0)
  const stop = useRef(new AbortController())
  const collect = useChange({
    act: async () => {
      const lines = [COLUMNS.join(',')]
      for (let page = 0; ; page++) {
        const params = { query: { ...TRANSACTIONS.toQuery(search), page, size: AT_ONCE } }
        const { content, last } = await get('/transactions', {
          ...params,
          signal: stop.current.signal,
          publisher: publisherId,
        })
        for (const transaction of content) lines.push(COLUMNS.map((name) => csvCell(transaction[name])).join(','))
        setRead(lines.length - 1)
        if (last || content.length === 0) return new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' })
      }
    },
    onDone: (file) => {
      onClose()
      saveFile('transactions.csv', file)
    },
    done: 'Transactions downloaded',
  })
  return (
    <ConfirmDialog
      onClose={() => {
        stop.current.abort()
        onClose()
      }}
      title="Export transactions"
      lead={`${count(total)} transactions that match this filter, as a CSV file, newest first.`}
      confirm="Download"
      change={collect}
    >
      {collect.isPending && (
        <div role="status" className="text-ink-2 text-sm">
          <progress aria-label="Read so far" max={total} value={read} className="h-1.5 w-full accent-brand" />
          <p className="num mt-1">
            {count(read)} of {count(total)}
          </p>
        </div>
      )}
    </ConfirmDialog>
  )
}
