import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { audit } from '../../api/queries.ts'
import { dateTime, words } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar, SearchBox } from '../../ui/filters.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

const route = getRouteApi('/guarded/audit')

export default function Audit() {
  const { subject } = route.useSearch()
  const navigate = route.useNavigate()
  const { data = [], isPlaceholderData } = useQuery(audit(subject))
  return (
    <>
      <PageHeader title="Audit trail" lead="What people changed, written in the same commit as the change." />
      <Card>
        <FilterBar>
          <SearchBox
            label="Id of what was changed"
            value={subject ?? ''}
            onChange={(value) => navigate({ search: value === '' ? {} : { subject: value }, replace: true })}
          />
        </FilterBar>
        {data.length === 0 ? (
          <Empty title={subject === undefined ? 'Nobody has changed anything yet' : 'Nothing was changed there'}>
            Every change by a person appears here, with who, when, and what it was before.
          </Empty>
        ) : (
          <ol className={`divide-y divide-line transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}>
            {data.map((entry) => (
              <Entry key={`${entry.at} ${entry.action} ${entry.subject}`} entry={entry} />
            ))}
          </ol>
        )}
      </Card>
    </>
  )
}

function Entry({ entry }: { readonly entry: Schemas['AuditEntry'] }) {
  const { at, actor_name, action, subject, before, after } = entry
  return (
    <li className="flex gap-3 px-5 py-3">
      <Monogram name={actor_name} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="font-medium text-sm">
            {words(action)} <span className="font-normal text-ink-2">by {actor_name}</span>
          </h2>
          <time dateTime={at} className="num text-ink-3 text-xs">
            {dateTime(at)}
          </time>
        </div>
        <Copyable text={subject} />
        <Changes before={before} after={after} />
      </div>
    </li>
  )
}

type State = Schemas['AuditEntry']['before']

/** The members that differ, each as it was and as it is. */
function Changes({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => shown(before, name) !== shown(after, name))
  if (changed.length === 0) return null
  return (
    <details className="mt-0.5 text-sm">
      <summary className="inline-flex min-h-6 cursor-default items-center text-ink-2 hover:text-ink max-sm:min-h-10">
        {changed.map(words).join(', ')}
      </summary>
      <dl className="mt-2 space-y-2 rounded-md bg-sunken p-3">
        {changed.map((name) => (
          <div key={name} className="grid gap-x-4 sm:grid-cols-[180px_minmax(0,1fr)]">
            <dt className="text-ink-2 text-xs">{words(name)}</dt>
            <dd className="min-w-0 break-words font-mono text-xs">
              {before !== null && <del className="mr-2 text-bad">{shown(before, name)}</del>}
              <ins className="text-ok no-underline">{shown(after, name)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function shown(state: State, name: string): string {
  const value = (state as Readonly<Record<string, unknown>> | null)?.[name]
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
