import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FieldChanges } from '../../ui/field-changes.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Time } from '../../ui/time.tsx'
import { AUDIT } from './queries.ts'

export default function Audit() {
  const { isFiltered, change, list } = useList(AUDIT)
  const { csv: _, ...shown } = list
  return (
    <ListPage
      title="Audit log"
      lead="Every change that people make, recorded as it is made."
      {...shown}
      toKey={(entry) => `${entry.at} ${list.rows.indexOf(entry)}`}
      item={(entry) => <Entry entry={entry} onNarrow={change} />}
      moreLabel="Show older ones"
      empty={<NothingChanged isFiltered={isFiltered} />}
    />
  )
}

function NothingChanged({ isFiltered }: { readonly isFiltered: boolean }) {
  const navigate = useNavigate({ from: '/audit' })
  return (
    <Empty
      title={isFiltered ? 'No changes match' : 'Nobody has changed anything yet'}
      action={isFiltered && <Button onClick={() => navigate({ search: {} })}>Show everything</Button>}
    >
      Every change by a person appears here, with who made it, when, and the state before it.
    </Empty>
  )
}

type Narrowed = { readonly action: string } | { readonly actor: string }
type EntryProps = { readonly entry: Schemas['AuditEntry']; readonly onNarrow: (narrowed: Narrowed) => void }

function Entry({ entry, onNarrow }: EntryProps) {
  const { at, actor, actor_name, action, subject, subject_name, before, after } = entry
  return (
    <li className="flex gap-3 px-5 py-3">
      <Monogram name={actor_name} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="font-medium text-sm">
            <Narrowing title={`Only ${action}`} onClick={() => onNarrow({ action })}>
              {words(action)}
            </Narrowing>{' '}
            <span className="font-normal text-ink-2">
              by{' '}
              <Narrowing title={`Only what ${actor_name} changed`} onClick={() => onNarrow({ actor })}>
                {actor_name}
              </Narrowing>
            </span>
          </h2>
          <Time at={at} />
        </div>
        <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
          {subject_name}
          <Copyable text={subject} />
        </div>
        <Changes before={before} after={after} />
      </div>
    </li>
  )
}

type NarrowingProps = { readonly title: string; readonly onClick: () => void; readonly children: ReactNode }

/** A word in an entry that filters the list by that word when clicked. */
function Narrowing({ title, onClick, children }: NarrowingProps) {
  return (
    <button
      type="button"
      title={title}
      onClick={onClick}
      className="min-h-6 cursor-default rounded-sm hover:text-brand-ink hover:underline max-sm:min-h-10"
    >
      {children}
    </button>
  )
}

// Lists of up to this many changes start expanded, and longer ones start collapsed.
const SHOWN_CHANGES = 4

type State = Schemas['AuditEntry']['before']

/** Shows what an entry changed. */
function Changes({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const [old, now] = [before ?? {}, after ?? {}] as Readonly<Record<string, unknown>>[]
  const absent = before === null ? undefined : null
  const fields = names.map((field) => ({ field, from: old?.[field] ?? absent, to: now?.[field] ?? null }))
  const changed = fields.filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
  const list = <FieldChanges fields={changed} />
  if (changed.length <= SHOWN_CHANGES) return list
  return (
    <details className="mt-0.5 text-sm">
      <summary className="inline-flex min-h-6 cursor-default items-center text-ink-2 hover:text-ink max-sm:min-h-10">
        {changed.map(({ field }) => words(field)).join(', ')}
      </summary>
      {list}
    </details>
  )
}
