import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { money } from '../../format.ts'
import { status } from './queries.ts'

/** The user's balances in each currency of the publisher. */
export function Balances({ publisher, user }: { readonly publisher: string; readonly user: string }) {
  const { data } = useSuspenseQuery(status(publisher, user))
  return (
    <section aria-label="Balance" className="mb-5 overflow-hidden rounded-lg bg-line shadow-card">
      {data.accounts.map((account) => (
        <dl key={account.currency} className="mb-px grid grid-cols-2 gap-px last:mb-0 xl:grid-cols-4">
          {toTiles(account).map(([label, amount]) => (
            <div key={label} className="bg-surface p-5 max-sm:p-4">
              <dt className="text-ink-2 text-sm">{label}</dt>
              <dd className="num mt-1.5 font-semibold text-[24px] leading-none tracking-[-0.03em] max-sm:text-xl">
                {money(amount, account.currency)}
              </dd>
            </div>
          ))}
        </dl>
      ))}
    </section>
  )
}

function toTiles(account: Schemas['Account']): readonly (readonly [label: string, amount: number])[] {
  return [
    ['Ready to redeem', account.available_cashback],
    ['Pending', account.pending_cashback],
    ['Ever earned', account.total_earned_cashback],
    account.debt > 0 ? ['Owes', account.debt] : ['Paid out', account.redeemed_cashback],
  ]
}
