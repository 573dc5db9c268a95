import type { Schemas } from '../../api/client.ts'
import { money, plural, words } from '../../format.ts'

const SHOWN = 10

/** Previews the changes that a re-match would make. */
export function Planned({
  planned: { examined, changed, changes, totals },
}: {
  readonly planned: Schemas['RematchPreview']
}) {
  return (
    <div role="status" className="space-y-3 text-sm">
      <p>
        Of {plural(examined, 'purchase')}, {changed === 0 ? 'none' : changed} would change.
      </p>
      {totals.map(({ currency, user_cashback: { before, after } }) => (
        <p key={currency} className="num rounded-md bg-sunken px-3 py-2">
          Cashback of users: {money(before, currency)} before, {money(after, currency)} after
        </p>
      ))}
      {changes.length > 0 && (
        <ul className="divide-y divide-line">
          {changes.slice(0, SHOWN).map(({ transaction_uid, before, after }) => (
            <li key={transaction_uid} className="num py-1.5">
              <code className="block truncate font-mono text-xs">{transaction_uid}</code>
              {words(before.status)} {money(before.user_cashback, before.currency)} → {words(after.status)}{' '}
              {money(after.user_cashback, after.currency)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
