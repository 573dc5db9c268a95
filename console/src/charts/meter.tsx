type Props = {
  readonly label: string
  /** The percentage used. Anything above 100 is drawn as full. */
  readonly percent: number
  /** The percentage expected by now; undefined if there is no expectation. */
  readonly expected?: number | undefined
  readonly text: string
}

/** Shows how much of something is used, with a mark at the amount expected by now. */
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
