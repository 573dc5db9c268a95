import { useQuery } from '@tanstack/react-query'
import { useRefusal } from '../../api/permissions.ts'
import { type NamedPublisher, overview } from '../../api/queries.ts'
import { Segments } from '../../charts/segments.tsx'
import { GroupedBars, type Series } from '../../charts/weeks.tsx'
import { money, moneyShort } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Health } from './health.tsx'
import { sumWeeks, WEEKS } from './weeks.ts'

/** The balances of a publisher's users, their weekly rewards, and the health of the publisher's sources. */
export default function Money({ publisher: { publisher_id, name, currency } }: { readonly publisher: NamedPublisher }) {
  const refusal = useRefusal()('overview:read')
  const { data } = useQuery({ ...overview(publisher_id), enabled: refusal === null })
  if (refusal !== null) return null
  if (data === undefined) return <div className="skeleton mb-5 h-96" />
  const state = data.money.find((one) => one.currency === currency)
  const { pending = 0, available = 0, held = 0, paid = 0 } = state ?? {}
  const tiles = [
    ['Pending', pending, 'Refund period not over yet'],
    ['Available', available, 'Ready for users to redeem'],
    ['Being paid out', held, 'Held for redemptions in progress'],
    ['Paid out', paid, 'All time'],
  ] as const
  return (
    <>
      <h2 className="mb-2 font-medium text-base">Rewards at {name}</h2>
      <section aria-label={`Rewards at ${name}`} className="mb-5 overflow-hidden rounded-lg bg-line shadow-card">
        <div className="grid gap-px sm:grid-cols-2 xl:grid-cols-4">
          {tiles.map(([label, amount, note]) => (
            <div key={label} className="bg-surface p-5">
              <h3 className="text-ink-2 text-sm">{label}</h3>
              <p className="num mt-1.5 font-semibold text-[26px] leading-none tracking-[-0.03em]">
                {money(amount, currency)}
              </p>
              <p className="mt-2 text-ink-3 text-xs">{note}</p>
            </div>
          ))}
        </div>
        <div className="mt-px bg-surface px-5 py-4">
          <Segments
            label={`Rewards at ${name} by status`}
            parts={[
              { label: 'Pending', value: pending, tone: 'gold', text: money(pending, currency) },
              { label: 'Available', value: available, tone: 'brand', text: money(available, currency) },
              { label: 'Being paid out', value: held, tone: 'info', text: money(held, currency) },
            ]}
          />
        </div>
      </section>
      <Health overview={data} publisherId={publisher_id} />
      <Card className="mb-5">
        <CardTitle aside={`${currency} per week`}>Reward activity at {name}</CardTitle>
        <div className="px-5 pt-5 pb-4">
          <GroupedBars
            label={`Reward activity at ${name}, last ${WEEKS} weeks, in ${currency}`}
            series={SERIES}
            groups={sumWeeks(data.days, currency, data.intake.at(-1)?.day ?? new Date().toISOString().slice(0, 10))}
            shortText={(value) => moneyShort(value, currency)}
            text={(value) => money(value, currency)}
          />
        </div>
      </Card>
    </>
  )
}

const SERIES: readonly Series[] = [
  { name: 'New', tone: 'gold' },
  { name: 'Became available', tone: 'brand' },
  { name: 'Paid out', tone: 'info' },
  { name: 'Reversed', tone: 'bad' },
]
