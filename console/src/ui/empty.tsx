import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'

type Props = { readonly title: ReactNode; readonly children?: ReactNode; readonly action?: ReactNode }

/** Replaces the rows of an empty list, and explains why there are none and what to do next. */
export function Empty({ title, children, action }: Props) {
  return (
    <div className="grid justify-items-center px-5 py-14 text-center">
      <Mark className="size-10 text-line-strong" />
      <div className="mt-3 font-medium text-base">{title}</div>
      {children && <p className="mt-1 max-w-md text-ink-2">{children}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
