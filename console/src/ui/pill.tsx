import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const TONES = {
  good: 'bg-ok-soft text-ok',
  waiting: 'bg-wait-soft text-wait',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-ink-2',
} as const

export type Tone = keyof typeof TONES

export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-medium text-xs',
        TONES[tone],
      )}
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {children}
    </span>
  )
}
