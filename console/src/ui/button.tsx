import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

const TONES = {
  primary: 'bg-brand text-on-brand hover:brightness-110 shadow-[inset_0_1px_0_rgb(255_255_255/0.15)]',
  plain: 'bg-surface text-ink shadow-card hover:bg-sunken',
  ghost: 'text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'bg-surface text-bad shadow-card hover:bg-bad-soft',
} as const

type Props = ComponentProps<'button'> & {
  readonly tone?: keyof typeof TONES
  readonly busy?: boolean
  /** Only an icon; the name stands in aria-label. */
  readonly icon?: boolean
  /** Why it cannot be used now; shown to whoever points at it or reaches it by keyboard. */
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
  if (refusal) return <RefusedButton {...props} tone={tone ?? 'plain'} className={className} refusal={refusal} />
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

/** Stays focusable, because a disabled button could not say why it is. */
function RefusedButton({ tone, className, refusal, ...props }: Props & { refusal: string }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        {...props}
        type="button"
        onClick={undefined}
        aria-disabled="true"
        aria-description={refusal}
        className={buttonClass(tone, className)}
      />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-40">
          <Tooltip.Popup className="max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-canvas text-xs shadow-pop">
            {refusal}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
