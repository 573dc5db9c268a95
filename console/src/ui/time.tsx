import { dateTime } from '../format.ts'

type Props = { readonly at: string; readonly className?: string }

/** An instant in the reader's time zone. */
export function Time({ at, className = 'num text-ink-3 text-xs' }: Props) {
  return (
    <time dateTime={at} className={className}>
      {dateTime(at)}
    </time>
  )
}
