import { useQuery } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { dateTime, plural, words } from '../../format.ts'
import { DeliveryPill } from '../../statuses.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { Scroll } from '../../ui/scroll.tsx'
import { delivery } from './queries.ts'

type Props = {
  readonly publisherId: string
  readonly deliveryId: string
  readonly findUrl: (delivery: Schemas['WebhookDelivery']) => string
  readonly onClose: () => void
}

/** Shows the content of a delivery and the receiver's response to each attempt, with a button to send it again. */
export function DeliveryDialog({ publisherId, deliveryId, findUrl, onClose }: Props) {
  const { data, error } = useQuery(delivery(publisherId, deliveryId))
  const replay = useChange({
    act: () => {
      const params = { path: { delivery_id: deliveryId } }
      return post('/webhooks/deliveries/{delivery_id}/replay', { ...params, publisher: publisherId })
    },
    onDone: onClose,
    done: 'Sending again',
    reload: ['/webhooks/deliveries'],
  })
  const refusal = useScopeRefusal(publisherId)('webhooks:write')
  return (
    <ConfirmDialog
      wide
      onClose={onClose}
      title={data?.delivery.event_type ?? 'Delivery'}
      lead={data === undefined ? undefined : findUrl(data.delivery)}
      cancel="Close"
      confirm="Send again"
      refusal={refusal}
      change={{ ...replay, error: error ?? replay.error }}
    >
      {data === undefined ? error === null && <div className="skeleton h-40" /> : <Shown {...data} />}
    </ConfirmDialog>
  )
}

const WAITING: Record<NonNullable<Schemas['WebhookDelivery']['waits_for']>, string> = {
  endpoint: 'It is waiting until the endpoint accepts deliveries again.',
  earlier_delivery: 'It is waiting for an earlier event for the same user.',
  next_attempt: 'It is waiting for its next attempt.',
  sender: 'It is due and about to be sent.',
}

function Shown({ delivery: shown, event, content: attempts }: Schemas['WebhookAttemptList']) {
  const { attempts: total, next_attempt_at: next, waits_for: cause } = shown
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm">
        <DeliveryPill status={shown.status} />
        <Copyable text={shown.delivery_id} />
        {next !== null && <span className="num">next attempt {dateTime(next)}</span>}
      </p>
      <section aria-labelledby="attempts">
        <h3 id="attempts" className="font-medium text-sm">
          {total > attempts.length
            ? `The last ${attempts.length} of ${plural(total, 'attempt')}`
            : plural(total, 'attempt')}
        </h3>
        {cause !== null && <p className="mt-1 text-ink-2 text-sm">{WAITING[cause]}</p>}
        <ol className="divide-y divide-line">
          {attempts.map(({ attempted_at, response_status, error, latency_ms, answer }) => (
            <li key={attempted_at} className="py-2 text-sm">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className={error === null ? 'text-good' : 'text-bad'}>
                  {[response_status, error === null ? 'Accepted' : words(error)]
                    .filter((part) => part !== null)
                    .join(' · ')}
                </span>
                <span className="num text-ink-3 text-xs">
                  {dateTime(attempted_at)}
                  {latency_ms !== null && `, ${latency_ms} ms`}
                </span>
              </div>
              {answer !== null && answer !== '' && (
                <code className="mt-1 block break-all font-mono text-ink-2 text-xs">{answer}</code>
              )}
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="body">
        <h3 id="body" className="font-medium text-sm">
          What is sent
        </h3>
        {event === null ? (
          <p className="mt-1 text-ink-2 text-sm">The event is no longer kept.</p>
        ) : (
          <Scroll label="Body" className="mt-2 max-h-72 overflow-y-auto rounded-md bg-sunken p-3">
            <pre className="font-mono text-xs">{JSON.stringify(event, null, 2)}</pre>
          </Scroll>
        )}
      </section>
    </>
  )
}
