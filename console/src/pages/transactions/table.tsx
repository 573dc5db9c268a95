import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { dateTime, money, words } from '../../format.ts'
import { TransactionPill } from '../../statuses.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'

type Transaction = Schemas['Transaction']

/** Returns true if the transaction is a refund of an unknown purchase. */
export function isRefundAlone({ status_reason }: Transaction): boolean {
  return status_reason === 'original_unknown'
}

/** Returns the merchant's name if it is known, or else the bank's descriptor. */
export function nameOf(transaction: Transaction): string {
  const { merchant_name, merchant_descriptor, source } = transaction
  return merchant_name ?? merchant_descriptor ?? (isRefundAlone(transaction) ? 'Refund' : words(source))
}

/** Returns the user's total reward, whether paid at the till or later. */
export function rewardOf({ user_cashback, user_discount }: Transaction): number {
  return user_cashback + user_discount
}

function nameLink(publisherId: string): (transaction: Transaction) => ReactNode {
  return (transaction) => (
    <Link
      to="/publishers/$publisher/transactions/$transaction"
      params={{ publisher: publisherId, transaction: transaction.transaction_uid }}
      className="row-link block truncate font-medium"
    >
      {nameOf(transaction)}
    </Link>
  )
}

const USER: Column<Transaction> = {
  header: 'User',
  wideOnly: true,
  cell: ({ publisher_user_id }) => <span className="block max-w-40 truncate text-ink-2">{publisher_user_id}</span>,
}

function columnsFor(link: (transaction: Transaction) => ReactNode, withoutUser: boolean): Column<Transaction>[] {
  const columns: Column<Transaction>[] = [
    {
      header: 'Purchase',
      cell: (transaction) => (
        <div className={cx('flex items-center gap-2.5', withoutUser ? 'max-w-52' : 'max-w-72')}>
          <Monogram name={nameOf(transaction)} />
          {link(transaction)}
        </div>
      ),
    },
    { header: 'Status', cell: ({ status }) => <TransactionPill status={status} /> },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
    {
      header: 'Reward',
      align: 'right',
      cell: (transaction) => (
        <span className={rewardOf(transaction) === 0 ? 'text-ink-3' : 'text-brand-ink'}>
          {money(rewardOf(transaction), transaction.currency)}
        </span>
      ),
    },
    USER,
    {
      header: 'Time',
      cell: ({ transaction_date_time: at }) => (
        <time dateTime={at} className="num whitespace-nowrap text-ink-2">
          {dateTime(at)}
        </time>
      ),
    },
  ]
  return withoutUser ? columns.filter((column) => column !== USER) : columns
}

type Props = {
  readonly publisherId: string
  readonly rows: readonly Transaction[]
  readonly stale?: boolean
  /** Set if all rows belong to one user, or if there is no room to name the users. */
  readonly withoutUser?: boolean
  readonly empty?: ReactNode
}

export function TransactionTable({ publisherId, rows, stale = false, withoutUser = false, empty }: Props) {
  const link = nameLink(publisherId)
  return (
    <DataTable
      caption="Transactions, the newest first"
      columns={columnsFor(link, withoutUser)}
      rows={rows}
      keyOf={({ transaction_uid }) => transaction_uid}
      stale={stale}
      empty={
        empty ?? (
          <Empty title="No purchases yet">
            Purchases appear here as soon as a linked card, a network or the publisher reports them.
          </Empty>
        )
      }
      card={(transaction) => (
        <>
          <Monogram name={nameOf(transaction)} size="large" />
          <div className="min-w-0 flex-1">
            {link(transaction)}
            <time dateTime={transaction.transaction_date_time} className="num mt-0.5 block text-ink-3 text-xs">
              {dateTime(transaction.transaction_date_time)}
            </time>
          </div>
          <div className="text-right">
            <div className="num font-medium">{money(transaction.amount, transaction.currency)}</div>
            <TransactionPill status={transaction.status} />
          </div>
        </>
      )}
    />
  )
}
