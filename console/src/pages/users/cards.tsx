import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { linkedCards } from '../../api/queries.ts'
import { dateTime } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { CardList } from '../../ui/card.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Pill } from '../../ui/pill.tsx'
import { BreakLogin } from '../sandbox/break-login.tsx'

type Linked = Schemas['LinkedCard']

const ERRORS: Readonly<Record<Schemas['CardError'], string>> = {
  NEED_AUTHENTICATION: 'Sign-in needed',
  UNKNOWN: 'Cannot be read',
}

/** The user's linked cards, with a note on those that currently report no purchases. */
export function Cards({ publisher, user }: { readonly publisher: string; readonly user: string }) {
  const { linked_institutions: linked } = useSuspenseQuery(linkedCards(publisher, user)).data
  const isSandbox = usePublisher()?.environment === 'sandbox'
  return (
    <CardList title="Linked cards" rows={linked} empty="No linked cards. Users link cards in the publisher’s app.">
      {(institution) => (
        <li key={institution.institution_id} className="px-5 py-3">
          <div className="flex items-center gap-2.5 font-medium">
            <Monogram name={institution.institution_name} />
            <span className="min-w-0 break-words">{institution.institution_name}</span>
          </div>
          {institution.new_accounts_available && (
            <p className="mt-1.5 text-ink-3 text-xs">There are more accounts that the user could link.</p>
          )}
          <ul className="mt-2 space-y-2">
            {institution.linked_cards.map((card) => (
              <LinkedCard key={card.card_id} card={card} />
            ))}
          </ul>
          {isSandbox && (
            <div className="mt-3">
              <BreakLogin publisher={publisher} user={user} institution={institution} />
            </div>
          )}
        </li>
      )}
    </CardList>
  )
}

function LinkedCard({ card: { name, mask, error, reauthentication_deadline: deadline } }: { readonly card: Linked }) {
  return (
    <li>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0 break-words text-ink-2">
          {name} {mask !== null && <span className="num whitespace-nowrap text-ink-3">•••• {mask}</span>}
        </span>
        <Pill tone={error === null ? 'good' : 'bad'}>{error === null ? 'Works' : ERRORS[error]}</Pill>
      </div>
      {error !== null && (
        <p className="mt-1 text-ink-3 text-xs">
          Its purchases are not seen until the user repairs the login in the app
          {deadline === null ? '.' : `, at the latest by ${dateTime(deadline)}.`}
        </p>
      )}
    </li>
  )
}
