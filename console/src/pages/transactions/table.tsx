import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { money, words } from '../../format.ts'
import { TransactionPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import type { Column, Table } from '../../ui/list/table.tsx'
import { Time } from '../../ui/time.tsx'

type Transaction = Schemas['Transaction']

/** Returns true if the transaction is a refund of an unknown purchase. */
export function isRefundAlone({ status_reason }: Transaction): boolean {
  return status_reason === 'original_unknown'
}

/** Returns the merchant's name if known, and otherwise the bank's descriptor. */
export function getName(transaction: Transaction): string {
  const { merchant_name, merchant_descriptor, source } = transaction
  return merchant_name ?? merchant_descriptor ?? (isRefundAlone(transaction) ? 'Refund' : words(source))
}

/** Returns the user's total reward, whether given at checkout or later. */
export function computeReward({ user_cashback, user_discount }: Transaction): number {
  return user_cashback + user_discount
}

const USER: Column<Transaction> = {
  header: 'User',
  wideOnly: true,
  quiet: true,
  width: 'max-w-40',
  cell: ({ publisher_user_id }) => publisher_user_id,
}

/**
 * The table of purchases.
 * @param withoutUser set if all rows belong to one user, or if there is no room for a user column
 */
export function buildTransactionTable(publisherId: string, withoutUser = false): Table<Transaction> {
  return {
    caption: 'Transactions, newest first',
    toKey: ({ transaction_uid }) => transaction_uid,
    columns: [
      {
        header: 'Purchase',
        phone: 'title',
        name: getName,
        width: withoutUser ? 'max-w-52' : 'max-w-72',
        cell: (transaction) => (
          <RowLink
            to="/publishers/$publisher/transactions/$transaction"
            params={{ publisher: publisherId, transaction: transaction.transaction_uid }}
          >
            {getName(transaction)}
          </RowLink>
        ),
      },
      { header: 'Status', phone: 'aside', cell: ({ status }) => <TransactionPill status={status} /> },
      {
        header: 'Amount',
        align: 'right',
        phone: 'amount',
        cell: ({ amount, currency }) => money(amount, currency),
      },
      {
        header: 'Reward',
        align: 'right',
        cell: (transaction) => (
          <span className={computeReward(transaction) === 0 ? 'text-ink-3' : 'text-brand-ink'}>
            {money(computeReward(transaction), transaction.currency)}
          </span>
        ),
      },
      ...(withoutUser ? [] : [USER]),
      { header: 'Time', isTime: true, cell: renderTime },
    ],
    note: renderTime,
  }
}

function renderTime({ transaction_date_time: at }: Transaction): ReactNode {
  return <Time at={at} className="num" />
}

export function NoPurchases({ action }: { readonly action?: ReactNode }) {
  return (
    <Empty title="No purchases yet" action={action}>
      Purchases appear here as soon as a linked card, a network or the publisher reports them.
    </Empty>
  )
}
