import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { clock } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { dateTime, plural } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/clock')
const DAY_SECONDS = 86_400
const STEPS = [1, 7, 31] as const

export default function SandboxClock() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { data } = useSuspenseQuery(clock(publisherId))
  const advance = useChange({
    act: (days: number) => post('/sandbox/clock', { body: { advance_days: days }, publisher: publisherId }),
    done: (_answer, days) => [`${plural(days, 'day')} later`, 'Everything that was due has been done.'],
    reload: ['/'],
    isForm: false,
  })
  const ahead = Math.round(data.offset_seconds / DAY_SECONDS)
  return (
    <>
      <PageHeader
        title="Sandbox clock"
        lead={`Rewards mature, authorizations lapse and webhooks are retried on the clock of ${publisher?.name ?? 'the publisher'}.`}
      />
      <Card className="max-w-xl p-5">
        <h2 className="text-ink-2 text-sm">Current time</h2>
        <p className="num mt-1 font-semibold text-[28px] leading-tight tracking-[-0.03em]">
          <time dateTime={data.now}>{dateTime(data.now)}</time>
        </p>
        <p className="mt-1 text-ink-2">
          {ahead === 0 ? 'The same as everywhere else.' : `${plural(ahead, 'day')} ahead of everywhere else.`}
        </p>
        <div className="mt-5 flex flex-wrap gap-2 border-line border-t pt-4">
          {STEPS.map((days) => (
            <Button
              key={days}
              tone={days === 1 ? 'primary' : 'plain'}
              busy={advance.isPending && advance.variables === days}
              disabled={advance.isPending}
              onClick={() => advance.mutate(days)}
            >
              {plural(days, 'day')} on
            </Button>
          ))}
        </div>
        <p className="mt-3 text-ink-3 text-sm">
          The clock never goes back. Everything due in between is done first: rewards mature, authorizations lapse, and
          claims that nobody has decided in time are declined.
        </p>
      </Card>
    </>
  )
}
