import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section {...props} className={cx('rounded-lg bg-surface shadow-card', className)} />
}

export function CardTitle({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 px-5 pt-4">
      <h2 className="font-medium text-base">{children}</h2>
      {aside !== undefined && <div className="text-ink-3 text-sm">{aside}</div>}
    </div>
  )
}
