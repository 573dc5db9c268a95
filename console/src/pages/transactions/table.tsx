import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { dateTime, money, words } from '../../format.ts'
import { TransactionPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { type Column, NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'

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

type LinkProps = { readonly publisherId: string; readonly transaction: Transaction }

function NameLink({ publisherId, transaction }: LinkProps) {
  return (
    <Link
      to="/publishers/$publisher/transactions/$transaction"
      params={{ publisher: publisherId, transaction: transaction.transaction_uid }}
      className="row-link block truncate font-medium"
    >
      {getName(transaction)}
    </Link>
  )
}

const USER: Column<Transaction> = {
  header: 'User',
  wideOnly: true,
  cell: ({ publisher_user_id }) => <span className="block max-w-40 truncate text-ink-2">{publisher_user_id}</span>,
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
        cell: (transaction) => (
          <NamedCell name={getName(transaction)} className={withoutUser ? 'max-w-52' : 'max-w-72'}>
            <NameLink publisherId={publisherId} transaction={transaction} />
          </NamedCell>
        ),
      },
      { header: 'Status', cell: ({ status }) => <TransactionPill status={status} /> },
      { header: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
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
      {
        header: 'Time',
        cell: ({ transaction_date_time: at }) => (
          <time dateTime={at} className="num whitespace-nowrap text-ink-2">
            {dateTime(at)}
          </time>
        ),
      },
    ],
    card: (transaction) => (
      <RowCard
        name={getName(transaction)}
        title={<NameLink publisherId={publisherId} transaction={transaction} />}
        note={
          <time dateTime={transaction.transaction_date_time} className="num">
            {dateTime(transaction.transaction_date_time)}
          </time>
        }
        amount={money(transaction.amount, transaction.currency)}
      >
        <TransactionPill status={transaction.status} />
      </RowCard>
    ),
  }
}

export function NoPurchases({ action }: { readonly action?: ReactNode }) {
  return (
    <Empty title="No purchases yet" action={action}>
      Purchases appear here as soon as a linked card, a network or the publisher reports them.
    </Empty>
  )
}
