import type { ReactNode } from 'react'
import { Monogram } from '../monogram.tsx'
import { PageTitle } from './page-title.tsx'

type Props = {
  /** A link to the list that contains the record. */
  readonly up: ReactNode
  readonly name: string
  /** Shown after the name. */
  readonly amount?: string
  readonly actions?: ReactNode
  /** The state of the record and other details that identify it. */
  readonly children: ReactNode
}

/** The header of a page about one record. */
export function DetailHeader({ up, name, amount, actions, children }: Props) {
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-4 text-ink-3 text-sm">
        {up} <span aria-hidden="true">/</span> {name}
      </nav>
      <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <Monogram name={name} size="large" />
        <div className="min-w-0 flex-1">
          <PageTitle>
            {name}
            {amount !== undefined && <span className="num font-normal text-ink-2"> {amount}</span>}
          </PageTitle>
          <div className="mt-1 flex flex-wrap items-center gap-2 text-ink-2 text-sm">{children}</div>
        </div>
        {actions}
      </header>
    </>
  )
}
