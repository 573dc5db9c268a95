import type { ReactNode } from 'react'
import { PageTitle } from './page-title.tsx'

type Props = {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly crumbs?: ReactNode
}

export function PageHeader({ title, lead, actions, crumbs }: Props) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {crumbs && <div className="mb-1.5 text-ink-3 text-sm">{crumbs}</div>}
        <PageTitle>{title}</PageTitle>
        {lead && <p className="mt-1 text-ink-2">{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2 empty:hidden">{actions}</div>}
    </header>
  )
}
