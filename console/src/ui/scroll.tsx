import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type Props = { readonly label: string; readonly className?: string; readonly children: ReactNode }

/** Wraps content that may be wider than the screen, so that it scrolls separately, including by keyboard. */
export function Scroll({ label, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={cx('overflow-x-auto', className)}>
      {children}
    </section>
  )
}
