import type { Schemas } from '../../api/client.ts'
import { Segments } from '../../charts/segments.tsx'
import { money } from '../../format.ts'

type StatementAgeing = Schemas['StatementAgeing']

/** The aging buckets of amounts open at the end of the month, each with its label and a color for its severity. */
export const AGES = [
  ['current', 'Current', 'brand'],
  ['days_1_30', '1–30 days', 'info'],
  ['days_31_60', '31–60 days', 'gold'],
  ['days_61_90', '61–90 days', 'bad'],
  ['days_over_90', 'Over 90 days', 'bad'],
] as const

export function Ageing({ ageing, currency }: { readonly ageing: StatementAgeing; readonly currency: string }) {
  const credit = Number(ageing.credit)
  return (
    <>
      <Segments
        label="What is open, by age"
        parts={AGES.map(([name, label, tone]) => ({
          label,
          tone,
          value: Number(ageing[name]),
          text: money(Number(ageing[name]), currency),
        }))}
      />
      {credit > 0 && <p className="mt-3 text-ink-2 text-sm">{money(credit, currency)} is paid ahead.</p>}
    </>
  )
}
