type Props = {
  readonly label: string
  /** Of a hundred; more is drawn as full. */
  readonly percent: number
  /** What part should be reached by now; undefined: nothing is expected. */
  readonly expected?: number | undefined
  readonly text: string
}

/** How much of something is used, with a mark at what was to be expected by now. */
export function Meter({ label, percent, expected, text }: Props) {
  const used = Math.min(100, percent)
  const tone = percent >= 100 ? 'fill-bad' : percent >= 90 || (expected ?? 100) < percent ? 'fill-gold' : 'fill-brand'
  return (
    <svg
      role="img"
      aria-label={`${label}: ${text}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="h-2 w-full"
    >
      <rect width="100" height="6" rx="1" className="fill-sunken" />
      <rect width={used} height="6" rx="1" className={tone} />
      {expected !== undefined && <rect x={Math.min(99, expected)} width="0.8" height="6" className="fill-ink" />}
    </svg>
  )
}
