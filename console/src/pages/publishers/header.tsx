import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Permission, useRefusal } from '../../api/permissions.ts'
import { words } from '../../format.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Crumb } from '../../ui/link.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { Pill } from '../../ui/pill.tsx'
import { publisherDetail } from './queries.ts'

const TABS = [
  ['/publishers/$publisher/settings', 'Settings', 'publishers:read'],
  ['/publishers/$publisher/keys', 'Keys', 'keys:read'],
  ['/publishers/$publisher/assortment', 'Assortment', 'assortments:read'],
] as const satisfies readonly (readonly [string, string, Permission])[]

type Props = { readonly publisher: string; readonly actions?: ReactNode }

/** The header of every page about a publisher: its name, and links to the other pages. */
export function PublisherHeader({ publisher, actions }: Props) {
  const { data } = useSuspenseQuery(publisherDetail(publisher))
  const findRefusal = useRefusal()
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-4 text-ink-3 text-sm">
        <Crumb to="/publishers">Publishers</Crumb> <span aria-hidden="true">/</span> {data.name}
      </nav>
      <header className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3">
        <Monogram name={data.name} size="large" />
        <div className="min-w-0">
          <PageTitle>{data.name}</PageTitle>
          <div className="mt-1 flex flex-wrap items-center gap-2 text-ink-2 text-sm">
            <Pill tone={data.environment === 'sandbox' ? 'waiting' : 'good'}>{words(data.environment)}</Pill>
            <Copyable text={publisher} short />
          </div>
        </div>
        {actions !== undefined && <div className="ml-auto max-sm:ml-0">{actions}</div>}
      </header>
      <nav aria-label="About the publisher" className="mb-5 flex gap-1 overflow-x-auto border-line border-b">
        {TABS.filter(([, , permission]) => findRefusal(permission) === null).map(([to, label]) => (
          <Link
            key={to}
            to={to}
            params={{ publisher }}
            className="-mb-px flex h-9 items-center border-transparent border-b-2 px-3 text-ink-2 text-sm hover:text-ink max-sm:h-11 aria-[current=page]:border-brand aria-[current=page]:font-medium aria-[current=page]:text-brand-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  )
}
