import { type ComponentProps, lazy, Suspense } from 'react'
import { cx } from './cx.ts'

const TONES = {
  primary: 'bg-brand text-on-brand hover:brightness-110 shadow-[inset_0_1px_0_rgb(255_255_255/0.15)]',
  plain: 'bg-surface text-ink shadow-card hover:bg-sunken',
  ghost: 'text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'bg-surface text-bad shadow-card hover:bg-bad-soft',
} as const

// The tooltip is a tenth of all JavaScript, so it is loaded only after the first page is shown.
const RefusedButton = lazy(() => import('./refused-button.tsx'))

type Props = ComponentProps<'button'> & {
  readonly tone?: keyof typeof TONES
  readonly busy?: boolean
  /** Set for a button that consists only of an icon, whose name goes into aria-label. */
  readonly icon?: boolean
  /** The reason why the button cannot be used now, shown on hover and on keyboard focus. */
  readonly refusal?: string | null | undefined
}

export function buttonClass(tone: keyof typeof TONES = 'plain', className?: string, icon = false): string {
  return cx(
    'inline-flex h-8 shrink-0 cursor-default items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium text-sm',
    'motion-safe:transition-[background,filter] disabled:opacity-50 aria-disabled:opacity-50 max-sm:h-11',
    icon ? 'w-8 max-sm:w-11' : 'px-3 max-sm:px-4',
    TONES[tone],
    className,
  )
}

export function Button({ tone, className, busy = false, icon = false, refusal, ...props }: Props) {
  if (refusal) {
    const refused = { ...props, className: buttonClass(tone, className, icon), 'aria-description': refusal }
    return (
      <Suspense fallback={<button {...refused} type="button" onClick={undefined} aria-disabled="true" />}>
        <RefusedButton {...refused} />
      </Suspense>
    )
  }
  return (
    <button
      type="button"
      {...props}
      disabled={busy || props.disabled}
      aria-busy={busy || undefined}
      className={buttonClass(tone, className, icon)}
    />
  )
}
