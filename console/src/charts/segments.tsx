const FILLS = { gold: 'fill-gold', brand: 'fill-brand', info: 'fill-info', bad: 'fill-bad' } as const
const DOTS = { gold: 'bg-gold', brand: 'bg-brand', info: 'bg-info', bad: 'bg-bad' } as const

type Part = {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly tone: keyof typeof FILLS
}

const GAP = 0.6

/**
 * Shows the parts of a total: one bar of colored segments, with a legend that repeats in words what the colors show.
 */
export function Segments({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }) {
  const shown = parts.filter(({ value }) => value > 0)
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  const width = 100 - GAP * Math.max(0, shown.length - 1)
  let x = 0
  const bars = shown.map((part) => {
    const bar = { ...part, x, width: (part.value / total) * width }
    x += bar.width + GAP
    return bar
  })
  return (
    <figure>
      <svg
        role="img"
        aria-label={`${label}: ${parts.map(({ label: name, text }) => `${name} ${text}`).join(', ')}`}
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        className="h-2 w-full overflow-hidden rounded-full"
      >
        {total === 0 && <rect width="100" height="2" className="fill-sunken" />}
        {bars.map((bar) => (
          <rect key={bar.label} x={bar.x} width={bar.width} height="2" className={FILLS[bar.tone]} />
        ))}
      </svg>
      <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {parts.map(({ label: name, text, tone }) => (
          <span key={name} className="inline-flex items-center gap-2 text-ink-2">
            <span aria-hidden="true" className={`size-2 rounded-full ${DOTS[tone]}`} />
            {name} <span className="num font-medium text-ink">{text}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
