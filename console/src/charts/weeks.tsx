import { useId } from 'react'
import { Scroll } from '../ui/scroll.tsx'

const FILLS = { gold: 'fill-gold', brand: 'fill-brand', info: 'fill-info', bad: 'fill-bad' } as const
const DOTS = { gold: 'bg-gold', brand: 'bg-brand', info: 'bg-info', bad: 'bg-bad' } as const

export type Series = { readonly name: string; readonly tone: keyof typeof FILLS }
type Group = {
  readonly label: string
  /** One value per series. */
  readonly values: readonly number[]
}

type Props = {
  readonly label: string
  readonly series: readonly Series[]
  readonly groups: readonly Group[]
  /** Formats a value in short form for the axis. */
  readonly shortText: (value: number) => string
  readonly text: (value: number) => string
}

const TICKS = 4
/** The fraction of a group's width that stays empty. */
const GAP = 0.28

/** A grouped bar chart, with a table of the same numbers for anyone who cannot or would rather not read the bars. */
export function GroupedBars(props: Props) {
  const { label, series, groups } = props
  const caption = useId()
  return (
    <figure aria-labelledby={caption}>
      <figcaption id={caption} className="sr-only">
        {label}
      </figcaption>
      <div aria-hidden="true">
        <Plot {...props} />
        <div className="mt-2 flex overflow-hidden pl-14">
          {groups.map(({ label: group }, index) => (
            <span
              key={group}
              className={`num min-w-0 flex-1 whitespace-nowrap text-center text-[11px] text-ink-3 ${index % 3 === 0 ? '' : 'max-xl:invisible'}`}
            >
              {group}
            </span>
          ))}
        </div>
        <div className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {series.map(({ name, tone }) => (
            <span key={name} className="inline-flex items-center gap-2 text-ink-2">
              <span className={`size-2 rounded-full ${DOTS[tone]}`} />
              {name}
            </span>
          ))}
        </div>
      </div>
      <Numbers {...props} />
    </figure>
  )
}

function Plot({ label, series, groups, shortText, text }: Props) {
  const step = niceStep(Math.max(...groups.flatMap(({ values }) => values), 0) / TICKS)
  const top = step * TICKS
  const width = 100 / Math.max(1, groups.length)
  const bar = (width * (1 - GAP)) / series.length
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => index * step)
  return (
    <div className="relative h-48">
      {ticks.map((tick) => (
        <div
          key={tick}
          style={{ bottom: `${(tick / top) * 100}%` }}
          className="num absolute inset-x-0 flex translate-y-1/2 items-center gap-2 text-[11px] text-ink-3"
        >
          <span className="w-12 shrink-0 text-right">{shortText(tick)}</span>
          <span className={`h-px flex-1 border-line border-t ${tick === 0 ? '' : 'border-dashed'}`} />
        </div>
      ))}
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="absolute inset-y-0 left-14 h-full w-[calc(100%-3.5rem)]"
      >
        <title>{label}</title>
        {groups.flatMap(({ label: group, values }, place) =>
          values.map((value, index) => {
            const height = (value / top) * 100
            const x = place * width + (width * GAP) / 2 + index * bar
            const tone = series[index]?.tone ?? 'brand'
            return (
              <rect
                key={`${group} ${series[index]?.name}`}
                x={x}
                y={100 - height}
                width={bar * 0.86}
                height={height}
                className={FILLS[tone]}
              >
                <title>{`${group}, ${series[index]?.name}: ${text(value)}`}</title>
              </rect>
            )
          }),
        )}
      </svg>
    </div>
  )
}

function Numbers({ label, series, groups, text }: Props) {
  return (
    <details className="mt-2 text-sm">
      <summary className="inline-flex min-h-6 cursor-default items-center text-ink-2 hover:text-ink max-sm:min-h-10">
        Show as a table
      </summary>
      <Scroll label={label} className="mt-2">
        <table className="num w-full text-sm">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr className="border-line border-b">
              <td />
              {series.map(({ name }) => (
                <th key={name} scope="col" className="h-8 px-3 text-right font-normal text-ink-3 text-xs">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ label: group, values }) => (
              <tr key={group} className="border-line border-b last:border-0">
                <th scope="row" className="h-8 whitespace-nowrap text-left font-normal">
                  {group}
                </th>
                {values.map((value, index) => (
                  <td key={series[index]?.name} className="px-3 text-right">
                    {text(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  )
}

/** Rounds up to 1, 2, 2.5 or 5 times a power of ten. */
function niceStep(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return (([1, 2, 2.5, 5] as const).find((nice) => nice * power >= least) ?? 10) * power
}
