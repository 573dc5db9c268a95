import { useQuery } from '@tanstack/react-query'
import { ACCOUNTS } from '../../accounts.ts'
import type { Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { money, words } from '../../format.ts'
import { CardList } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { postings } from './queries.ts'

type Posting = Schemas['TransactionPosting']
type Props = { readonly publisher: string; readonly transaction: string }

/** The journals of a purchase with all their postings, for people allowed to see money. */
export function Booked({ publisher, transaction }: Props) {
  const refusal = useScopeRefusal(publisher)('rewards:read')
  const { data, error } = useQuery({ ...postings(publisher, transaction), enabled: refusal === null })
  const empty = refusal ?? error?.message ?? 'Nothing has been booked for this purchase yet.'
  if (refusal === null && error === null && data === undefined) return <div className="skeleton h-32" />
  const journals = Object.entries(Object.groupBy(data ?? [], ({ journal_id }) => journal_id))
  return (
    <CardList title="What was booked" rows={journals} empty={empty} ordered>
      {([id, lines = []]) => (
        <li key={id} className="px-5 py-3">
          <Journal lines={lines} />
        </li>
      )}
    </CardList>
  )
}

function Journal({ lines }: { readonly lines: readonly Posting[] }) {
  const [first] = lines
  if (first === undefined) return null
  const side = (amount: number, currency: string) => (amount > 0 ? money(amount, currency) : '')
  return (
    <table className="num w-full text-sm">
      <caption className="text-left font-medium">
        {words(first.kind)} <Time at={first.effective_at} className="font-normal text-ink-3 text-xs" />
      </caption>
      <thead>
        <tr className="text-right text-ink-3 text-xs">
          <th scope="col" className="py-1 text-left font-normal">
            Account
          </th>
          <th scope="col" className="w-24 font-normal">
            Debit
          </th>
          <th scope="col" className="w-24 font-normal">
            Credit
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ account, amount, currency }) => (
          <tr key={account} className="text-right">
            <td className="py-0.5 text-left text-ink-2" title={ACCOUNTS[account][1]}>
              {ACCOUNTS[account][0]}
            </td>
            <td>{side(amount, currency)}</td>
            <td>{side(-amount, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
