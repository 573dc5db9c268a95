import { useSuspenseQuery } from '@tanstack/react-query'
import { dateTime, money, words } from '../../format.ts'
import { CardList } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { reportedEvents } from './queries.ts'

/** The source events that make up a purchase, as they were reported. */
export function Reports({ publisher, transaction }: { readonly publisher: string; readonly transaction: string }) {
  const { data } = useSuspenseQuery(reportedEvents(publisher, transaction))
  return (
    <CardList title="What was reported" rows={data} empty="Its events count toward another purchase." ordered>
      {(event) => (
        <li
          key={`${event.source} ${event.external_id}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-5 py-2.5 text-sm"
        >
          <div className="min-w-0">
            <span className="font-medium">{words(event.kind)}</span>{' '}
            <span className="text-ink-2">by {words(event.source).toLowerCase()}</span>{' '}
            <Copyable text={event.external_id} short />
            {event.merchant_descriptor !== null && (
              <p className="break-words font-mono text-ink-3 text-xs">{event.merchant_descriptor}</p>
            )}
          </div>
          <div className="ml-auto text-right">
            <div className="num font-medium">{money(event.amount, event.currency)}</div>
            <time dateTime={event.received_at} className="num text-ink-3 text-xs">
              reported {dateTime(event.received_at)}
            </time>
          </div>
        </li>
      )}
    </CardList>
  )
}
